import Archives
import Crypto

/// The sections of a package as their entries come: in the order of the manifest, each whole before the next.
struct SectionEntries {
    private let expected: [ManifestSection]
    private var index = 0
    private var sum = SectionSum()

    init(_ manifest: Manifest) { expected = manifest.sections ?? [] }

    /// Whether all that the manifest lists came.
    var isComplete: Bool { index == expected.count }

    /// Takes an entry below ``BackupSection/folder``.
    ///
    /// - Throws: ``ContainerError/unexpectedEntry(_:)``, ``ContainerError/countMismatch(_:)``, ``ContainerError/damagedFile(_:)``; what the reader and
    ///   the sink throw.
    mutating func take(
        _ name: String,
        _ entry: ArchiveEntry,
        from reader: ArchiveReader,
        into sink: any RestoreSink
    ) throws {
        guard index < expected.count, let size = entry.size else { throw ContainerError.unexpectedEntry(name) }
        let section = expected[index]
        let folder = "\(BackupSection.folder)\(section.name)/"
        guard name.hasPrefix(folder) else { throw ContainerError.unexpectedEntry(name) }
        let path = String(name.dropFirst(folder.count))
        // Counted before a byte is taken: a section grows no further than the manifest says.
        guard sum.files < section.files, size <= section.bytes - sum.bytes else {
            throw ContainerError.countMismatch(folder)
        }
        try sink.beginSectionFile(path, of: section, size: size)
        var hash = SHA256()
        while let bytes = try reader.readPiece() {
            hash.update(data: bytes)
            try sink.take(sectionBytes: bytes)
        }
        try sink.endSectionFile()
        sum.add(path, size: size, sha256: hash.finalize())
        guard sum.files == section.files else { return }
        guard sum.entry(named: section.name, version: section.version) == section else {
            throw ContainerError.damagedFile(folder)
        }
        try sink.endSection(section)
        sum = SectionSum()
        index += 1
    }
}
