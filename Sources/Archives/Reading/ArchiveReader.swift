import CArchive
import Foundation

/// Reads an archive from its first byte to its last, an entry at a time and a piece at a time, with libarchive. No more than one piece is in
/// memory, and nothing is taken from an archive before ``ArchiveInspector`` has seen its name and counted its bytes.
///
/// The calls block where the source does and are made on one thread at a time. What was taken counts once ``next()`` has answered nil: only
/// then the archive is known to be whole, and a zip's directory to say what its entries say.
///
/// ```swift
/// let reader = try ArchiveReader(.zip, limits: .records) { try file.read() }
/// while let entry = try reader.next() {
///     while let piece = try reader.readPiece() { … }
/// }
/// ```
public final class ArchiveReader {
    private enum State {
        case beforeEntry
        case inEntry(ArchiveEntry, start: UInt64)
        /// Its body was read to the end.
        case behindEntry
        case atEnd
        case failed(any Error)
    }

    private let format: ArchiveFormat
    private let archive: OpaquePointer
    private let feed: ArchiveFeed
    private var inspector: ArchiveInspector
    private var directory = ZipDirectoryCheck()
    private var local: ZipLocalHeader?
    private var checksum = CRC32()
    private var state = State.beforeEntry

    /// - Parameter source: The archive's next bytes, at most a mebibyte; empty at its end. What it throws, the reader's calls throw.
    /// - Throws: ``ArchiveError/notAnArchive``, ``ArchiveError/truncated``, and what `source` throws.
    public init(
        _ format: ArchiveFormat,
        limits: ArchiveLimits,
        reading source: @escaping () throws -> [UInt8]
    ) throws {
        guard let archive = archive_read_new() else { throw ArchiveError.invalidArgument("memory") }
        self.format = format
        self.archive = archive
        feed = ArchiveFeed(archive: archive, source: source)
        inspector = ArchiveInspector(limits: limits)
        switch format {
        case .zip: archive_read_support_format_zip_streamable(archive)
        case .tar: archive_read_support_format_tar(archive)
        }
        guard feed.open() == ARCHIVE_OK else {
            throw feed.failure ?? (feed.delivered == 0 ? ArchiveError.truncated : ArchiveError.notAnArchive)
        }
    }

    // The feed is released behind this, so the library never holds its address without it.
    deinit { archive_read_free(archive) }

    /// Goes to the next entry; what is left of the body before it is passed over. Nil at the end of an archive that was whole.
    ///
    /// - Throws: ``ArchiveError``, and what the source throws; the same error from then on.
    public func next() throws -> ArchiveEntry? {
        try unlessFailed {
            if case .atEnd = state { return nil }
            if case .inEntry = state {
                // The bytes count against the limits also where nobody wants them.
                while try piece() != nil { continue }
            }
            while true {
                guard try advance() else { return nil }
                if case .inEntry(let entry, _) = state { return entry }
            }
        }
    }

    /// The entry's next bytes, at most 256 KiB and never none; nil at its end.
    ///
    /// - Throws: ``ArchiveError``, and what the source throws; the same error from then on.
    public func readPiece() throws -> [UInt8]? {
        try unlessFailed { try piece() }
    }

    private func unlessFailed<Value>(_ work: () throws -> Value) throws -> Value {
        if case .failed(let error) = state { throw error }
        do {
            return try work()
        } catch {
            state = .failed(error)
            throw error
        }
    }

    /// Reads the next header. False at the end. An entry that stands for the archive's own folder leaves the reader behind itself.
    private func advance() throws -> Bool {
        if case .behindEntry = state, archive_read_data_skip(archive) != ARCHIVE_OK { throw failure }
        let start = feed.beginHeader()
        defer { feed.endHeader() }
        let before = tandem_begin_utf8()
        defer { tandem_end_utf8(before) }
        var header: OpaquePointer?
        switch archive_read_next_header(archive, &header) {
        case ARCHIVE_EOF:
            try end(at: start)
            return false
        case ARCHIVE_OK, ARCHIVE_WARN: break
        default: throw failure
        }
        guard let header else { throw failure }
        try begin(header, at: start)
        return true
    }

