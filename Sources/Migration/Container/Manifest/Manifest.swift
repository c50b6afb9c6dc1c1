import Foundation
public import Kernel

/// A package's list of contents. Unknown keys are ignored, and keys that a later version added are optional. Source: `docs/protocol.md` 2.13.
public struct Manifest: Codable, Hashable, Sendable {
    public struct EntityCount: Codable, Hashable, Sendable {
        public let count: Int

        public init(count: Int) { self.count = count }
    }

    public struct MediaStats: Codable, Hashable, Sendable {
        /// Entries below `media/`.
        public let totalFiles: Int
        /// Bytes of these, as they are sealed.
        public let totalBytes: UInt64

        public init(totalFiles: Int, totalBytes: UInt64) {
            self.totalFiles = totalFiles
            self.totalBytes = totalBytes
        }
    }

    public struct Integrity: Codable, Hashable, Sendable {
        /// Bytes of the archive; 0 in the copy inside of it.
        public var zipSize: UInt64
        /// Of the archive, in hexadecimal digits; empty in the copy inside, and while it is not known.
        public var zipSHA256: String
        public var hashAlgorithm: String
        /// The entry that lists the files, where there are too many for the manifest.
        public var files: String?
    }

    public struct Options: Codable, Hashable, Sendable {
        public let hasBrokenMedia: Bool
        public let brokenMediaCount: Int
        /// Files that no record names; they are in the package too.
        public let orphanFileCount: Int?
    }

    /// The entry of the list of files beyond ``maximumListedFiles``: a ``ManifestFile`` a line.
    public static let fileListPath = "files.jsonl"
    /// Files that the manifest itself lists.
    public static let maximumListedFiles = 10_000
    /// Bytes of the manifest's own list of files. A manifest travels in one message of at most a mebibyte.
    static let maximumListBytes = 400 << 10
    /// Files that could not be taken and are named one by one; the count is complete.
    static let maximumBrokenMedia = 1000

    public var backupId: String
    /// For a person to read; only ``schemaVersion`` decides.
    public var appVersion: String
    public var schemaVersion: Int
    /// Seconds since 1970-01-01T00:00:00Z.
    public var createdAt: Int64
    /// By ``MigrationEntity/statsKey``.
    public var entityStats: [String: EntityCount]
    public var mediaStats: MediaStats
    public var integrity: Integrity
    public var options: Options
    public var brokenMedia: [BrokenMedium]?
    public var files: [ManifestFile]?
    /// The parts of the device's other data; nil in a package of records and media only.
    public var sections: [ManifestSection]?

    /// Reads a copy, and checks that this program knows what it describes.
    ///
    /// - Throws: What ``ManifestCopies/read(_:)`` and ``MigrationSchema/check(_:)`` throw, ``ContainerError/malformedManifest``.
    public init(_ value: JSONValue) throws(ContainerError) {
        // The version decides before the shape: that of a newer one may differ.
        if case .integer(let version)? = value["schemaVersion"], let version = Int(exactly: version) {
            try MigrationSchema.check(version)
        }
        guard let manifest = try? value.decode(as: Manifest.self),
            manifest.entityStats.values.allSatisfy({ $0.count >= 0 }), manifest.mediaStats.totalFiles >= 0,
            manifest.files?.count ?? 0 <= Self.maximumListedFiles,
            manifest.integrity.files == nil || manifest.integrity.files == Self.fileListPath,
            Self.areSound(manifest.sections ?? [])
        else { throw .malformedManifest }
        self = manifest
    }

    init(
        description: BackupDescription,
        counts: [MigrationEntity: Int],
        media: MediaStats,
        broken: [BrokenMedium],
        orphanCount: Int,
        files: [ManifestFile]?,
        sections: [ManifestSection]
    ) {
        backupId = description.backupID.uuidString.lowercased()
        appVersion = description.appVersion
        schemaVersion = MigrationSchema.current
        createdAt = description.createdAt
        entityStats = [:]
        for entity in MigrationEntity.allCases {
            if let key = entity.statsKey { entityStats[key] = EntityCount(count: counts[entity] ?? 0) }
        }
        mediaStats = media
        integrity = Integrity(
            zipSize: 0,
            zipSHA256: "",
            hashAlgorithm: "SHA256",
            files: files == nil ? Self.fileListPath : nil
        )
        options = Options(
            hasBrokenMedia: !broken.isEmpty,
            brokenMediaCount: broken.count,
            orphanFileCount: orphanCount
        )
        brokenMedia = broken.isEmpty ? nil : Array(broken.prefix(Self.maximumBrokenMedia))
        self.files = files
        self.sections = sections.isEmpty ? nil : sections
    }

    private static func areSound(_ sections: [ManifestSection]) -> Bool {
        sections.count <= ManifestSection.maximumCount && Set(sections.map(\.name)).count == sections.count
            && sections.allSatisfy(\.isSound)
    }

    /// The versions that the handshake and the announcement named must be the manifest's.
    ///
    /// - Throws: ``ContainerError/schemaVersionsDiffer``.
    public func check(announcedSchemaVersion version: Int) throws(ContainerError) {
        guard version == schemaVersion else { throw .schemaVersionsDiffer }
    }

    /// The copy that stands in the archive, or with real values the one that travels before it.
    func bytes() throws -> [UInt8] { try JSONValue(encoding: self).canonicalBytes }
}
