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
            Counter(
                label: "chat_requests_refused",
                dimensions: [("code", "\(IMRefusal(error).failure.code.rawValue)")]
            ).increment()
            throw error
        }
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
