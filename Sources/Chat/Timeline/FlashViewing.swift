/// A photo that burns, on the receiver's screen: opened, seen, closed, gone. Source: rules C6, B12.
public struct FlashViewing: Hashable, Sendable {
    /// How far the viewing is.
    public enum Phase: Hashable, Sendable {
        case closed
        /// The server is asked for the photo.
        case opening
        /// The photo is on the screen.
        case showing
        case consumed
    }

    public let conversation: ConversationID
    public let messageID: String
    public private(set) var phase: Phase

    /// - Throws: ``ChatError/malformed(_:)`` for a message of another kind, ``ChatError/notYours`` for the own photo: the sender sees a
    ///   thumbnail and opens nothing.
    public init(_ message: ChatMessage) throws(ChatError) {
        guard message.isFlash else { throw .malformed("type") }
        guard !message.isMe, let id = ConversationID(message.sender, message.receiver) else { throw .notYours }
        conversation = id
        messageID = message.id
        phase = message.isDestroyed || message.isRecalled ? .consumed : .closed
    }

    /// The person presses.
    ///
    /// - Throws: ``ChatError/flashGone`` once it was seen. A second press while it opens asks nothing.
    public mutating func open() throws(ChatError) -> OpenFlash? {
        switch phase {
        case .consumed: throw .flashGone
        case .opening, .showing: return nil
        case .closed:
            phase = .opening
            return OpenFlash(conversation, clientMessageID: messageID)
        }
    }

    /// The photo is there.
    public mutating func show() {
        if phase == .opening { phase = .showing }
    }

    /// The photo did not come. Where it is gone for good it counts as seen; else it can be opened again.
    public mutating func fail(_ error: any Error) {
        guard phase == .opening else { return }
        phase = error as? ChatError == .flashGone ? .consumed : .closed
    }

    /// The person lets go: the photo is gone.
    ///
    /// - Returns: What the sender is told, which is repeated until the server has it; nil where nothing was seen.
    public mutating func close() -> MessagePayload? {
        switch phase {
        case .showing:
            phase = .consumed
            return .flashViewed(FlashViewedPayload(messageID: messageID))
        case .opening:
            phase = .closed
            return nil
        case .closed, .consumed: return nil
        }
    }
}

/// The card of a photo that burns, on either side. Source: rule C6.
public enum FlashCard: Hashable, Sendable {
    /// The receiver can open it.
    case closed
    /// The sender sees it small.
    case ownThumbnail
    case viewed
    case viewedByPeer

    /// Nil for a message of another kind, and for a recalled one.
    public init?(_ message: ChatMessage) {
        guard message.isFlash, !message.isRecalled else { return nil }
        switch (message.isMe, message.isDestroyed) {
        case (false, false): self = .closed
        case (true, false): self = .ownThumbnail
        case (false, true): self = .viewed
        case (true, true): self = .viewedByPeer
        }
    }

    /// The documented words; empty for the thumbnail.
    public var text: String {
        switch self {
        case .closed: "点击查看闪照"
        case .ownThumbnail: ""
        case .viewed: "闪照已查看"
        case .viewedByPeer: "闪照已被查看"
        }
    }
}
