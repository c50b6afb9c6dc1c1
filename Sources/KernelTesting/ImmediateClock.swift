/// Ends every sleep at once, after letting other tasks run, and moves its time on by what was slept.
public final class ImmediateClock: Clock, Sendable {
    /// Comparable with the system's continuous clock.
    public typealias Instant = ContinuousClock.Instant

    private let manual = ManualClock()

    public init() {}

    /// The time at which it was made, and all that was slept since.
    public var now: Instant { manual.now }
    /// Zero: a sleep ends exactly at its deadline.
    public var minimumResolution: Duration { .zero }

    /// Moves ``now`` to `deadline`, if that is later.
    ///
    /// - Throws: `CancellationError` in a cancelled task.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        await Task.yield()
        manual.move(to: deadline)
    }
}
