import Archives
import Kernel

/// Reads a package as its bytes come, in order, and hands what it holds to a sink: decrypted, unpacked and checked, with one segment in memory.
/// The calls block on the source and the sink, so they are made on a thread that may block; where bytes come from elsewhere, a ``PackagePipe``
/// brings them there.
public final class PackageReader {
    private let header: ContainerHeader
    private let isDigested: Bool
    private let sink: any RestoreSink
    private var entries: PackageEntries
    private var isUsed = false

    /// - Parameters:
    ///   - header: Of the package, opened with its password.
    ///   - outerManifest: The copy that came before the package; nil for a package from a file.
    ///   - schemaVersion: What the device announced; nil where none did.
    ///   - isDigested: Whether the checksums of the whole are wanted, because the sender announced them. Every byte is proved by its segment and
    ///     its entry without them, and they take as long as all of that.
    /// - Throws: ``ContainerError`` for a copy that is none.
    public init(
        header: ContainerHeader,
        crypto: MigrationCryptoService,
        outerManifest: [UInt8]? = nil,
        schemaVersion: Int? = nil,
        isDigested: Bool = true,
        sink: any RestoreSink
    ) throws(ContainerError) {
        self.header = header
        self.isDigested = isDigested
        self.sink = sink
        let outer: JSONValue? = if let outerManifest { try ManifestCopies.read(outerManifest) } else { nil }
        entries = PackageEntries(sink: sink, outerManifest: outer, schemaVersion: schemaVersion) {
            try crypto.openMasterKey($0, header: header)
        }
    }

    /// Reads the package to its end. A reader reads one package.
    ///
    /// - Parameter source: The package's next bytes from its first on, the header too, at most a mebibyte; empty at its end.
    /// - Throws: ``ContainerError``, `ArchiveError`, and what the source and the sink throw.
    public func read(from source: @escaping () throws -> [UInt8]) throws -> PackageContents {
        try read(knowing: nil) { _ in try source() }
    }

    /// Reads a package that lies somewhere to its end, each byte once and in order.
    ///
    /// - Parameters:
    ///   - passingKnown: Whether segments that the sink knows (``RestoreSink/known``) are passed over in the package, which may have lost them. What
    ///     the sink gives for them is proved by the archive's checksums, and by the listed ones.
    ///   - source: The package's bytes from the range's beginning on, as many of the range as there are; empty at the end.
    /// - Throws: As ``read(from:)``.
    public func read(
        passingKnown: Bool,
        at source: @escaping (Range<UInt64>) throws -> [UInt8]
    ) throws -> PackageContents {
        try read(knowing: passingKnown ? sink.known : nil, source)
    }

    private func read(
        knowing known: (any KnownArchive)?,
        _ source: @escaping (Range<UInt64>) throws -> [UInt8]
    ) throws -> PackageContents {
        guard !isUsed else { throw ContainerError.invalidArgument("reader") }
        isUsed = true
        let input = PackageInput(header: header, isDigested: isDigested, known: known, source: source)
        let limits = ArchiveLimits(entries: 2_000_000, totalBytes: ContainerPrefix.maximumLength, ratio: 200)
        let reader = try ArchiveReader(.zip, limits: limits) { try input.next() }
        while let entry = try reader.next() { try entries.take(entry, named: entry.name.text, from: reader) }
        let manifest = try entries.finish()
        return PackageContents(
            manifest: manifest,
            digests: input.digests(),
            recordCounts: entries.counts,
            hasFileList: entries.hasFileList
        )
    }
}
