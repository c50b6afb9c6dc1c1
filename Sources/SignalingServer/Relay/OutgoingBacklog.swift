import NIOCore

/// Output that waits for a reader that is behind, packed into pieces of one size.
///
/// Pieces and not one buffer: that would be copied each time it grows. Packed and not the frames' own buffers: their capacity is up to
/// twice their length, and pieces of one size leave no holes in the heap when a thousand readers are let go.
struct OutgoingBacklog {
    private static let pieceBytes = 32 * 1024

    private struct Piece {
        var buffer: ByteBuffer
        /// Bytes at its start that belong to a frame which began in the piece before.
        let continued: Int
    }

    private var pieces = CircularBuffer<Piece>()
    /// Capacity, which is what it costs.
    private(set) var byteCount = 0

    /// Appends one or more whole frames.
    mutating func append(_ frames: ByteBuffer) {
        var frames = frames
        if var last = pieces.popLast() {
            let count = min(last.buffer.writableBytes, frames.readableBytes)
            if let start = frames.readSlice(length: count) { last.buffer.writeImmutableBuffer(start) }
            pieces.append(last)
        }
        var continued = frames.readerIndex > 0
        while frames.readableBytes > 0 {
            var buffer = ByteBufferAllocator().buffer(capacity: Self.pieceBytes)
            let count = min(buffer.writableBytes, frames.readableBytes)
            if let next = frames.readSlice(length: count) { buffer.writeImmutableBuffer(next) }
            pieces.append(Piece(buffer: buffer, continued: continued ? count : 0))
            byteCount += buffer.capacity
            continued = true
        }
    }

    mutating func popFirst() -> ByteBuffer? {
        guard let piece = pieces.popFirst() else { return nil }
        byteCount -= piece.buffer.capacity
        return piece.buffer
    }

    /// Keeps only the rest of a frame that was begun in a piece already given out, so that a close frame can follow it.
    mutating func dropUnstarted() {
        var rest = CircularBuffer<Piece>()
        while let piece = pieces.popFirst(), piece.continued > 0 {
            var piece = piece
            let isWhole = piece.continued == piece.buffer.readableBytes
            piece.buffer.moveWriterIndex(to: piece.buffer.readerIndex + piece.continued)
            rest.append(piece)
            if !isWhole { break }
        }
        pieces = rest
        byteCount = rest.reduce(0) { $0 + $1.buffer.capacity }
    }
}
