public import Accounts

/// A conversation in the list, with the documented fields.
///
/// Two of one id are equal: a screen that was opened for a conversation stays the same screen when the row changes. To see whether a row has to be
/// drawn anew compare ``version`` or ``hasSameContent(as:)``.
public struct Conversation: Hashable, Sendable, Identifiable {
    public let id: ConversationID
    /// Documented `targetUid`.
    public let peer: UserID
    public var nickname = "" { didSet { changed(nickname != oldValue) } }
    /// An address; empty for none.
    public var avatar = "" { didSet { changed(avatar != oldValue) } }
    public var isOnline = false { didSet { changed(isOnline != oldValue) } }

    public var fromSignal = false { didSet { changed(fromSignal != oldValue) } }
    public var signalID: String? { didSet { changed(signalID != oldValue) } }
    public var receiveID: String? { didSet { changed(receiveID != oldValue) } }
    public var signalReply: String? { didSet { changed(signalReply != oldValue) } }
    public var signalContent: String? { didSet { changed(signalContent != oldValue) } }
    /// The quote of the signal was sent, and the server said so.
    public var isIMOpened = false { didSet { changed(isIMOpened != oldValue) } }

    public var isPinned = false { didSet { changed(isPinned != oldValue) } }
    /// What is written and not sent; nil for none. See ``Draft``.
    public var draft: String? { didSet { changed(draft != oldValue) } }
    /// Never below 0.
    public var unreadCount = 0 {
        didSet {
            unreadCount = max(0, unreadCount)
            changed(unreadCount != oldValue)
        }
    }
    public var lastMessagePreview = "" { didSet { changed(lastMessagePreview != oldValue) } }
    /// Milliseconds since 1970; 0 for a conversation without messages.
    public var lastMessageTime: Int64 = 0 { didSet { changed(lastMessageTime != oldValue) } }

    /// Counts the changes of this value.
    public private(set) var version: UInt64 = 0

    /// Nil where `me` is not in the conversation.
    public init?(_ id: ConversationID, for me: UserID) {
        guard let peer = id.peer(of: me) else { return nil }
        self.id = id
        self.peer = peer
    }

    private mutating func changed(_ isOther: Bool) {
        if isOther { version += 1 }
    }

    public static func == (one: Conversation, other: Conversation) -> Bool { one.id == other.id }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// Whether a row would show the same, however either came to be.
    public func hasSameContent(as other: Conversation) -> Bool {
        id == other.id && nickname == other.nickname && avatar == other.avatar && isOnline == other.isOnline
            && fromSignal == other.fromSignal && signalID == other.signalID && receiveID == other.receiveID
            && signalReply == other.signalReply && signalContent == other.signalContent
            && isIMOpened == other.isIMOpened && isPinned == other.isPinned && draft == other.draft
            && unreadCount == other.unreadCount && lastMessagePreview == other.lastMessagePreview
            && lastMessageTime == other.lastMessageTime
    }
}
