package import Commands
import Kernel

/// Sends an answer in the form and the size that its asker takes.
package struct RemoteAnswerWriter: Sendable {
    /// The largest message that a session carries, in bytes. Source: `docs/protocol.md` 2.5.
    package static let messageLimit = 700_000

    private let request: CommandRequest
    private let asker: String
    private let streams: ActiveStreams
    private let limit: Int

    /// - Parameters:
    ///   - asker: The device that asked; ``ActiveStreams/cancel(_:of:)`` knows it by this.
    ///   - limit: Bytes of one message.
    package init(
        to request: CommandRequest,
        of asker: String,
        among streams: ActiveStreams,
        limit: Int = RemoteAnswerWriter.messageLimit
    ) {
        self.request = request
        self.asker = asker
        self.streams = streams
        self.limit = limit
    }

    /// - Parameter send: Takes one message's bytes, and waits while the link takes no more.
    /// - Throws: What `send` throws; `CancellationError` when the asker ended the stream.
    package func write(
        _ response: CommandResponse,
        through send: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws {
        let whole = response.envelope(answering: request).canonicalBytes
        guard whole.count > limit else { return try await send(whole) }
        guard request.acceptsStream, case .success(let result) = response.outcome,
            let stream = RemoteStreamSender(result: result)
        else {
            let refusal = CommandResponse.tooLarge(response.id, bytes: whole.count, limit: limit)
            return try await send(refusal.envelope(answering: request).canonicalBytes)
        }
        let announcement = CommandResponse(id: response.id, outcome: .success(stream.announcement.result))
        // Known before it is announced: the asker may end it as soon as it has read that.
        try await streams.run(request.id, of: asker) { [request] in
            try await send(announcement.envelope(answering: request).canonicalBytes)
            try await stream.send { try await send($0.canonicalBytes) }
        }
    }
}
