import Accounts
import Kernel
import Synchronization

/// How fast people send: one bucket a person, kept while it is not full.
final class SendingLimits: Sendable {
    private static let bucketLimit = 20_000

    private struct State {
        var buckets: [UserID: TokenBucket] = [:]
        /// So many buckets, and the full ones are let go of: twice what was left the last time, so that a crowd does not pay with each message.
        var sweepCount = SendingLimits.bucketLimit
    }

    private let state = Mutex(State())
    private let burst: Double
    private let perSecond: Double

    init(burst: Double, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
    }

    /// - Parameter count: At most the burst.
    /// - Returns: Milliseconds to wait; nil where the person may go on.
    func take(_ person: UserID, _ count: Double = 1, ticks: UInt64) -> Int64? {
        with(person, ticks) { bucket in
            let count = min(count, burst)
            return bucket.take(count, now: ticks) ? nil : Int64(bucket.wait(for: count, now: ticks) / 1_000_000) + 1
        }
    }

    func mayTake(_ person: UserID, ticks: UInt64) -> Bool { with(person, ticks) { $0.holds(1, now: ticks) } }

    /// Counts what has happened already.
    func spend(_ person: UserID, ticks: UInt64) { _ = with(person, ticks) { $0.spend(1, now: ticks, deepest: burst) } }

    private func with<Answer>(_ person: UserID, _ ticks: UInt64, _ body: (inout TokenBucket) -> Answer) -> Answer {
        state.withLock { state in
            if state.buckets.count >= state.sweepCount {
                state.buckets = state.buckets.filter { !$0.value.isFull(now: ticks) }
                state.sweepCount = max(Self.bucketLimit, state.buckets.count * 2)
            }
            let fresh = TokenBucket(capacity: burst, refillPerSecond: perSecond, now: ticks)
            return body(&state.buckets[person, default: fresh])
        }
    }
}
