public import Foundation
public import Kernel

/// Ends every sleep at once, after letting other tasks run, and moves ``now`` on by what was slept. Its date stands.
public final class ImmediateClock: TimeSource {
    private let manual = ManualClock()
    /// The date that was given when it was made.
    public let date: Date

    public init(date: Date = Date(timeIntervalSince1970: 1_790_000_000)) { self.date = date }

    /// The time at which it was made, and all that was slept since.
    public var now: ContinuousClock.Instant { manual.now }

    /// Moves ``now`` to `deadline`, if that is later.
    ///
    /// - Throws: `CancellationError` in a cancelled task.
    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        await Task.yield()
        manual.move(to: deadline)
    }
}
