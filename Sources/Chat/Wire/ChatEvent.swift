public import Accounts
public import Kernel

/// A change of a person's conversations beside new messages, for all devices of the person. Ours: existing servers have a notification for some
/// of them, and no number by which a device finds out that it missed one.
public struct ChatEvent: ChatWire {
    public enum Change: Hashable, Sendable {
        case recalled(ConversationID, sequence: Int64, clientMessageID: String, by: UserID, at: Int64)
        /// A photo that burns is gone.
        case destroyed(ConversationID, sequence: Int64, clientMessageID: String)
        /// The person read up to here on another device.
        case read(ConversationID, upTo: Int64)
        /// The other person read up to here.
        case peerRead(ConversationID, upTo: Int64)
        /// A device of the other person has everything up to here.
        case peerReceived(ConversationID, upTo: Int64)
        case settings(ConversationID, ConversationSettings)
        /// The person's history begins here.
        case cleared(ConversationID, minimumSequence: Int64)
        /// Out of the list until something new is written.
        case hidden(ConversationID, upTo: Int64)
        /// The person deleted these for themselves.
        case deleted(ConversationID, sequences: [Int64])
        case requestAccepted(ConversationID)
        case requestDeclined(ConversationID)
        case blocked(UserID)
        case unblocked(UserID)
        /// The other person's account is gone.
        case peerDeleted(ConversationID)
        case typing(ConversationID)
        case presence(UserID, isOnline: Bool)
        /// The person's list of devices or one of their chat keys is another now. Live only.
        case keysChanged(UserID)
        /// One of a later version, as it came.
        case unknown(JSONValue)
    }

    /// The number in the person's log of events, without gaps; nil for what is told once and not kept.
    public var number: Int64?
    public var change: Change

    public init(_ number: Int64?, _ change: Change) {
        self.number = number
        self.change = change
    }

    /// One that cannot be read is ``Change/unknown(_:)``: its number counts all the same.
    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "event")
        number = members.integer("useq").flatMap { $0 > 0 ? $0 : nil }
        change = (try? Self.change(members)) ?? .unknown(wire)
    }

    private static func change(_ members: WireMembers) throws(ChatError) -> Change? {
        func conversation() throws(ChatError) -> ConversationID { try members.conversation("conversationID") }
        func place() throws(ChatError) -> Int64 {
            guard let place = members.integer("seq"), place >= 0 else { throw .malformed("seq") }
            return place
        }
        return switch members.text("event") {
        case "recalled":
            .recalled(
                try conversation(),
                sequence: try place(),
                clientMessageID: try members.messageID(),
                by: try members.person("userID"),
                at: members.integer("time") ?? 0
            )
        case "destroyed":
            .destroyed(try conversation(), sequence: try place(), clientMessageID: try members.messageID())
        case "read": .read(try conversation(), upTo: try place())
        case "peerRead": .peerRead(try conversation(), upTo: try place())
        case "peerReceived": .peerReceived(try conversation(), upTo: try place())
        case "settings": .settings(try conversation(), try ConversationSettings(members))
        case "cleared": .cleared(try conversation(), minimumSequence: try place())
        case "hidden": .hidden(try conversation(), upTo: try place())
        case "deleted": .deleted(try conversation(), sequences: try members.sequences("seqs"))
        case "requestAccepted": .requestAccepted(try conversation())
        case "requestDeclined": .requestDeclined(try conversation())
        case "blocked": .blocked(try members.person("userID"))
        case "unblocked": .unblocked(try members.person("userID"))
        case "peerDeleted": .peerDeleted(try conversation())
        case "typing": .typing(try conversation())
        case "presence": .presence(try members.person("userID"), isOnline: members.flag("isOnline") ?? false)
        case "keysChanged": .keysChanged(try members.person("userID"))
        default: nil
        }
    }

    public var wire: JSONValue {
        guard let number else { return change.wire }
        return change.wire.adding("useq", .integer(number))
    }
}

extension ChatEvent.Change {
    fileprivate var wire: JSONValue {
        func event(_ name: String, _ conversation: ConversationID, _ sequence: Int64? = nil) -> JSONValue {
            .members([
                "event": .string(name), "conversationID": .string(conversation.text),
                "seq": sequence.map(JSONValue.integer),
            ])
        }
        func event(_ name: String, _ person: UserID) -> JSONValue {
            ["event": .string(name), "userID": .string(person.imUserID)]
        }
        return switch self {
        case .recalled(let id, let sequence, let clientMessageID, let person, let time):
            event("recalled", id, sequence).adding("clientMsgID", .string(clientMessageID))
                .adding("userID", .string(person.imUserID)).adding("time", .integer(time))
        case .destroyed(let id, let sequence, let clientMessageID):
            event("destroyed", id, sequence).adding("clientMsgID", .string(clientMessageID))
        case .read(let id, let sequence): event("read", id, sequence)
        case .peerRead(let id, let sequence): event("peerRead", id, sequence)
        case .peerReceived(let id, let sequence): event("peerReceived", id, sequence)
        case .settings(let id, let settings):
            settings.members.adding("event", "settings").adding("conversationID", .string(id.text))
        case .cleared(let id, let sequence): event("cleared", id, sequence)
        case .hidden(let id, let sequence): event("hidden", id, sequence)
        case .deleted(let id, let sequences): event("deleted", id).adding("seqs", .sequences(sequences))
        case .requestAccepted(let id): event("requestAccepted", id)
        case .requestDeclined(let id): event("requestDeclined", id)
        case .blocked(let person): event("blocked", person)
        case .unblocked(let person): event("unblocked", person)
        case .peerDeleted(let id): event("peerDeleted", id)
        case .typing(let id): event("typing", id)
        case .presence(let person, let isOnline): event("presence", person).adding("isOnline", .bool(isOnline))
        case .keysChanged(let person): event("keysChanged", person)
        case .unknown(let value): value
        }
    }
}
