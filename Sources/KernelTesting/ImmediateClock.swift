public import Foundation
public import Kernel

/// Ends every sleep at once, after letting other tasks run, and moves ``now`` on by what was slept. Its date stands.
public final class ImmediateClock: TimeSource {
    private let manual = ManualClock()
    public let date: Date

    public init(date: Date = Date(timeIntervalSince1970: 1_790_000_000)) { self.date = date }

    public var now: ContinuousClock.Instant { manual.now }

    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        await Task.yield()
        manual.move(to: deadline)
    }
}
