import Crypto
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads any part of an encrypted medium, from several threads if need be: each read says its place. Waits for the disk.
final class SealedMediaReader: Sendable {
    /// Bytes of the medium.
    let size: Int64
    private let descriptor: Int32
    private let cipher: SealedMediaCipher
    private let segments: Int64

    /// - Throws: ``JournalError/mediumMissing``, ``JournalError/mediumUnknown``, ``JournalError/mediumDamaged`` for a size that no medium has.
    init(_ url: URL, key: SymmetricKey) throws(JournalError) {
        // Without O_NONBLOCK a pipe would wait for its writer.
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw .mediumMissing }
        do throws(JournalError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .mediumMissing }
            let header = try Self.read(descriptor, at: 0, count: SealedMediaLayout.header)
            cipher = try SealedMediaCipher(header: header, key: key)
            guard let size = SealedMediaLayout.plainSize(of: Int64(status.st_size)) else { throw .mediumDamaged }
            self.size = size
            segments = max(1, (size + Int64(SealedMediaLayout.segment) - 1) / Int64(SealedMediaLayout.segment))
            self.descriptor = descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

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
        let place = Int64(SealedMediaLayout.header) + index * Int64(SealedMediaLayout.sealedSegment)
        let sealed = try Self.read(descriptor, at: place, count: SealedMediaLayout.sealedSegment)
        return try cipher.open(sealed, number: UInt32(index), isLast: index == segments - 1)
    }

    /// - Returns: Fewer bytes at the file's end.
    private static func read(_ descriptor: Int32, at offset: Int64, count: Int) throws(JournalError) -> [UInt8] {
        var isRead = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let start = buffer.baseAddress {
                let taken = pread(descriptor, start + filled, count - filled, off_t(offset) + off_t(filled))
                if taken < 0, errno == EINTR { continue }
                isRead = taken >= 0
                if taken <= 0 { return }
                filled += taken
            }
        }
        guard isRead else { throw .mediumMissing }
        return bytes
    }
}
