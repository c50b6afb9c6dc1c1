import Foundation
import KernelTesting

/// What the features of a ``MethodHome`` work with: the system's services in memory, which note whatever they are made to do.
struct MethodServices: Sendable {
    let log = EffectLog()
    let clock: ManualClock
    let files: MemoryFiles
    let terminals: RecordingTerminals
    let notifications: RecordingDesktop
    let savedCommands = RecordingCommands()

    /// - Parameter date: What time it is there.
    init(date: Date) throws {
        clock = ManualClock(date: date)
        files = try MemoryFiles(
            [
                "Downloads": nil, "notes": nil, "notes/todo.txt": "Call Bo at nine.\n", "old": nil,
                "report.txt": "Quarterly figures\n",
            ],
            log: log
        )
        terminals = RecordingTerminals(log: log)
        notifications = RecordingDesktop(log: log)
    }
}
