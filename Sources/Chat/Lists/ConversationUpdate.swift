/// What the server knows of a conversation. Nil leaves a value as it is.
///
/// It has no names, no online flag and no signal: an update from the server cannot take those away. Source: rules L3, B22.
public struct ConversationUpdate: Hashable, Sendable {
    public let id: ConversationID
    public var isPinned: Bool?
    /// An empty text takes the draft away.
    public var draft: String?
    public var unreadCount: Int?
    public var lastMessagePreview: String?
    /// Milliseconds since 1970.
    public var lastMessageTime: Int64?

    public init(
        _ id: ConversationID,
        isPinned: Bool? = nil,
        draft: String? = nil,
        unreadCount: Int? = nil,
        lastMessagePreview: String? = nil,
        lastMessageTime: Int64? = nil
    ) {
        self.id = id
        self.isPinned = isPinned
        self.draft = draft
        self.unreadCount = unreadCount
        self.lastMessagePreview = lastMessagePreview
        self.lastMessageTime = lastMessageTime
    }

    /// What a row of the server's list says. A recalled message has no words there.
    public init(_ element: ConversationElement) {
        self.init(
            element.conversation,
            isPinned: element.isPinned,
            unreadCount: element.unreadCount,
            lastMessagePreview: element.latest.flatMap { latest in
                latest.contentType == .revoke ? ConversationList.recalledText : latest.payload.preview
            },
            lastMessageTime: element.latestTime > 0 ? element.latestTime : nil
        )
    }
}
