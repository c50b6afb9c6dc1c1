import CArchive

/// The bytes that an archive's library asks for, as they come from a source. It keeps those that the library has not consumed, and from the
/// beginning of a header on all of them, so that what the library does not look at can be checked.
final class ArchiveFeed {
    /// Bytes that are handed over at a time.
    private static let block = 64 << 10
    /// Bytes that a header may take; one beyond that is none, but the library searching for the next.
    private static let maximumHeader = 4 << 20

    private let archive: OpaquePointer
    private let source: () throws -> [UInt8]
    /// What was read of the source and not delivered.
    private var waiting: ArraySlice<UInt8> = []
    /// The library reads out of this until it asks for more.
    private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: ArchiveFeed.block, alignment: 16)
    private var blockCount = 0
    /// What is kept of the blocks before this one.
    private var kept: [UInt8] = []
    private var headerStart: UInt64?
    /// Bytes that the library was given.
    private(set) var delivered: UInt64 = 0
    private(set) var isAtEnd = false
    private(set) var failure: (any Error)?

    init(archive: OpaquePointer, source: @escaping () throws -> [UInt8]) {
        self.archive = archive
        self.source = source
    }

    deinit { block.deallocate() }

    /// Opens the archive, with the feed as what it reads. The library keeps the feed's address: it may be used no longer than the feed lives.
    func open() -> CInt {
        archive_read_open(
            archive,
            Unmanaged.passUnretained(self).toOpaque(),
            nil,
            { _, client, buffer in
                guard let client, let buffer else { return -1 }
                let feed = Unmanaged<ArchiveFeed>.fromOpaque(client).takeUnretainedValue()
                buffer.pointee = UnsafeRawPointer(feed.block.baseAddress)
                return feed.deliver()
            },
            nil
        )
    }

    /// Bytes that the library has consumed.
    var position: UInt64 { UInt64(max(0, archive_filter_bytes(archive, 0))) }

    /// Keeps everything from the library's position on.
    func beginHeader() -> UInt64 {
        let start = position
        headerStart = start
        return start
    }

    func endHeader() { headerStart = nil }

    /// The bytes that are kept from `offset` on.
    func bytes(from offset: UInt64) -> [UInt8] {
        let all = kept + block[..<blockCount]
        let start = delivered - UInt64(all.count)
        return offset < start ? [] : Array(all.dropFirst(Int(min(offset - start, UInt64(all.count)))))
    }

    /// The next bytes, past the library; empty at the end.
    ///
    /// - Throws: What the source throws.
    func more() throws -> [UInt8] {
        if waiting.isEmpty { waiting = try source()[...] }
        defer { waiting = [] }
        return Array(waiting)
    }

    private func deliver() -> Int {
        let floor = min(headerStart ?? position, delivered)
        let blockStart = delivered - UInt64(blockCount)
        if floor >= blockStart {
            kept = Array(block[Int(floor - blockStart)..<blockCount])
        } else {
            kept = kept.suffix(Int(blockStart - floor)) + block[..<blockCount]
        }
        blockCount = 0
        guard kept.count <= Self.maximumHeader else {
            failure = ArchiveError.damaged
            return -1
        }
        do {
            if waiting.isEmpty { waiting = try source()[...] }
        } catch {
            failure = error
            return -1
        }
        let piece = waiting.prefix(Self.block)
        waiting = waiting.dropFirst(piece.count)
        piece.withUnsafeBytes { block.copyMemory(from: $0) }
        blockCount = piece.count
        delivered += UInt64(piece.count)
        isAtEnd = piece.isEmpty
        return piece.count
    }
}
