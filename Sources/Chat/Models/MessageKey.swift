public import Accounts

/// What makes a message one message, however often and in whatever order it comes: its sender and the sender's id of it. Source: invariant I5.
public struct MessageKey: Hashable, Sendable {
    public let sender: UserID
    public let clientMessageID: String

    public init(sender: UserID, clientMessageID: String) {
        self.sender = sender
        self.clientMessageID = clientMessageID
    }
}
