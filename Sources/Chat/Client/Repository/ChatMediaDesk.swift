public import Chat

/// The media of one account's conversations: a seam, so that the routes know neither pictures nor uploads nor the media folder.
public protocol ChatMediaDesk: Sendable {
    /// Checks files that a person chose and copies them into the outbox's own folder, where they wait under ``OutgoingMedia/File/source``. What
    /// this returned for survives a crash.
    ///
    /// - Parameter id: The id of the message that the files become.
    /// - Throws: ``ChatError`` for a file that is missing, too large or of another kind.
    func prepare(_ media: ChatControl.Media, id: String, in conversation: ConversationID) async throws -> OutgoingMedia
    /// The outbox does not need the files of a message any more: it was sent or discarded.
    func release(_ media: OutgoingMedia, id: String, in conversation: ConversationID) async
    /// The file of a picture or a voice note on this machine, fetched where it is not here.
    ///
    /// - Parameter index: The picture among several, from 0.
    func file(of media: MessageMedia, at index: Int) async throws -> ChatControl.File
    /// Opens a view-once picture, once, into a file that is removed after a minute.
    func openFlash(_ media: MessageMedia) async throws -> ChatControl.File
}

/// A message with its objects, as ``ChatMediaDesk`` needs it.
public struct MessageMedia: Hashable, Sendable {
    public let conversation: ConversationID
    public let message: ChatMessage
    /// The opened payload, with the keys of sealed objects among its unknown members.
    public let payload: MessagePayload
    public let isSealed: Bool
    /// The files in the outbox, while the message waits or failed.
    public let outgoing: OutgoingMedia?

    public init(
        conversation: ConversationID,
        message: ChatMessage,
        payload: MessagePayload,
        isSealed: Bool,
        outgoing: OutgoingMedia? = nil
    ) {
        self.conversation = conversation
        self.message = message
        self.payload = payload
        self.isSealed = isSealed
        self.outgoing = outgoing
    }
}
