import Archives
import Crypto
import Foundation
import Kernel

/// Encrypts one medium into a new file, piece by piece, with at most two segments in memory. For one thread.
final class SealedMediaWriter {
    private let url: URL
    private let handle: FileHandle
    private let cipher: SealedMediaCipher
    private var pending: [UInt8] = []
    private var number: UInt32 = 0
    private var size: Int64
    private var digest = SHA256()
    private var checksum = CRC32()

    /// - Throws: ``JournalError/notWritten(path:)``.
    init(to url: URL, key: SymmetricKey) throws(JournalError) {
        self.url = url
        handle = try NewFile.open(url)
        cipher = SealedMediaCipher(new: key)
        size = Int64(SealedMediaLayout.header)
        try put(cipher.header)
    }

    func write(_ bytes: some Collection<UInt8>) throws(JournalError) {
        pending += bytes
        // The last segment is known only when nothing follows it.
        var start = 0
        while pending.count - start > SealedMediaLayout.segment {
            try seal(Array(pending[start..<start + SealedMediaLayout.segment]), isLast: false)
            start += SealedMediaLayout.segment
        }
        // Once for all segments: what remains moves to the front.
        pending.removeFirst(start)
    }

    /// Closes the file. Its bytes are on the disk only when ``MediaVault/settle(_:)`` has returned: many files together cost little more than one.
    ///
    /// - Returns: The size and the sums of the encrypted file.
    func finish() throws(JournalError) -> StoredFile {
        try seal(pending, isLast: true)
        pending = []
        do { try handle.close() } catch { throw .notWritten(path: url.path) }
        return StoredFile(
            size: size,
            sha256: Hexadecimal.encode(digest.finalize()),
            crc32: checksum.value
        )
    }

    private func seal(_ bytes: [UInt8], isLast: Bool) throws(JournalError) {
        guard number < .max else { throw .mediumTooLarge }
        let sealed: [UInt8]
        do { sealed = try cipher.seal(bytes, number: number, isLast: isLast) } catch { throw .mediumDamaged }
        number += 1
        size += Int64(sealed.count)
        try put(sealed)
    }

    private func put(_ bytes: [UInt8]) throws(JournalError) {
        digest.update(data: bytes)
        checksum.update(bytes)
        do { try handle.write(contentsOf: bytes) } catch { throw .notWritten(path: url.path) }
    }
}
