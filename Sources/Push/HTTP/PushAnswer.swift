import Foundation

/// The parts of a push service's answer that are read. Its body and its `Location` are not.
struct PushAnswer: Hashable, Sendable {
    let status: Int
    /// The `Retry-After` field as it was sent.
    let retryAfter: String?

    /// - Parameter now: When the answer came.
    func outcome(now: Date) -> PushOutcome {
        switch status {
        case 200, 201, 202: .accepted
        case 404, 410: .gone
        case 413: .tooLarge
        case 429, 500...599: .later(after: retryAfter.flatMap { RetryAfter.parse($0, now: now) })
        default: .refused(status: status)
        }
    }
}
