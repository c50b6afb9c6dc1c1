/// What came, and what did not. It lies in the restored generation, so that it can be read later.
package struct RestoreReport: Hashable, Codable, Sendable {
    /// What the files were compared with.
    package enum Proof: String, Hashable, Codable, Sendable {
        /// Their hashes in the manifest.
        case hashes
        /// The package names none: the archive's checksums and the package's seal were all there was.
        case sealOnly
    }

    /// Entries of a list; its count says how many there are.
    package static let listLimit = 10_000

    package var backupID: String
    package var finishedAtMilliseconds: Int64
    package var schemaVersion: Int
    /// By the entity's name, and `relations`.
    package var counts: [String: Int]
    package var mediaFiles: Int
    package var mediaBytes: UInt64
    package var proof: Proof
    package var brokenCount: Int
    package var broken: [BrokenMediumReport]
    /// Files that no record names. They are kept.
    package var orphanCount: Int
    package var orphans: [String]
    /// What was put right, in the words of whoever built the database, for example how many relations stood there twice.
    package var findings: [String]
    /// Entries of the package that this version does not know; they were left out.
    package var unknownCount: Int
    package var unknown: [String]
    /// The other parts of the phone's data that came.
    package var sections: [String]

    enum CodingKeys: String, CodingKey {
        case backupID = "backupId"
        case finishedAtMilliseconds
        case schemaVersion
        case counts
        case mediaFiles
        case mediaBytes
        case proof
        case brokenCount
        case broken
        case orphanCount
        case orphans
        case findings
        case unknownCount
        case unknown
        case sections
    }
}
