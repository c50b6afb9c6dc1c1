/// What came, and what did not. It lies in the restored generation, so that it can be read later.
package struct RestoreReport: Hashable, Codable, Sendable {
    /// What the files were compared with.
    package enum Proof: String, Hashable, Codable, Sendable {
        /// Their checksums in the manifest.
        case checksums
        /// The package lists none: its seals and the archive's checksums were all there was.
        case sealsOnly
    }

    /// Members of a list; its count says how many there are.
    package static let listLimit = 1000

    package var backupID: String
    /// Milliseconds since 1970-01-01T00:00:00Z, by this device's clock.
    package var finishedAtMilliseconds: Int64
    /// Records by their table.
    package var counts: [String: Int]
    package var mediaFiles: Int
    package var mediaBytes: UInt64
    package var proof: Proof
    package var lostCount: Int
    package var lost: [LostMedium]
    /// Files that no record names. They are kept.
    package var orphanCount: Int
    package var orphans: [String]
    /// Records that were left out, by their table: relations that stood there twice, settings of the old device itself.
    package var leftOut: [String: Int]

    enum CodingKeys: String, CodingKey {
        case backupID = "backupId"
        case finishedAtMilliseconds
        case counts
        case mediaFiles
        case mediaBytes
        case proof
        case lostCount
        case lost
        case orphanCount
        case orphans
        case leftOut
    }
}
