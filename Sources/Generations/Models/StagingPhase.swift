/// How far a generation is, in order. Source: the states of `restore.journal`, `docs/migration.md`.
package enum StagingPhase: UInt8, Hashable, Sendable, Comparable {
    /// Data comes in.
    case preparing = 1
    /// All of it is there.
    case staged = 3
    /// It was checked, its key is kept, and all of it is on the disk.
    case verified = 4
    /// `CURRENT` names it.
    case committed = 5
    /// What it replaced is put away.
    case cleaned = 6

    package static func < (left: StagingPhase, right: StagingPhase) -> Bool { left.rawValue < right.rawValue }
}
