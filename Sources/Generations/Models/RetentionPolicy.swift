/// How long what is not needed any more is kept.
package struct RetentionPolicy: Hashable, Sendable {
    /// An earlier generation is kept so long for certain, in milliseconds.
    package var keptMilliseconds: Int64 = 7 * 86_400_000
    /// A generation that is overdue is removed this much later, in milliseconds.
    package var overdueMilliseconds: Int64 = 86_400_000
    /// What was received in part is kept so long for its transfer to go on, in milliseconds.
    package var stagedMilliseconds: Int64 = 7 * 86_400_000
    /// An earlier generation goes at once where less of the disk is free, in percent.
    package var freePercent: UInt64 = 10

    package init() {}
}
