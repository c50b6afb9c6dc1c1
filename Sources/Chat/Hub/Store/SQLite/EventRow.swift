import Accounts
import Chat
import GRDB

/// The kinds of events. The numbers are on disk.
enum EventKind: Int {
    case recalled = 1
    case destroyed, read, peerRead, settings, cleared, hidden, deleted, requestAccepted, requestDeclined, blocked,
        unblocked,
        peerDeleted
}

/// A change as a row of the log of events.
struct EventRow {
    let kind: EventKind
    var number: Int64 = 0
    var other: Int64 = 0
    var at: Int64 = 0
    var text: String?

    /// Nil for what is not in the log.
    init?(_ change: ChatChange) {
        switch change {
        case .message, .peerReceived, .typing, .presence, .keysChanged: return nil
        case .recalled(_, let seq, let clientID, let person, let at):
            kind = .recalled
            (number, other, self.at, text) = (seq, person.number, at, clientID)
        case .destroyed(_, let seq, let clientID):
            kind = .destroyed
            (number, text) = (seq, clientID)
        case .read(_, let seq):
            kind = .read
            number = seq
        case .peerRead(_, let seq):
            kind = .peerRead
            number = seq
        case .settings: kind = .settings
        case .cleared(_, let seq):
            kind = .cleared
            number = seq
        case .hidden(_, let seq):
            kind = .hidden
            number = seq
        case .deleted(_, let seqs):
            kind = .deleted
            text = seqs.map(String.init).joined(separator: " ")
        case .requestAccepted: kind = .requestAccepted
        case .requestDeclined: kind = .requestDeclined
        case .blocked(let person):
            kind = .blocked
            other = person.number
        case .unblocked(let person):
            kind = .unblocked
            other = person.number
        case .peerDeleted: kind = .peerDeleted
        }
    }

    /// The change of a row that is joined with its conversation and with the settings as they are now. Nil for a row whose conversation is gone.
    static func change(_ row: Row) -> ChatChange? {
        guard let kind = EventKind(rawValue: row["kind"]) else { return nil }
        let number: Int64 = row["number"]
        let other = UserID(row["other"] as Int64)
        switch kind {
        case .blocked: return other.map(ChatChange.blocked)
        case .unblocked: return other.map(ChatChange.unblocked)
        default: break
        }
        guard let conversation = ConversationID(numbers: row) else { return nil }
        let text: String? = row["text"]
        switch kind {
        case .recalled:
            return other.map {
                .recalled(conversation, seq: number, clientMessageID: text ?? "", by: $0, at: row["at"])
            }
        case .destroyed: return .destroyed(conversation, seq: number, clientMessageID: text ?? "")
        case .read: return .read(conversation, upTo: number)
        case .peerRead: return .peerRead(conversation, upTo: number)
        case .settings:
            return .settings(
                conversation,
                MemberSettings(
                    isPinned: row["isPinned"] ?? false,
                    receiveOption: (row["receiveOption"] as Int?).flatMap(ReceiveOption.init) ?? .receive,
                    draft: row["draft"]
                )
            )
        case .cleared: return .cleared(conversation, minSeq: number)
        case .hidden: return .hidden(conversation, upTo: number)
        case .deleted: return .deleted(conversation, seqs: (text ?? "").split(separator: " ").compactMap { Int64($0) })
        case .requestAccepted: return .requestAccepted(conversation)
        case .requestDeclined: return .requestDeclined(conversation)
        case .peerDeleted: return .peerDeleted(conversation)
        case .blocked, .unblocked: return nil
        }
    }
}

extension ConversationID {
    /// Of a row with the numbers of the two people, `low` and `high`; nil where they are no two people.
    init?(numbers row: Row) {
        guard let low = (row["low"] as Int64?).flatMap({ UserID($0) }),
            let high = (row["high"] as Int64?).flatMap({ UserID($0) })
        else { return nil }
        self.init(low, high)
    }
}
