/// The stages that a message goes through on its way out: a seam, so that the queue knows no network and no pictures.
public protocol OutgoingPipeline: Sendable {
    /// Makes a file ready and uploads it. Photos and voice notes only.
    ///
    /// - Parameter progress: Called with 0 to 1 as the bytes go.
    /// - Returns: The file with its key. The same call after a failure may upload anew: an object that no message names is swept.
    func upload(
        _ file: OutgoingMedia.File,
        of kind: OutgoingMedia.Kind,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws -> OutgoingMedia.File

    /// Hands the message to the server, which answers once it is kept.
    func send(_ request: SendMessage) async throws -> SendMessageAnswer
}

/// Where a queue notes what it does, in order for each conversation: before the next step is taken it is on disk.
public protocol SendJournal: Sendable {
    /// - Throws: Where it cannot be kept. The message fails then, but for one that the server has already.
    func note(_ event: SendEvent) async throws
    /// An upload goes on. Nothing of it is kept.
    func progressed(_ id: String, _ part: Double)
}

/// A step of a message on its way out.
public enum SendEvent: Hashable, Sendable {
    /// Its turn has come.
    case sending(id: String)
    /// A file is uploaded: the message with its key, for a later attempt.
    case uploaded(OutgoingMessage)
    /// Nothing answered; it is tried again after a while.
    case retrying(id: String, attempt: Int)
    case sent(SendMessageAnswer)
    /// - Parameters:
    ///   - reason: A sentence for the person.
    ///   - error: Nil for another module's.
    case failed(id: String, reason: String, error: ChatError?)
}
