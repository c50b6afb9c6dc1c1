/// The ranges of a partial file that were written, and how much of them is on disk for certain: kept by the file's writer.
package struct PartProgress: Sendable {
    /// The ranges that a sync beside the writer will have brought to the disk.
    package struct Batch: Sendable {
        package let written: ByteRanges
        fileprivate let byteCount: Int64
    }

    package private(set) var written: ByteRanges
    /// Why a sync failed: told with the next part.
    package private(set) var failure: (any Error)?
    private var unsynchronizedBytes: Int64 = 0
    private var isSynchronizing = false

    /// - Parameter received: The ranges that an earlier process left on the disk.
    package init(received: ByteRanges) { written = received }

    /// Whether a power cut would cost something of ``written``, as far as no batch under way covers it.
    package var isBehind: Bool { unsynchronizedBytes > 0 }

    package mutating func insert(_ range: Range<Int64>) {
        written.insert(range)
        unsynchronizedBytes += Int64(range.count)
    }

    /// - Parameter size: Unsynced bytes that are worth a wait for the disk.
    /// - Returns: The ranges to bring to the disk beside the writer; nil where it is too little, or a batch is under way.
    package mutating func beginBatch(from size: Int64) -> Batch? {
        guard !isSynchronizing, unsynchronizedBytes >= size else { return nil }
        defer { unsynchronizedBytes = 0 }
        isSynchronizing = true
        return Batch(written: written, byteCount: unsynchronizedBytes)
    }

    package mutating func endBatch() { isSynchronizing = false }

    /// The batch, or the note of it, did not reach the disk.
    package mutating func fail(_ batch: Batch, _ error: any Error) {
        unsynchronizedBytes += batch.byteCount
        failure = error
    }

    /// All of ``written`` is on the disk.
    package mutating func noteSynchronized() { unsynchronizedBytes = 0 }
}
