/// Allows bursts up to `capacity` and `refillPerSecond` on average. A value: its owner keeps it.
public struct TokenBucket: Sendable {
    /// The most tokens that can be saved up: the size of a burst. Infinite for no limit.
    public let capacity: Double
    /// Tokens that come back each second.
    public let refillPerSecond: Double
    private var tokens: Double
    private var refilledAtNanoseconds: UInt64

    /// - Parameter now: Any monotonic clock's nanoseconds; the same clock for every later call.
    public init(capacity: Double, refillPerSecond: Double, now: UInt64) {
        self.capacity = capacity
        self.refillPerSecond = refillPerSecond
        tokens = capacity
        refilledAtNanoseconds = now
    }

    /// Takes `count` tokens, or none at all when there are fewer.
    public mutating func take(_ count: Double = 1, now: UInt64) -> Bool {
        if now > refilledAtNanoseconds {
            let elapsed = Double(now - refilledAtNanoseconds) / 1e9
            tokens = min(capacity, tokens + elapsed * refillPerSecond)
            refilledAtNanoseconds = now
        }
        guard tokens >= count else { return false }
        tokens -= count
        return true
    }

    /// Takes `count` tokens even when there are fewer, going into debt: for what has already happened.
    ///
    /// - Parameter deepest: The largest debt: what would go beyond it is forgiven.
    /// - Returns: Nanoseconds until the debt is paid, 0 when there is none.
    public mutating func spend(_ count: Double, now: UInt64, deepest: Double = .infinity) -> UInt64 {
        // Without a limit there is nothing to count, and infinity minus infinity is no number.
        guard capacity.isFinite else { return 0 }
        _ = take(0, now: now)
        tokens = max(tokens - count, -deepest)
        guard tokens < 0 else { return 0 }
        let wait = -tokens / refillPerSecond * 1e9
        return wait < 9e18 ? UInt64(wait) : .max
    }

    /// Whether ``take(_:now:)`` would succeed.
    public func holds(_ count: Double, now: UInt64) -> Bool {
        var copy = self
        return copy.take(count, now: now)
    }

    /// Nanoseconds until ``take(_:now:)`` would succeed, 0 when it does now.
    public func wait(for count: Double, now: UInt64) -> UInt64 {
        let elapsed = now > refilledAtNanoseconds ? Double(now - refilledAtNanoseconds) / 1e9 : 0
        let missing = count - min(capacity, tokens + elapsed * refillPerSecond)
        guard missing > 0 else { return 0 }
        let wait = count > capacity ? .infinity : (missing / refillPerSecond * 1e9).rounded(.up)
        return wait < 9e18 ? UInt64(wait) : .max
    }

    /// A full bucket says nothing its owner would miss, so it may be forgotten.
    public func isFull(now: UInt64) -> Bool {
        let elapsed = now > refilledAtNanoseconds ? Double(now - refilledAtNanoseconds) / 1e9 : 0
        return tokens + elapsed * refillPerSecond >= capacity
    }
}
