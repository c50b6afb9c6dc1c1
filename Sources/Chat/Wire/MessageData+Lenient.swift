import Accounts
import Kernel

extension MessageData {
    /// Members without which a message can still be shown.
    private static let ornaments: Set<String> = [
        "serverMsgID", "senderNickname", "senderName", "senderFaceURL", "senderFaceUrl", "faceURL", "options",
        "attachedInfo", "ex",
    ]

    /// The id of a message that has no legible one.
    package static func placeholderID(at sequence: Int64) -> String { "unreadable-\(sequence)" }

    /// Reads a message of a conversation's history. What cannot be read costs as little as it can: an ornament alone, else the content, so that
    /// the message stands in its place as ``MessagePayload/unknown(_:_:)`` and hides none of its neighbours.
    ///
    /// Without a legible id it has one of its place, which is unique in a conversation as the store's key asks it (`messenger_message`: conversation,
    /// sender, id). A peer who names an own message so meets nobody's row but an own one.
    ///
    /// - Parameters:
    ///   - wire: As the server handed it over.
    ///   - conversation: The one that it was told under.
    /// - Returns: Nil for what has no place and cannot be read, which no row could stand for.
    init?(lenient wire: JSONValue, in conversation: ConversationID) {
        if let whole = try? MessageData(wire: wire) {
            self = whole
            return
        }
        guard case .object(let values) = wire else { return nil }
        let members = WireMembers(values)
        guard let sequence = members.place("seq") else { return nil }
        if let bare = try? MessageData(wire: .object(values.filter { !Self.ornaments.contains($0.key) })) {
            self = bare
            return
        }
        let people = conversation.people
        // Only who is named as the sender is blamed: without a legible one, the receiver tells who it was.
        let named = members.text("sendID").flatMap { UserID(anyForm: $0) }.flatMap { people.contains($0) ? $0 : nil }
        let receiver = members.text("recvID").flatMap { UserID(anyForm: $0) }
        guard let sender = named ?? receiver.flatMap({ conversation.peer(of: $0) }) ?? people.first,
            let other = conversation.peer(of: sender)
        else { return nil }
        let id = members.nonEmpty("clientMsgID", "clientMsgId").flatMap {
            $0.utf8.count <= ChatLimits.messageID ? $0 : nil
        }
        let type = members.integer("contentType").flatMap { Int(exactly: $0) }.map { ContentType(rawValue: $0) }
        self.init(
            clientMessageID: id ?? Self.placeholderID(at: sequence),
            createTime: members.integer("createTime") ?? 0,
            sendTime: members.integer("sendTime") ?? 0,
            from: sender,
            to: other,
            // A notification is no row, and without its content it tells nothing.
            contentType: type.flatMap { $0.isNotification ? nil : $0 } ?? .custom,
            element: [:],
            sequence: sequence
        )
        isUnreadable = true
    }
}
