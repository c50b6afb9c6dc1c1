import Foundation
import Kernel
import Synchronization

/// The system's time with dates that a test moves on, or that stand still from a given one on until then.
final class Calendar: TimeSource {
    private let start: Date?
    private let passed = Mutex(Duration.zero)

    init(_ start: Date?) { self.start = start }

    var now: ContinuousClock.Instant { SystemTime().now }
    var date: Date { (start ?? Date()).addingTimeInterval(passed.withLock(\.self) / .seconds(1)) }
    var slept: Duration { SystemTime().slept }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await SystemTime().sleep(until: deadline, tolerance: tolerance)
    }

    func pass(_ time: Duration) { passed.withLock { $0 += time } }
}
