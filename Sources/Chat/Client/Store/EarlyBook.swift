import Chat
import Synchronization

/// Recalls, burned pictures and deletions whose messages are not here yet, of all conversations. In memory: a message that is asked for after a start comes with
/// its state.
final class EarlyBook: Sendable {
    /// Conversations with such states. Beyond it all are let go: the hub folds them into what is pulled.
    private static let limit = 1000

    private let states = Mutex<[ConversationID: EarlyStates]>([:])

    private func change(_ id: ConversationID, _ body: (inout EarlyStates) -> Void) {
        states.withLock { states in
            if states.count >= Self.limit, states[id] == nil { states = [:] }
            body(&states[id, default: EarlyStates(limit: MessageTimeline.earlyLimit)])
        }
    }

    func note(_ recall: IncomingItem.Recall, in id: ConversationID) { change(id) { $0.noteRecall(recall) } }

    func noteBurned(_ key: MessageKey, in id: ConversationID) { change(id) { $0.noteBurned(key) } }

    func noteDeleted(_ place: Int64, in id: ConversationID) { change(id) { $0.noteDeleted(place) } }

    /// Whether the person deleted the message that comes to this place.
    func hasDeleted(_ place: Int64, in id: ConversationID) -> Bool {
        states.withLock { $0[id]?.isDeleted(place) ?? false }
    }

    func apply(to message: inout ChatMessage, in id: ConversationID) {
        guard let known = states.withLock({ $0[id] }) else { return }
        known.apply(to: &message)
    }

    /// Whether a message that comes without its state was taken back.
    func hasRecalled(_ key: MessageKey, at place: Int64, in id: ConversationID) -> Bool {
        guard let receiver = id.peer(of: key.sender) else { return false }
        var message = ChatMessage(
            id: key.clientMessageID,
            from: key.sender,
            to: receiver,
            as: receiver,
            createTime: 0,
            .text("")
        )
        message.sequence = place
        apply(to: &message, in: id)
        return message.isRecalled
    }
}
