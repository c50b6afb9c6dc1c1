public import Foundation

/// A part's one source of time: how long to wait, how much time went by, and what date to write down. They come together, so that
/// a test moves them together.
public protocol TimeSource: Clock where Duration == Swift.Duration, Instant == ContinuousClock.Instant {
    /// The date to write down.
    var date: Date { get }
    /// How long the machine slept in all; only differences mean something.
    var slept: Duration { get }
}

extension TimeSource {
    /// Zero: a sleep ends at its deadline.
    public var minimumResolution: Duration { .zero }
    public var slept: Duration { .zero }

    /// Waits. A limit that a new task keeps is better a deadline, taken before the task is made: ``pause(until:)``.
    ///
    /// - Returns: False when the task was cancelled before or meanwhile.
    public func pause(for duration: Duration) async -> Bool { (try? await sleep(for: duration)) != nil }

    /// Waits until ``now`` is `deadline` or later.
    ///
    /// - Returns: False when the task was cancelled before or meanwhile.
    public func pause(until deadline: ContinuousClock.Instant) async -> Bool {
        (try? await sleep(until: deadline, tolerance: nil)) != nil
    }

    /// ``now`` as the nanoseconds that a ``TokenBucket`` counts in.
    public var ticks: UInt64 {
        let elapsed = (now - StartOfTime.ticks).components
        return UInt64(max(0, elapsed.seconds)) * 1_000_000_000
            + UInt64(max(0, elapsed.attoseconds / 1_000_000_000))
    }
}

/// Moments that times of this process are counted from.
private enum StartOfTime {
    static let all = ContinuousClock.now
    static let awake = SuspendingClock.now
    /// Long ago, so that a minute can be taken from any of the process's ticks.
    static let ticks = ContinuousClock.now - .seconds(1 << 30)
}

/// The system's time, which goes on while the machine sleeps.
public struct SystemTime: TimeSource {
    public init() {}

    /// Comparable with `ContinuousClock`'s.
    public var now: ContinuousClock.Instant { ContinuousClock.now }
    public var date: Date { Date() }
    public var slept: Duration { (now - StartOfTime.all) - (SuspendingClock.now - StartOfTime.awake) }

    /// - Throws: `CancellationError` in a cancelled task.
    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
}

/// The system's time, which stands while the machine sleeps: for limits that no sleep shall use up.
public struct AwakeTime: TimeSource {
    public init() {}

    /// Comparable with `ContinuousClock`'s of this process; behind it by what the machine slept.
    public var now: ContinuousClock.Instant { StartOfTime.all + (SuspendingClock.now - StartOfTime.awake) }
    public var date: Date { Date() }

    /// - Throws: `CancellationError` in a cancelled task.
    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let end = StartOfTime.awake + (deadline - StartOfTime.all)
        try await SuspendingClock().sleep(until: end, tolerance: tolerance)
    }
}

extension TimeSource where Self == SystemTime {
    /// The system's time, which goes on while the machine sleeps.
    public static var system: SystemTime { SystemTime() }
}

extension TimeSource where Self == AwakeTime {
    /// The system's time, which stands while the machine sleeps.
    public static var awake: AwakeTime { AwakeTime() }
}
