package import Kernel

/// A package on the new phone's disk, as far as it has arrived: its bytes, and the journal that tells after a kill which of them are there.
///
/// A range is noted only after its bytes are durable, so that the journal never tells more than the disk has.
public struct ReceivedPackage: Sendable {
    public let meta: BackupMeta
    let sink: any PackageSink
    /// What was durable when the package was opened.
    let durable: ChunkRanges
    /// What of it may be holes.
    let released: RangeSet<Int64>
    let wasPaused: Bool
    private let journal: TransferJournal

    /// Begins a package that has no bytes yet.
    package static func begin(
        _ meta: BackupMeta,
        sink: any PackageSink,
        journal file: any SpoolFile,
        on work: BlockingWork
    ) async throws -> ReceivedPackage {
        let journal = try await TransferJournal.create(
            file,
            headerSHA256: meta.headerSHA256,
            transferID: meta.transferID,
            meta: JSONValue(encoding: meta).canonicalBytes,
            on: work
        )
        return ReceivedPackage(
            meta: meta,
            sink: sink,
            durable: ChunkRanges(),
            released: RangeSet(),
            wasPaused: false,
            journal: journal
        )
    }

    /// Opens a package that was begun. Nothing is hashed again.
    ///
    /// - Throws: ``MigrationTransferError/damagedJournal`` also for a transfer that has ended; errors of the file.
    package static func open(
        sink: any PackageSink,
        journal file: any SpoolFile,
        on work: BlockingWork
    ) async throws -> ReceivedPackage {
        let (journal, record) = try await TransferJournal.open(file, on: work)
        guard record.end == nil, let bytes = record.meta,
            let meta = try? JSONValue(parsing: bytes).decode(as: BackupMeta.self), (try? meta.checkSizes()) != nil,
            record.isBound(toHeader: meta.headerSHA256, transferID: meta.transferID),
            (record.received.ranges.last?.upperBound ?? 0) <= meta.chunkCount
        else { throw MigrationTransferError.damagedJournal }
        return ReceivedPackage(
            meta: meta,
            sink: sink,
            durable: record.received,
            released: record.released,
            wasPaused: record.isPaused,
            journal: journal
        )
    }

    /// Makes everything written so far durable, and then notes `ranges`, which are part of it.
    func synchronize(_ ranges: ChunkRanges) async throws {
        try await sink.synchronize()
        try await journal.append(ranges.ranges.map(TransferRecord.received))
    }

    /// Gives the space of durable bytes back. The journal says so before the disk does it: it never tells of bytes that are not there.
    func release(_ bytes: RangeSet<Int64>) async throws {
        try await journal.append(bytes.ranges.map(TransferRecord.released))
        for range in bytes.ranges { try await sink.release(range) }
    }

    /// Notes chunks that are no longer there, before the old phone is asked for them.
    func noteMissing(_ chunks: ChunkRanges) async throws {
        try await journal.append(chunks.ranges.map(TransferRecord.missing))
    }

    func note(_ record: TransferRecord) async throws { try await journal.append([record]) }
}
