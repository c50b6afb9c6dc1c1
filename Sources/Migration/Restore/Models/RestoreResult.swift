/// What a commit did; the old phone is told of it.
package struct RestoreResult: Hashable, Sendable {
    package let report: RestoreReport
    /// The way back; nil where there was no data before.
    package let undo: UndoOffer?
    /// Whether something that is not needed any more is still on the disk, until the next start.
    package let leavesRemains: Bool
}

/// The way back to the data that was replaced.
package struct UndoOffer: Hashable, Sendable {
    /// Until then it is there for certain, unless the disk gets full. Milliseconds since 1970-01-01T00:00:00Z.
    package let untilMilliseconds: Int64
    /// When the data was replaced.
    package let sinceMilliseconds: Int64
    /// Stories and other records written since, which going back hides; nil where nobody counted.
    package let changesSince: Int?
}
