import Accounts

/// A row that is kept on disk so that the next start shows a list at once. Source: rule L2.
public struct CachedConversation: Hashable, Sendable, Codable {
    /// Rows that are kept of one account.
    public static let limit = 50

    public var id: String
    public var targetUid: Int64
    public var nickname: String
    public var avatar: String
    public var isPinned: Bool
    public var unreadCount: Int
    public var lastMessagePreview: String
    public var lastMessageTime: Int64

    init(_ conversation: Conversation) {
        id = conversation.id.text
        targetUid = conversation.peer.number
        nickname = conversation.nickname
        avatar = conversation.avatar
        isPinned = conversation.isPinned
        unreadCount = conversation.unreadCount
        lastMessagePreview = conversation.lastMessagePreview
        lastMessageTime = conversation.lastMessageTime
    }
}
