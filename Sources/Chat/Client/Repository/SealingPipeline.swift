import Chat
import Synchronization

/// A pipeline that seals what it sends, and knows afterwards whether it did.
final class SealingPipeline: OutgoingPipeline {
    private let inner: any OutgoingPipeline
    private let sealing: any MessageSealing
    /// Of messages that are on their way.
    private let sealed = Mutex<[String: Bool]>([:])

    init(_ inner: any OutgoingPipeline, sealing: any MessageSealing) {
        self.inner = inner
        self.sealing = sealing
    }

    func upload(
        _ file: OutgoingMedia.File,
        of kind: OutgoingMedia.Kind,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws -> OutgoingMedia.File {
        try await inner.upload(file, of: kind, progress: progress)
    }

    func send(_ request: SendMessage) async throws -> SendMessageAnswer {
        let sent = try await sealing.send(request) { [inner] in try await inner.send($0) }
        sealed.withLock { $0[request.clientMessageID] = sent.isSealed }
        return sent.answer
    }

    /// Whether a message went out sealed; nil for one that was not sent since the start.
    func isSealed(_ id: String) -> Bool? { sealed.withLock { $0[id] } }

    func forget(_ id: String) { sealed.withLock { $0[id] = nil } }
}
