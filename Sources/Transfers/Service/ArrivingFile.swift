/// A record of a file whose parts come.
package protocol ArrivingRecord: Sendable {
    /// The ranges on disk for sure.
    var received: ByteRanges { get set }
}

/// A file while its parts come: what of it was written, how much of that is on the disk for certain, and the journal's record of it.
///
/// Kept by the file's writer, which gives the partial file to each call.
package struct ArrivingFile<Record: ArrivingRecord>: Sendable {
    /// The ranges that a sync beside the writer will have brought to the disk.
    package struct Batch: Sendable {
        fileprivate let written: ByteRanges
        fileprivate let byteCount: Int64
    }

    package var record: Record
    package var digest: FileDigest
    package private(set) var written: ByteRanges
    package let synchronizer = PartSynchronizer()
    private let save: @Sendable (Record) throws -> Void
    /// Why a sync failed: told with the next part.
    private var failure: (any Error)?
    private var unsynchronizedBytes: Int64 = 0
    private var isSynchronizing = false

    /// - Parameters:
    ///   - record: Of an earlier process, where there was one: it says what that left on the disk.
    ///   - save: Writes the record down.
    package init(_ record: Record, _ digest: FileDigest, save: @escaping @Sendable (Record) throws -> Void) {
        self.record = record
        self.digest = digest
        self.save = save
        written = record.received
    }

    /// Writes what is new of `bytes`; a repeat changes nothing.
    package mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int64, to part: any PartialFile) throws {
        if let failure { throw failure }
        for range in written.missing(in: offset..<offset + Int64(bytes.count)) {
            let slice = bytes.dropFirst(Int(range.lowerBound - offset)).prefix(range.count)
            try part.write(slice, at: range.lowerBound)
            try digest.take(slice, at: range.lowerBound)
            written.insert(range)
            unsynchronizedBytes += Int64(range.count)
        }
        try digest.catchUp(part, to: written.end)
    }

    /// Everything written survives a power cut when this returns, as far as no batch under way covers it.
    package mutating func synchronize(_ part: (any PartialFile)?) throws {
        guard unsynchronizedBytes > 0 else { return }
        if let part { try synchronizer.synchronize(part) }
        noteSynchronized()
        try save(record)
    }

    /// Brings a file that is whole to the disk, and notes it in ``record``, which the caller saves with what it notes itself: one commit, and
    /// not two.
    package mutating func settle(_ part: any PartialFile) throws {
        // Also where nothing new was written: what a call beside us found out is asked for here.
        try synchronizer.synchronize(part)
        noteSynchronized()
    }

    private mutating func noteSynchronized() {
        unsynchronizedBytes = 0
        record.received = written
    }

    /// - Parameter size: Unsynced bytes that are worth a wait for the disk.
    /// - Returns: The ranges to bring to the disk beside the writer; nil where it is too little, or a batch is under way.
    package mutating func beginBatch(from size: Int64) -> Batch? {
        guard !isSynchronizing, unsynchronizedBytes >= size else { return nil }
        defer { unsynchronizedBytes = 0 }
        isSynchronizing = true
        return Batch(written: written, byteCount: unsynchronizedBytes)
    }

    /// - Parameter isOver: Whether the file is finished or given up meanwhile: there is nothing to write down any more.
    package mutating func end(_ batch: Batch, _ result: Result<Void, any Error>, isOver: Bool) {
        isSynchronizing = false
        guard !isOver else { return }
        do {
            try result.get()
            record.received.formUnion(batch.written)
            try save(record)
        } catch {
            unsynchronizedBytes += batch.byteCount
            failure = error
        }
    }
}
