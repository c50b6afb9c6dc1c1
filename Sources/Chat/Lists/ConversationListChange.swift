public import Accounts

/// Something that changes the list while it is on the screen.
public enum ConversationListChange: Hashable, Sendable {
    case update(ConversationUpdate)
    /// A message that is new on this device.
    case message(ChatMessage)
    /// The person took it off the list on another device.
    case hidden(ConversationID)
    case online(UserID, Bool)
    /// The conversation's quote of a signal was sent, and the server said so.
    case imOpened(ConversationID)
}
