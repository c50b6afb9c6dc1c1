/// What a commit did; the old phone is told of it.
package struct RestoreResult: Hashable, Sendable {
    package let report: RestoreReport
    /// The way back; nil where there was no data before.
    package let undo: UndoOffer?
    /// Whether something that is not needed any more is still on the disk, until the next start.
    package let leavesRemains: Bool
}
