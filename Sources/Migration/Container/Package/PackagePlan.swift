import Archives

/// What a package is made of, byte for byte. With the same source it makes the same package, also after the program was started again: it is
/// `Codable` to be kept beside the frozen source. It holds no key.
public struct PackagePlan: Codable, Hashable, Sendable {
    /// A file that is in the package.
    struct File: Codable, Hashable, Sendable {
        let medium: BackupMedium
        let status: BackupFileStatus
        let digest: MediumDigest

        var entryPath: String { "media/\(medium.path)" }
    }

    /// A file of a section that is in the package.
    struct SectionFile: Codable, Hashable, Sendable {
        let section: BackupSection
        let path: String
        let status: BackupFileStatus
        let digest: MediumDigest

        var entryPath: String { "\(BackupSection.folder)\(section.name)/\(path)" }
    }

    let description: BackupDescription
    let manifest: Manifest
    let records: [RecordText]
    let files: [File]
    let fileList: FileListText?
    let sectionFiles: [SectionFile]
    /// The key of the media, sealed: sealing it again would make other bytes.
    var sealedMasterKey: [UInt8]
    /// The package's 160 bytes of header, with its salt.
    var header: [UInt8]
    /// Bytes of all records as JSON.
    public var recordBytes: UInt64 { records.reduce(0) { $0 + $1.size } }

    /// The entries of the archive with what they hold, in their order.
    func contents() throws -> [(entry: StoredEntry, content: EntryContent)] {
        func entry(_ path: String, _ bytes: [UInt8]) throws -> (StoredEntry, EntryContent) {
            var checksum = CRC32()
            checksum.update(bytes)
            let name = try ArchiveName(path)
            return (StoredEntry(name: name, size: UInt64(bytes.count), crc32: checksum.value), .bytes(bytes))
        }
        var contents = [
            try entry("manifest.json", try manifest.bytes()), try entry("security/master_key.bin", sealedMasterKey),
        ]
        for (index, text) in records.enumerated() {
            let name = try ArchiveName(text.entity.path)
            contents.append((StoredEntry(name: name, size: text.size, crc32: text.crc32), .records(index)))
        }
        if let fileList {
            let name = try ArchiveName(Manifest.fileListPath)
            contents.append((StoredEntry(name: name, size: fileList.size, crc32: fileList.crc32), .fileList))
        }
        for (index, file) in sectionFiles.enumerated() {
            let name = try ArchiveName(file.entryPath)
            let stored = StoredEntry(name: name, size: file.status.size, crc32: file.digest.crc32)
            contents.append((stored, .sectionFile(index)))
        }
        for (index, file) in files.enumerated() {
            let name = try ArchiveName(file.entryPath)
            let stored = StoredEntry(name: name, size: file.status.size, crc32: file.digest.crc32)
            contents.append((stored, .file(index)))
        }
        return contents
    }

    /// Bytes of the archive.
    func archiveLength() throws -> UInt64 { try StoredZipLayout(contents().map(\.entry)).length }
}
