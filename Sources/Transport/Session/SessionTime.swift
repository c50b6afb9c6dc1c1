public import Foundation

/// The three ways in which a session sees time, together so that a test moves them together.
public struct SessionTime: Sendable {
    /// How long to wait.
    public let clock: any Clock<Duration>
    /// How much time went by.
    public let now: @Sendable () -> ContinuousClock.Instant
    /// What time to write down.
    public let date: @Sendable () -> Date

    public init(
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        date: @escaping @Sendable () -> Date
    ) {
        self.clock = clock
        self.now = now
        self.date = date
    }

    /// The system's.
    public static var system: SessionTime {
        let clock = ContinuousClock()
        return SessionTime(clock: clock, now: { clock.now }, date: { Date() })
    }
}
