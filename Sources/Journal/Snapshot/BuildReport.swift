/// What became of the records that a journal was built of.
package struct BuildReport: Hashable, Sendable {
    package var counts = JournalCounts()
    /// Relations that were there twice.
    package var droppedRelations = 0
    /// Categories whose level was another one than their parents say.
    package var correctedLevels = 0
    /// Settings that belong to the device that they came from.
    package var skippedSettings = 0
    /// Media whose story is not there. They stay, in no story.
    package var detachedMedia = 0
    /// Media whose file is not there. Their records stay. At most ``JournalLimits/problems`` of ``brokenCount``.
    package var broken: [BrokenMedium] = []
    package var brokenCount = 0
    /// Files that no record names. They stay. At most ``JournalLimits/problems`` of ``orphanCount``.
    package var orphans: [MediaPath] = []
    package var orphanCount = 0
}
