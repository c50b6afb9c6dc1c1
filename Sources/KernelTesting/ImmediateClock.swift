/// Ends every sleep at once, after letting other tasks run, and moves its time on by what was slept.
public final class ImmediateClock: Clock, Sendable {
    public typealias Instant = ContinuousClock.Instant

    private let manual = ManualClock()

    public init() {}

    public var now: Instant { manual.now }
    public var minimumResolution: Duration { .zero }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        await Task.yield()
        manual.move(to: deadline)
    }
}
