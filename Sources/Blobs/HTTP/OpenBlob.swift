import Kernel
import Synchronization
import Transfers

/// A blob that is open for reading.
package struct OpenBlob: Sendable {
    package let object: BlobObject
    /// Whether its kind is read once, and never by an address.
    package let isReadOnce: Bool
    private let file: any ReadableFile
    private let work: BlockingWork

    init(_ object: BlobObject, isReadOnce: Bool, file: any ReadableFile, work: BlockingWork) {
        self.object = object
        self.isReadOnce = isReadOnce
        self.file = file
        self.work = work
    }

    /// The bytes of a range, piece by piece.
    ///
    /// - Parameter range: Inside of the blob.
    package func pieces(_ range: Range<Int64>) -> @Sendable () async throws -> [UInt8]? {
        let body = BlobBody(file, range, work: work)
        return { try await body.next() }
    }
}

/// Reads a range of a file piece by piece, for one reader.
final class BlobBody: Sendable {
    /// Bytes of a piece at most.
    private static let pieceSize: Int64 = 256 << 10

    private let file: any ReadableFile
    private let end: Int64
    private let work: BlockingWork
    private let position: Mutex<Int64>

    init(_ file: any ReadableFile, _ range: Range<Int64>, work: BlockingWork) {
        self.file = file
        end = range.upperBound
        self.work = work
        position = Mutex(range.lowerBound)
    }

    /// Nil at the end.
    ///
    /// - Throws: ``BlobError`` where the file ends early, or cannot be read.
    func next() async throws -> [UInt8]? {
        let start = position.withLock(\.self)
        let count = Int(min(Self.pieceSize, end - start))
        guard count > 0 else { return nil }
        do {
            let bytes = try await work.run { [file] in try file.read(at: start, count: count) }
            // Whoever shortened it has the answer's length broken, and the client is told by its end.
            guard bytes.count == count else { throw BlobError.unknownObject }
            position.withLock { $0 = start + Int64(count) }
            return bytes
        } catch {
            throw BlobError.telling(error)
        }
    }
}
