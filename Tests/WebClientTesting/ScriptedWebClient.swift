import Kernel
import Synchronization
public import WebClient

/// A client without a network: a test answers each request, and sees what was asked.
public final class ScriptedWebClient: WebClient {
    private let answer: @Sendable (WebRequest) async throws -> CollectedAnswer
    private let asked = Mutex<[WebRequest]>([])

    /// - Parameter answer: Given each request; its error is the request's.
    public init(_ answer: @escaping @Sendable (WebRequest) async throws -> CollectedAnswer) {
        self.answer = answer
    }

    /// Every request so far, in order.
    public var requests: [WebRequest] { asked.withLock { $0 } }

    public func send<Value: Sendable>(
        _ request: WebRequest,
        reading read: @escaping @Sendable (WebAnswer) async throws -> Value
    ) async throws -> Value {
        asked.withLock { $0.append(request) }
        return try await WebExchange(request, on: .system).run(
            open: { [answer] _ in
                let answer = try await answer(request)
                return WebExchange.Opened(
                    status: answer.status,
                    fields: answer.fields,
                    pieces: AsyncStream { pieces in
                        pieces.yield(answer.body)
                        pieces.finish()
                    }
                )
            },
            describe: { $0 },
            reading: read
        )
    }

    /// Nothing is open.
    public func shutdown() async {}
}
