/// What a package promises before it comes: the outer manifest and the header, both authenticated. Nothing in it is believed without a check
/// against what comes.
package struct RestorePlan: Hashable, Sendable {
    /// A file of a medium.
    package struct File: Hashable, Sendable {
        /// In bytes, as it is kept: sealed.
        package let size: UInt64
        /// 32 bytes.
        package let sha256: [UInt8]

        package init(size: UInt64, sha256: [UInt8]) {
            self.size = size
            self.sha256 = sha256
        }
    }

    /// The package, for people and for the report.
    package var backupID: String
    /// What a later run has to be sent to go on with: the hash of the header and the transfer's id. 1 byte to 1 KiB.
    package var binding: [UInt8]
    package var schemaVersion: Int
    /// Bytes of the archive.
    package var archiveBytes: UInt64
    /// Bytes of all files of records.
    package var recordBytes: UInt64
    /// By the entity's name.
    package var counts: [String: Int]
    /// The number of entries below `media/`.
    package var mediaFiles: Int
    /// The sum of their bytes.
    package var mediaBytes: UInt64
    /// By the path below `media/`; nil for a package of an older app, which lists none.
    package var files: [String: File]?
    /// The media that the old phone could not take along.
    package var broken: [BrokenMediumReport]

    package init(
        backupID: String,
        binding: [UInt8],
        schemaVersion: Int,
        archiveBytes: UInt64,
        recordBytes: UInt64,
        counts: [String: Int],
        mediaFiles: Int,
        mediaBytes: UInt64,
        files: [String: File]?,
        broken: [BrokenMediumReport] = []
    ) {
        self.backupID = backupID
        self.binding = binding
        self.schemaVersion = schemaVersion
        self.archiveBytes = archiveBytes
        self.recordBytes = recordBytes
        self.counts = counts
        self.mediaFiles = mediaFiles
        self.mediaBytes = mediaBytes
        self.files = files
        self.broken = broken
    }
}
