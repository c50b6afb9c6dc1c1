package import Accounts
package import Chat

/// A person's complaint about another, for who moderates the hub.
package struct Report: Hashable, Sendable {
    package let id: Int64
    /// Nil once the reporter's account is gone.
    package let reporter: UserID?
    package let reported: UserID
    package let conversation: ConversationID
    /// The message that it is about.
    package let seq: Int64?
    package let reason: String
    /// The message as it was then; empty without one, of view-once pictures, and once the reported account is gone.
    package let content: [UInt8]
    package let at: Int64
    package let closedAt: Int64?
}
