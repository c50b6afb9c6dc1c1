import Foundation
import Kernel
import Synchronization
import Transport

/// The system's time with dates that a test moves on, or that stand still from a given one on until then.
final class Calendar: Sendable {
    private let start: Date?
    private let passed = Mutex(Duration.zero)

    init(_ start: Date?) { self.start = start }

    func pass(_ time: Duration) { passed.withLock { $0 += time } }

    var time: SessionTime {
        let system = SessionTime.system
        return SessionTime(
            clock: system.clock,
            now: system.now,
            date: { [self] in (start ?? system.date()).addingTimeInterval(passed.withLock(\.self) / .seconds(1)) },
            slept: system.slept
        )
    }
}
