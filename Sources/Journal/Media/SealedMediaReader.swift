import Crypto
import Foundation

/// Reads any part of an encrypted medium. For one thread.
final class SealedMediaReader {
    /// Bytes of the medium.
    let size: Int64
    private let handle: FileHandle
    private let cipher: SealedMediaCipher
    private let segments: Int64

    /// - Throws: ``JournalError/mediumMissing``, ``JournalError/mediumUnknown``, ``JournalError/mediumDamaged`` for a size that no medium has.
    init(_ url: URL, key: SymmetricKey) throws(JournalError) {
        do {
            handle = try FileHandle(forReadingFrom: url)
            let file = Int64(try handle.seekToEnd())
            try handle.seek(toOffset: 0)
            let header = Array(try handle.read(upToCount: SealedMediaLayout.header) ?? Data())
            cipher = try SealedMediaCipher(header: header, key: key)
            guard let size = SealedMediaLayout.plainSize(of: file) else { throw JournalError.mediumDamaged }
            self.size = size
            segments = max(1, (size + Int64(SealedMediaLayout.segment) - 1) / Int64(SealedMediaLayout.segment))
        } catch let error as JournalError {
            throw error
        } catch {
            throw .mediumMissing
        }
    }

    /// The bytes of a range that lies inside of the medium.
    ///
    /// - Throws: ``JournalError/mediumDamaged`` for bytes that were changed, ``JournalError/mediumMissing`` where the disk gives none.
    func read(_ range: Range<Int64>) throws(JournalError) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let index = offset / Int64(SealedMediaLayout.segment)
            let start = index * Int64(SealedMediaLayout.segment)
            let bytes = try segment(index)
            let wanted = Int(offset - start)..<min(bytes.count, Int(range.upperBound - start))
            guard !wanted.isEmpty else { throw .mediumDamaged }
            result += bytes[wanted]
            offset = start + Int64(wanted.upperBound)
        }
        return result
    }

    /// All of it, a segment at a time; also proves the end of an empty one.
    func forEachSegment(_ body: ([UInt8]) throws -> Void) throws {
        for index in 0..<segments { try body(try segment(index)) }
    }

    /// Proves that the key is the file's, by its last segment, which also shows that nothing is missing behind it.
    func check() throws(JournalError) { _ = try segment(segments - 1) }

    private func segment(_ index: Int64) throws(JournalError) -> [UInt8] {
        let sealed: [UInt8]
        do {
            try handle.seek(
                toOffset: UInt64(SealedMediaLayout.header) + UInt64(index) * UInt64(SealedMediaLayout.sealedSegment)
            )
            sealed = Array(try handle.read(upToCount: SealedMediaLayout.sealedSegment) ?? Data())
        } catch {
            throw .mediumMissing
        }
        return try cipher.open(sealed, number: UInt32(index), isLast: index == segments - 1)
    }
}
