import Kernel

/// A token bucket for each key, such as an address. A value: its owner keeps it.
struct KeyedBuckets: Sendable {
    /// Keys that are told apart; the others share one bucket, since a flood of keys must not take the memory.
    private static let limit = 10_000

    private let capacity: Double
    private let refillPerSecond: Double
    private var buckets: [String: TokenBucket] = [:]

    init(capacity: Double, refillPerSecond: Double) {
        self.capacity = capacity
        self.refillPerSecond = refillPerSecond
    }

    /// Takes a token of a key.
    ///
    /// - Returns: How long to wait for one where there is none; nil where it was taken.
    mutating func take(_ key: String, now: UInt64) -> Duration? {
        var name = key
        if buckets[name] == nil, buckets.count >= Self.limit {
            buckets = buckets.filter { !$0.value.isFull(now: now) }
            if buckets.count >= Self.limit { name = "" }
        }
        var bucket =
            buckets[name] ?? TokenBucket(capacity: capacity, refillPerSecond: refillPerSecond, now: now)
        defer { buckets[name] = bucket }
        return bucket.take(now: now) ? nil : .nanoseconds(Int64(clamping: bucket.wait(for: 1, now: now)))
    }
}
