import Archives
import Crypto
import Foundation

/// Reads a backup's source once and notes what a package of it is made of.
struct PackagePlanner {
    /// Bytes of a file that are read at a time, below the size above which allocators map fresh pages for each block.
    private static let piece = 64 << 10

    let source: any BackupSource
    let description: BackupDescription
    /// Told the bytes that were read of the source so far; what it throws stops the planning.
    let progress: (UInt64) throws -> Void

    private var readBytes: UInt64 = 0
    private var files: [PackagePlan.File] = []
    private var broken: [BrokenMedium] = []
    private var orphanCount = 0
    private var sectionFiles: [PackagePlan.SectionFile] = []

    init(source: any BackupSource, description: BackupDescription, progress: @escaping (UInt64) throws -> Void) {
        self.source = source
        self.description = description
        self.progress = progress
    }

    /// The plan, still without the header and the sealed key.
    ///
    /// - Throws: ``ContainerError``, `ArchiveError`, and what the source throws for anything but a single file.
    mutating func plan() throws -> PackagePlan {
        var records: [RecordText] = []
        for entity in MigrationEntity.allCases {
            let left = RecordText.maximumTotal - records.reduce(0) { $0 + $1.size }
            records.append(try RecordText(of: entity, in: source, limit: left))
            try report(records[records.count - 1].size)
        }
        try source.readMedia { try add($0) }
        // One order for one set of files, whichever the source has.
        files.sort { $0.medium.path < $1.medium.path }
        let sections = try source.sections().map { try add($0) }
        // The checksum, the keys and the size take less than this beside the path.
        let listBytes = files.reduce(0) { $0 + $1.entryPath.utf8.count + 128 }
        let isListed = files.count <= Manifest.maximumListedFiles && listBytes <= Manifest.maximumListBytes
        let manifest = Manifest(
            description: description,
            counts: Dictionary(uniqueKeysWithValues: records.map { ($0.entity, $0.recordCount) }),
            media: Manifest.MediaStats(
                totalFiles: files.count,
                totalBytes: files.reduce(0) { $0 + $1.status.size }
            ),
            broken: broken.sorted { ($0.mediaId, $0.fileName) < ($1.mediaId, $1.fileName) },
            orphanCount: orphanCount,
            files: isListed ? files.map { ManifestFile($0) } : nil,
            sections: sections
        )
        return PackagePlan(
            description: description,
            manifest: manifest,
            records: records,
            files: files,
            fileList: isListed ? nil : try FileListText(files),
            sectionFiles: sectionFiles,
            sealedMasterKey: [],
            header: []
        )
    }

    private mutating func add(_ medium: BackupMedium) throws {
        _ = try ArchiveName("media/\(medium.path)")
        do {
            let file = try source.open(medium)
            let status = try file.status()
            guard status.size > 0 else { return note(medium, .empty) }
            guard medium.size == nil || medium.size == status.size else { return note(medium, .sizeMismatch) }
            let digest = try medium.digest ?? self.digest(of: file, size: status.size)
            guard digest.sha256.count == 32 else { throw ContainerError.invalidArgument("digest") }
            // What is hashed and what is sent must be one state of the file.
            guard try file.status() == status else { return note(medium, .readError) }
            files.append(PackagePlan.File(medium: medium, status: status, digest: digest))
            if medium.mediaID == nil { orphanCount += 1 }
        } catch let error as BackupFileError {
            note(medium, error == .notFound ? .fileNotFound : .readError)
        }
    }

    /// Notes a section's files. Each of them has to be there: half a section is none.
    private mutating func add(_ section: BackupSection) throws -> ManifestSection {
        guard BackupSection.isName(section.name), section.version > 0, !section.paths.isEmpty else {
            throw ContainerError.invalidArgument("section")
        }
        var sum = SectionSum()
        for path in section.paths {
            let entryPath = "\(BackupSection.folder)\(section.name)/\(path)"
            _ = try ArchiveName(entryPath)
            do {
                let file = try source.open(path, of: section)
                let status = try file.status()
                let digest = try self.digest(of: file, size: status.size)
                guard try file.status() == status else { throw BackupFileError.unreadable }
                sum.add(path, size: status.size, sha256: digest.sha256)
                sectionFiles.append(
                    PackagePlan.SectionFile(section: section, path: path, status: status, digest: digest)
                )
            } catch is BackupFileError {
                throw ContainerError.sourceChanged(entryPath)
            }
        }
        return sum.entry(named: section.name, version: section.version)
    }

    private mutating func note(_ medium: BackupMedium, _ reason: BrokenMedium.Reason) {
        let name = medium.path.split(separator: "/").last.map(String.init) ?? medium.path
        broken.append(BrokenMedium(mediaId: medium.mediaID ?? "", fileName: name, reason: reason))
    }

    private mutating func digest(of file: any BackupFile, size: UInt64) throws -> MediumDigest {
        var hash = SHA256()
        var checksum = CRC32()
        var offset: UInt64 = 0
        while offset < size {
            let bytes = try file.read(at: offset, count: Int(min(UInt64(Self.piece), size - offset)))
            guard !bytes.isEmpty else { throw BackupFileError.unreadable }
            hash.update(data: bytes)
            checksum.update(bytes)
            offset += UInt64(bytes.count)
            try report(UInt64(bytes.count))
        }
        return MediumDigest(sha256: Array(hash.finalize()), crc32: checksum.value)
    }

    private mutating func report(_ bytes: UInt64) throws {
        readBytes += bytes
        try progress(readBytes)
    }
}
