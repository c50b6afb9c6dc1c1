/// The last `capacity` elements seen within `lifetime`: tells a repeat from something new.
public struct ExpiringSet<Element: Hashable & Sendable>: Sendable {
    /// The most elements that are remembered, at least 1; beyond it the oldest is forgotten.
    public let capacity: Int
    /// How long an element counts as seen, from its first time on.
    public let lifetime: Duration
    private var seenAt: [Element: ContinuousClock.Instant] = [:]
    private var order: [(element: Element, at: ContinuousClock.Instant)] = []
    private var head = 0

    public init(capacity: Int, lifetime: Duration) {
        self.capacity = max(1, capacity)
        self.lifetime = lifetime
    }

    /// Elements that are remembered, those included whose lifetime is over and that no call has removed yet.
    public var count: Int { seenAt.count }

    /// True when `element` was not seen within the lifetime; it is remembered either way from `now` on
    /// only if new, so a flood of repeats cannot keep an entry alive.
    public mutating func insert(_ element: Element, now: ContinuousClock.Instant) -> Bool {
        removeExpired(now: now)
        guard seenAt[element] == nil else { return false }
        if seenAt.count >= capacity { removeOldest() }
        seenAt[element] = now
        order.append((element, now))
        return true
    }

    /// Whether `element` was seen within the lifetime before `now`.
    public func contains(_ element: Element, now: ContinuousClock.Instant) -> Bool {
        seenAt[element].map { now - $0 < lifetime } ?? false
    }

    private mutating func removeExpired(now: ContinuousClock.Instant) {
        while head < order.count, now - order[head].at >= lifetime { removeOldest() }
    }

    private mutating func removeOldest() {
        guard head < order.count else { return }
        seenAt[order[head].element] = nil
        head += 1
        // The consumed front is cut off once it is the larger part: amortised constant time.
        if head > 64, head * 2 > order.count {
            order.removeFirst(head)
            head = 0
        }
    }
}
