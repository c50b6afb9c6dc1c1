import Accounts
import Chat

/// Something that an app's backend is told. It names what happened and holds no content: that is read when it is told, as it is by then.
struct OutboxEntry: Hashable, Sendable {
    /// The numbers are on disk.
    enum Kind: Int, Hashable, Sendable {
        case message = 1
        case recalled = 2
        /// A received signal became a conversation. Source: documented `open-im`.
        case signalOpened = 3
    }

    /// Rises with each; the same at each attempt.
    let id: Int64
    let kind: Kind
    /// Of a message; nil for a signal.
    let conversation: ConversationID?
    let seq: Int64
    /// Who did it.
    let person: UserID?
    /// The number of a signal's record.
    let number: Int64
    /// Milliseconds since 1970.
    let at: Int64
    /// What it waits behind: entries of one lane are told in their order.
    let lane: Int64
}
