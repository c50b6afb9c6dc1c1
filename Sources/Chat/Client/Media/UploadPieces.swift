import Synchronization

/// The bytes of an upload from an offset on, piece by piece as the network takes them.
final class UploadPieces: Sendable {
    private let bytes: [UInt8]
    private let pieceSize: Int
    private let progress: @Sendable (Double) -> Void
    private let position: Mutex<Int>

    init(_ bytes: [UInt8], from offset: Int, pieceSize: Int, progress: @escaping @Sendable (Double) -> Void) {
        self.bytes = bytes
        self.pieceSize = pieceSize
        self.progress = progress
        position = Mutex(offset)
    }

    /// Nil behind the last piece. What was handed out before counts as sent.
    func next() -> [UInt8]? {
        let range = position.withLock { position in
            defer { position = min(position + pieceSize, bytes.count) }
            return position..<min(position + pieceSize, bytes.count)
        }
        progress(Double(range.lowerBound) / Double(bytes.count))
        return range.isEmpty ? nil : Array(bytes[range])
    }
}
