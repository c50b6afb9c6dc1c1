import CArchive
public import Foundation

/// Writes a zip archive in order, as its bytes come, with libarchive; zip64 where a number needs it. One piece is in memory. The calls block
/// where the sink does and are made on one thread at a time.
///
/// An archive whose bytes have to be made again at any place is a ``StoredZipLayout``.
public final class ZipWriter {
    /// How a body is written.
    public enum Method: Hashable, Sendable {
        /// For media, which do not shrink.
        case stored
        case deflated
    }

    private enum State {
        case open
        case inEntry(name: String, left: UInt64)
        case finished
    }

    private let archive: OpaquePointer
    private let entry: OpaquePointer
    private let output: ZipOutput
    /// Refuses what a reader would refuse.
    private var inspector = ArchiveInspector(
        limits: ArchiveLimits(entries: 2_000_000, totalBytes: StoredZipLayout.maximumSize, ratio: .max)
    )
    private var state = State.open

    /// - Parameter sink: Takes the archive's next bytes. What it throws, the writer's calls throw.
    /// - Throws: ``ArchiveError/invalidArgument(_:)``.
    public init(to sink: @escaping (UnsafeRawBufferPointer) throws -> Void) throws(ArchiveError) {
        guard let archive = archive_write_new() else { throw .invalidArgument("memory") }
        guard let entry = archive_entry_new() else {
            archive_write_free(archive)
            throw .invalidArgument("memory")
        }
        self.archive = archive
        self.entry = entry
        output = ZipOutput(sink)
        // The library asks for the locale's characters when it is told the headers' ones, and again for each header.
        let before = tandem_begin_utf8()
        defer { tandem_end_utf8(before) }
        archive_write_set_format_zip(archive)
        archive_write_set_options(archive, "hdrcharset=UTF-8")
        archive_write_set_bytes_per_block(archive, 64 << 10)
        // The last block is as long as it is.
        archive_write_set_bytes_in_last_block(archive, 1)
        guard output.open(archive) == ARCHIVE_OK else { throw .invalidArgument("archive") }
    }

    // An archive that was not finished is thrown away: freeing it would write the rest.
    deinit {
        archive_write_fail(archive)
        archive_write_free(archive)
        archive_entry_free(entry)
    }

    /// Begins a file or a folder. The entry before it must have all its bytes.
    ///
    /// - Parameters:
    ///   - size: Bytes of the body, at most 2^48; 0 for a folder.
    ///   - modified: When the file was changed; the format holds two seconds' steps from 1980 on.
    /// - Throws: ``ArchiveError``, and what the sink throws.
    public func begin(_ name: ArchiveName, size: UInt64, method: Method, modified: Date) throws {
        try endEntry()
        guard size <= StoredZipLayout.maximumSize, !name.isFolder || size == 0 else {
            throw ArchiveError.invalidArgument("size")
        }
        try inspector.begin(name, declared: size)
        archive_entry_clear(entry)
        archive_entry_set_filetype(entry, name.isFolder ? 0o040000 : 0o100000)
        archive_entry_set_perm(entry, name.isFolder ? 0o755 : 0o644)
        archive_entry_set_size(entry, Int64(size))
        let seconds = modified.timeIntervalSince1970
        archive_entry_set_mtime(entry, seconds.isFinite ? time_t(min(max(seconds, 0), 4e9)) : 0, 0)
        let before = tandem_begin_utf8()
        defer { tandem_end_utf8(before) }
        archive_entry_set_pathname_utf8(entry, name.text + (name.isFolder ? "/" : ""))
        switch method {
        case .stored: archive_write_zip_set_compression_store(archive)
        case .deflated: archive_write_zip_set_compression_deflate(archive)
        }
        guard archive_write_header(archive, entry) == ARCHIVE_OK else { throw failure }
        state = .inEntry(name: name.text, left: size)
    }

    /// Writes bytes of the entry's body.
    ///
    /// - Throws: ``ArchiveError/sizeMismatch(_:)`` for more than ``begin(_:size:method:modified:)`` was told, and what the sink throws.
    public func write(_ bytes: some Collection<UInt8>) throws {
        guard case .inEntry(let name, let left) = state else { throw ArchiveError.invalidArgument("entry") }
        guard UInt64(bytes.count) <= left else { throw ArchiveError.sizeMismatch(name) }
        guard !bytes.isEmpty else { return }
        let written =
            bytes.withContiguousStorageIfAvailable { archive_write_data(archive, $0.baseAddress, $0.count) }
            ?? Array(bytes).withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
        guard written == bytes.count else { throw failure }
        try inspector.count(bytes.count, packed: nil)
        state = .inEntry(name: name, left: left - UInt64(bytes.count))
    }

    /// Writes the directory. Nothing may be written afterwards.
    ///
    /// - Throws: ``ArchiveError``, and what the sink throws.
    public func finish() throws {
        try endEntry()
        guard archive_write_close(archive) == ARCHIVE_OK else { throw failure }
        state = .finished
    }

    private func endEntry() throws {
        switch state {
        case .open: return
        case .finished: throw ArchiveError.invalidArgument("archive")
        case .inEntry(let name, let left):
            guard left == 0 else { throw ArchiveError.sizeMismatch(name) }
            guard archive_write_finish_entry(archive) == ARCHIVE_OK else { throw failure }
            try inspector.end()
            state = .open
        }
    }

    private var failure: any Error { output.failure ?? ArchiveError.invalidArgument("archive") }
}
