import Generations
import MigrationContainer

/// The space that a restore takes while the old data is still there. Source: `docs/migration.md`, "Space".
enum RestoreSpace {
    private static let reserve: UInt64 = 200 << 20
    /// Bytes of files between two looks at the free space.
    static let interval: UInt64 = 64 << 20
    /// Larger packages are none: no disk has 8 EiB.
    private static let limit = UInt64(Int64.max)

    /// The archive and 2 % of it, 1.6 times its records for the database, and 200 MiB.
    ///
    /// - Throws: ``RestoreError/impossibleSize``.
    static func needed(for plan: RestorePlan) throws(RestoreError) -> UInt64 {
        let media = plan.manifest.mediaStats.totalBytes
        guard plan.archiveBytes <= limit, media <= plan.archiveBytes else { throw .impossibleSize }
        // What is no file is records, but for a few headers.
        let records = plan.archiveBytes - media
        var sum: UInt64 = 0
        for part in [plan.archiveBytes, plan.archiveBytes / 50, records, records / 5 * 3, reserve] {
            let (next, overflow) = sum.addingReportingOverflow(part)
            guard !overflow, next <= limit else { throw .impossibleSize }
            sum = next
        }
        return sum
    }

    /// Bytes that a package and its files both have while it gives back what they have: files that are not noted yet, and those whose space is
    /// being given back.
    private static let heldTwice = 2 * StagedFiles.interval

    /// - Parameter staged: Bytes that are on the disk already.
    static func check(_ plan: RestorePlan, staged: UInt64, room: DiskRoom) throws(RestoreError) {
        let needed = try needed(for: plan)
        var missing = needed > staged ? needed - staged : 0
        if plan.isGivenBack {
            let media = plan.manifest.mediaStats.totalBytes
            let coming = media > staged ? media - staged : 0
            // Each file takes the space that the package gives back for it.
            missing -= min(missing, coming - min(coming, heldTwice))
        }
        guard missing <= room.free else { throw .diskFull(needed: missing, free: room.free) }
    }
}
