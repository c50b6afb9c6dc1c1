import Foundation
import Kernel
import Synchronization

/// The system's time with dates that a test moves on.
final class Calendar: TimeSource {
    private let passed = Mutex(Duration.zero)

    var now: ContinuousClock.Instant { SystemTime().now }
    var date: Date { Date().addingTimeInterval(passed.withLock(\.self) / .seconds(1)) }
    var slept: Duration { SystemTime().slept }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await SystemTime().sleep(until: deadline, tolerance: tolerance)
    }

    func pass(_ time: Duration) { passed.withLock { $0 += time } }
}
