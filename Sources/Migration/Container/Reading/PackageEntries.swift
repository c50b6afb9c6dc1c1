import Archives
import Crypto
import Foundation
import Kernel

/// Checks the entries of a package's archive while they come, and hands what they hold to a sink.
struct PackageEntries {
    private let sink: any RestoreSink
    private let outerManifest: JSONValue?
    private let schemaVersion: Int?
    private let openMasterKey: ([UInt8]) throws -> [UInt8]
    private var manifest: Manifest?
    private var hasMasterKey = false
    private(set) var counts: [MigrationEntity: Int] = [:]
    private var recordBytes: UInt64 = 0
    private var fileCount = 0
    private var fileBytes: UInt64 = 0
    private var files = FileListCheck()
    private var sections: SectionEntries?

    init(
        sink: any RestoreSink,
        outerManifest: JSONValue?,
        schemaVersion: Int?,
        openMasterKey: @escaping ([UInt8]) throws -> [UInt8]
    ) {
        self.sink = sink
        self.outerManifest = outerManifest
        self.schemaVersion = schemaVersion
        self.openMasterKey = openMasterKey
    }

    var hasFileList: Bool { files.isListed }

    /// Takes the entry that the reader stands at.
    ///
    /// - Parameter name: Its name, below the folder that the archive's entries have in common.
    /// - Throws: ``ContainerError``, and what the reader and the sink throw.
    mutating func take(_ entry: ArchiveEntry, named name: String, from reader: ArchiveReader) throws {
        guard !entry.isFolder else { return }
        if name == "manifest.json" {
            guard manifest == nil else { throw ContainerError.unexpectedEntry(name) }
            return try takeManifest(try Self.whole(reader, limit: ManifestCopies.maximumByteCount))
        }
        guard let manifest = manifest else { throw ContainerError.missingEntry("manifest.json") }
        if name == "security/master_key.bin" {
            let sealed = try Self.whole(reader, limit: 1 << 16)
            hasMasterKey = true
            return try sink.take(masterKey: try openMasterKey(sealed))
        }
        if let entity = MigrationEntity.allCases.first(where: { $0.path == name }) {
            return try takeRecords(of: entity, reader)
        }
        if name == Manifest.fileListPath, manifest.integrity.files == name { return try takeFileList(reader) }
        // Sections that the manifest does not list, like all that a later version adds, are passed over.
        if name.hasPrefix(BackupSection.folder), manifest.sections != nil {
            guard counts.count == MigrationEntity.allCases.count, fileCount == 0 else {
                throw ContainerError.unexpectedEntry(name)
            }
            try sections?.take(name, entry, from: reader, into: sink)
        }
        if name.hasPrefix("media/") { try takeFile(name, entry, reader) }
    }

    private mutating func takeManifest(_ bytes: [UInt8]) throws {
        let inner = try ManifestCopies.read(bytes)
        if let outerManifest { try ManifestCopies.check(outer: outerManifest, inner: inner) }
        let manifest = try Manifest(inner)
        if let schemaVersion { try manifest.check(announcedSchemaVersion: schemaVersion) }
        if let listed = manifest.files {
            files.begin()
            for file in listed { try files.add(file) }
        }
        self.manifest = manifest
        sections = SectionEntries(manifest)
        try sink.begin(manifest)
    }

    private mutating func takeRecords(of entity: MigrationEntity, _ reader: ArchiveReader) throws {
        // Each stands behind those that its records point to.
        guard hasMasterKey, counts.count < MigrationEntity.allCases.count,
            entity == MigrationEntity.allCases[counts.count]
        else { throw ContainerError.unexpectedEntry(entity.path) }
        var records = RecordArrayReader(path: entity.path)
        while let bytes = try reader.readPiece() {
            recordBytes += UInt64(bytes.count)
            guard recordBytes <= RecordText.maximumTotal else {
                throw ContainerError.recordsTooLarge(entity.path)
            }
            try records.append(bytes) { [sink] in try sink.take(recordText: $0, of: entity) }
        }
        try records.finish()
        if let key = entity.statsKey, manifest?.entityStats[key]?.count != records.count {
            throw ContainerError.countMismatch(entity.path)
        }
        counts[entity] = records.count
    }

    /// A line for each file; a line is a path of at most 1024 bytes and numbers.
    private mutating func takeFileList(_ reader: ArchiveReader) throws {
        guard !files.isListed, fileCount == 0 else {
            throw ContainerError.unexpectedEntry(Manifest.fileListPath)
        }
        files.begin()
        var line: [UInt8] = []
        while let bytes = try reader.readPiece() {
            for part in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
                if part.offset > 0 { try takeLine(&line) }
                line += part.element
                guard line.count <= 8192 else { throw ContainerError.malformedManifest }
            }
        }
        guard line.isEmpty else { throw ContainerError.malformedManifest }
    }

    private mutating func takeLine(_ line: inout [UInt8]) throws {
        guard let file = try? JSONValue(parsing: line).decode(as: ManifestFile.self) else {
            throw ContainerError.malformedManifest
        }
        try files.add(file)
        line.removeAll(keepingCapacity: true)
    }

    private mutating func takeFile(_ name: String, _ entry: ArchiveEntry, _ reader: ArchiveReader) throws {
        guard counts.count == MigrationEntity.allCases.count, let size = entry.size,
            manifest?.integrity.files == nil || files.isListed
        else { throw ContainerError.unexpectedEntry(name) }
        let path = String(name.dropFirst("media/".utf8.count))
        try sink.beginFile(path, size: size, at: entry.place.map { FilePlace($0) })
        var hash = SHA256()
        while let bytes = try reader.readPiece() {
            if files.isListed { hash.update(data: bytes) }
            try sink.take(fileBytes: bytes)
        }
        try files.take(name, size: size, sha256: hash.finalize())
        fileCount += 1
        fileBytes += size
        try sink.endFile()
    }

    /// Says that there are no more entries.
    ///
    /// - Throws: ``ContainerError/missingEntry(_:)``, ``ContainerError/countMismatch(_:)``.
    func finish() throws(ContainerError) -> Manifest {
        guard let manifest = manifest else { throw .missingEntry("manifest.json") }
        guard hasMasterKey else { throw .missingEntry("security/master_key.bin") }
        if counts.count < MigrationEntity.allCases.count {
            throw .missingEntry(MigrationEntity.allCases[counts.count].path)
        }
        guard sections?.isComplete == true else { throw .missingEntry(BackupSection.folder) }
        if manifest.integrity.files != nil, !files.isListed { throw .missingEntry(Manifest.fileListPath) }
        guard files.missingCount == 0, fileCount == manifest.mediaStats.totalFiles,
            fileBytes == manifest.mediaStats.totalBytes
        else { throw .countMismatch("media") }
        return manifest
    }

    /// The body of a small entry.
    private static func whole(_ reader: ArchiveReader, limit: Int) throws -> [UInt8] {
        var whole: [UInt8] = []
        while let bytes = try reader.readPiece() {
            guard whole.count + bytes.count <= limit else { throw ContainerError.manifestTooLarge(limit: limit) }
            whole += bytes
        }
        return whole
    }
}
