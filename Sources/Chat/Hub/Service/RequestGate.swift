import Accounts
import AccountsHub
import Kernel
import Metrics

/// What stands before each request of a person, by HTTP and on a socket: a rate for those that are no messages, which have their own, and counts of
/// what was refused.
struct RequestGate: Sendable {
    private let limits: SendingLimits
    private let time: any TimeSource

    init(_ settings: ChatHubSettings, time: any TimeSource) {
        limits = SendingLimits(burst: settings.requestBurst, perSecond: settings.requestsPerSecond)
        self.time = time
    }

    /// - Throws: ``ChatHubError/tooOften(milliseconds:)``; what the request's answer throws.
    func answer(_ request: ServedRequest, _ json: JSONValue, _ asker: Asker) async throws -> JSONValue {
        do {
            try pass(asker, weight: request.weight)
            return try await request.answer(json, asker)
        } catch {
            Self.count(refusal: error)
            throw error
        }
    }

    /// Begins to answer a request that can do without waiting. Only messages can, whose rate is not this one.
    ///
    /// - Parameter done: As of ``ServedRequest/Begin``.
    /// - Returns: False where it has to be waited for: then nothing has happened.
    /// - Throws: What the request's answer throws; then `done` is not called.
    func begin(
        _ request: ServedRequest,
        _ json: JSONValue,
        _ asker: Asker,
        done: @escaping @Sendable (Result<JSONValue, any Error>) -> Void
    ) throws -> Bool {
        guard let begin = request.begin, request.weight == 0 else { return false }
        do {
            return try begin(json, asker) { answer in
                if case .failure(let error) = answer { Self.count(refusal: error) }
                done(answer)
            }
        } catch {
            Self.count(refusal: error)
            throw error
        }
    }

    private static func count(refusal error: any Error) {
        Counter(
            label: "chat_requests_refused",
            dimensions: [("code", "\(IMRefusal(error).failure.code.rawValue)")]
        ).increment()
    }

    /// Counts something of the person's that is no request of the list.
    ///
    /// - Throws: ``ChatHubError/tooOften(milliseconds:)``.
    func pass(_ asker: Asker, weight: Int = 1) throws(ChatHubError) {
        guard weight > 0 else { return }
        if let wait = limits.take(asker.person, Double(weight), ticks: time.ticks) {
            throw .tooOften(milliseconds: wait)
        }
    }
}
