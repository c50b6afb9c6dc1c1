import Synchronization
import WebClient

/// A client over a network that is cut in the middle of files that are sent: once after each of the given numbers of bytes.
final class CuttingWebClient: WebClient {
    private let inner: any WebClient
    private let cuts: Mutex<[Int]>

    init(_ inner: any WebClient, after cuts: [Int]) {
        self.inner = inner
        self.cuts = Mutex(cuts)
    }

    var cutsLeft: Int { cuts.withLock(\.count) }

    func send<Value: Sendable>(
        _ request: WebRequest,
        reading read: @escaping @Sendable (WebAnswer) async throws -> Value
    ) async throws -> Value {
        var request = request
        if case .pieces(let length, let next) = request.body,
            let cut = cuts.withLock({ $0.isEmpty ? nil : $0.removeFirst() })
        {
            let sent = Mutex(0)
            let origin = request.url.origin
            request.body = .pieces(length: length) {
                let piece = try await next()
                let count = sent.withLock { sent in
                    sent += piece?.count ?? 0
                    return sent
                }
                if count > cut { throw WebClientError.connectionLost(origin: origin) }
                return piece
            }
        }
        return try await inner.send(request, reading: read)
    }

    func shutdown() async { await inner.shutdown() }
}
