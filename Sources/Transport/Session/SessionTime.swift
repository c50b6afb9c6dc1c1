public import Foundation

/// The ways in which a session sees time, together so that a test moves them together.
public struct SessionTime: Sendable {
    /// How long to wait.
    public let clock: any Clock<Duration>
    /// How much time went by.
    public let now: @Sendable () -> ContinuousClock.Instant
    /// What time to write down.
    public let date: @Sendable () -> Date
    /// How long the machine slept in all; only differences mean something.
    public let slept: @Sendable () -> Duration

    public init(
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        date: @escaping @Sendable () -> Date,
        slept: @escaping @Sendable () -> Duration = { .zero }
    ) {
        self.clock = clock
        self.now = now
        self.date = date
        self.slept = slept
    }

    /// The system's.
    public static var system: SessionTime {
        let clock = ContinuousClock()
        let awake = SuspendingClock()
        let start = (all: clock.now, awake: awake.now)
        return SessionTime(
            clock: clock,
            now: { clock.now },
            date: { Date() },
            slept: { (clock.now - start.all) - (awake.now - start.awake) }
        )
    }
}