    private func begin(_ header: OpaquePointer, at start: UInt64) throws {
        var text = try Self.text(of: header)
        let type = archive_entry_filetype(header)
        // S_IFREG and S_IFDIR, whose values every format and system shares.
        guard archive_entry_hardlink(header) == nil, type == 0o100000 || type == 0o040000,
            archive_entry_sparse_count(header) == 0
        else { throw ArchiveError.unsupportedEntry(text) }
        var place: ArchivePlace?
        if format == .zip {
            let bytes = feed.bytes(from: start)
            let local = try ZipLocalHeader(bytes, previous: local, at: start)
            guard !local.isEncrypted else { throw ArchiveError.encrypted(text) }
            guard local.isReadable else { throw ArchiveError.unsupportedEntry(text) }
            // The library reads a backslash as a slash, and ends a name at a zero byte; programs that go by the directory do not.
            if let name = String(validating: local.name, as: UTF8.self) { text = name }
            guard !local.name.contains(0), !local.name.contains(UInt8(ascii: "\\")) else {
                throw ArchiveError.unsafeName(text, reason: local.name.contains(0) ? .control : .backslash)
            }
            if local.method == 0, !local.hasDescriptor {
                let lead = Array(bytes.prefix(Int(local.bodyOffset - start)))
                place = ArchivePlace(offset: local.bodyOffset, lead: lead)
            }
            self.local = local
            checksum = CRC32()
        } else {
            // Programs that pack a folder begin each name with it.
            while text.hasPrefix("./") { text.removeFirst(2) }
            guard !text.isEmpty, text != "." else {
                guard type == 0o040000 else { throw ArchiveError.unsafeName(text, reason: .empty) }
                state = .behindEntry
                return
            }
        }
        if type == 0o040000, !text.hasSuffix("/") { text += "/" }
        let name = try ArchiveName(text)
        let size = archive_entry_size_is_set(header) != 0 ? archive_entry_size(header) : nil
        if let size, size < 0 { throw ArchiveError.damaged }
        let declared = name.isFolder ? 0 : size.map { UInt64($0) }
        try inspector.begin(name, declared: declared)
        state = .inEntry(ArchiveEntry(name: name, size: declared, place: place), start: start)
    }

    private func piece() throws -> [UInt8]? {
        guard case .inEntry(let entry, let start) = state else { return nil }
        while true {
            var place: UnsafeRawPointer?
            var count = 0
            var offset: Int64 = 0
            switch archive_read_data_block(archive, &place, &count, &offset) {
            case ARCHIVE_OK: break
            case ARCHIVE_EOF:
                try inspector.end()
                if let local { directory.add(local, checksum: checksum.value, size: inspector.lastSize) }
                state = .behindEntry
                return nil
            // A wrong checksum is a warning of the library.
            default: throw failure
            }
            guard count > 0, let place else { continue }
            // A hole in front of the piece: the format's way to say zeros, which no program of ours writes.
            guard UInt64(exactly: offset) == inspector.currentSize else {
                throw ArchiveError.unsupportedEntry(entry.name.text)
            }
            // What was delivered is at least what the body took: the library reads ahead by a block.
            try inspector.count(count, packed: feed.delivered - start)
            let bytes = Array(UnsafeRawBufferPointer(start: place, count: count))
            if local?.hasDescriptor == true { checksum.update(bytes) }
            return bytes
        }
    }

    private func end(at start: UInt64) throws {
        switch format {
        case .zip:
            let descriptor = ZipLocalHeader.descriptorCount(feed.bytes(from: start), local)
            try directory.check(feed, at: start + UInt64(descriptor))
        case .tar:
            // The format ends with blocks of zeros, by which a cut archive is known from a whole one.
            guard feed.position >= start + 512 else { throw ArchiveError.truncated }
        }
        state = .atEnd
    }

    private var failure: any Error {
        feed.failure ?? (feed.isAtEnd ? ArchiveError.truncated : ArchiveError.damaged)
    }

    private static func text(of header: OpaquePointer) throws(ArchiveError) -> String {
        guard let text = archive_entry_pathname_utf8(header).flatMap({ String(validatingCString: $0) }) else {
            throw .unsafeName("", reason: .encoding)
        }
        return text
    }
}
