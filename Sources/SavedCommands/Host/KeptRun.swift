import Kernel
import SavedCommands

/// A run as the computer keeps it: what its phone is told, and which phone that is.
struct KeptRun: Hashable, Sendable {
    var run: CommandRun
    /// A `Caller.id`.
    let device: String
    /// The phone's name when it began the run.
    let deviceName: String

    /// What the owner is told.
    var owned: OwnedRun {
        OwnedRun(
            run: run.id,
            id: run.command,
            name: run.name,
            device: device,
            deviceName: deviceName,
            startedAt: run.startedAt,
            endedAt: run.endedAt,
            end: run.end.map { OwnedRun.End($0) },
            printed: run.printedCount
        )
    }
}
