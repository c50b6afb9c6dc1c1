import Dispatch
import Synchronization

/// Notices that the machine slept, or that the process was stopped for long.
///
/// The timers that everything else waits on stand still while the machine sleeps. This one goes by the wall clock, so after a sleep of
/// more than its period it rings at once. Shorter sleeps leave connections as they were: servers wait a minute for a sign of life.
public enum SuspensionWatch {
    /// The time between two looks at the clock.
    public static let period = Duration.seconds(30)
    /// How much later than that a look may be without meaning anything: the system gathers timers.
    static let tolerance = Duration.seconds(10)

    private final class State: Sendable {
        let last: Mutex<ContinuousClock.Instant>

        init(_ now: ContinuousClock.Instant) { last = Mutex(now) }

        /// Whether more time went by since the look before than the timer's.
        func isLate(_ now: ContinuousClock.Instant) -> Bool {
            last.withLock { last in
                defer { last = now }
                return SuspensionWatch.isSleep(now - last)
            }
        }
    }

    static func isSleep(_ elapsed: Duration) -> Bool { elapsed > period + tolerance }

    /// Each time that it happened, from now on.
    public static func resumes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let state = State(ContinuousClock().now)
        let seconds = Int(period.components.seconds)
        // Set up here and only cancelled later, which dispatch allows from any thread.
        nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(wallDeadline: .now() + .seconds(seconds), repeating: .seconds(seconds), leeway: .seconds(5))
        timer.setEventHandler { if state.isLate(ContinuousClock().now) { continuation.yield() } }
        continuation.onTermination = { _ in timer.cancel() }
        timer.resume()
        return stream
    }
}
