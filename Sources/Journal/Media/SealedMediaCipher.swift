import Crypto
import Foundation
import Kernel

/// The key and the nonces of one encrypted medium. Source: `docs/journal.md`, "Media at rest".
struct SealedMediaCipher: Sendable {
    private static let magic = Array("MYSTMED\0".utf8)

    /// The file's first 64 bytes.
    let header: [UInt8]
    private let key: SymmetricKey
    private let prefix: ArraySlice<UInt8>

    /// A new file's. Its salt is random, so that no two files share a key, whatever their key id is.
    init(new mediumKey: SymmetricKey) {
        var header = Self.magic + [1, 1, 16, 0]
        header += [0, 0, 0, 0]
        var generator = SystemRandomNumberGenerator()
        header += (0..<39).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        header += [UInt8](repeating: 0, count: SealedMediaLayout.header - header.count)
        self.init(header, mediumKey)
    }

    /// - Throws: ``JournalError/mediumUnknown`` for a header of another form.
    init(header: [UInt8], key mediumKey: SymmetricKey) throws(JournalError) {
        guard header.count == SealedMediaLayout.header, header.starts(with: Self.magic),
            Array(header[8..<16]) == [1, 1, 16, 0, 0, 0, 0, 0], header[55...].allSatisfy({ $0 == 0 })
        else { throw .mediumUnknown }
        self.init(header, mediumKey)
    }

    private init(_ header: [UInt8], _ mediumKey: SymmetricKey) {
        self.header = header
        // All of the header is the salt, so that a header that was changed opens nothing.
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: mediumKey,
            salt: header,
            info: Array("mystory/media/1/file".utf8),
            outputByteCount: 32
        )
        prefix = header[48..<55]
    }

    func seal(_ bytes: some DataProtocol, number: UInt32, isLast: Bool) throws -> [UInt8] {
        let box = try AES.GCM.seal(bytes, using: key, nonce: nonce(number, isLast))
        return Array(box.ciphertext) + Array(box.tag)
    }

    /// - Throws: ``JournalError/mediumDamaged`` also for a segment of another place or another file.
    func open(_ sealed: [UInt8], number: UInt32, isLast: Bool) throws(JournalError) -> [UInt8] {
        guard sealed.count >= SealedMediaLayout.tag else { throw .mediumDamaged }
        do {
            let box = try AES.GCM.SealedBox(
                nonce: nonce(number, isLast),
                ciphertext: sealed.dropLast(SealedMediaLayout.tag),
                tag: sealed.suffix(SealedMediaLayout.tag)
            )
            return Array(try AES.GCM.open(box, using: key))
        } catch {
            throw .mediumDamaged
        }
    }

    /// 7 bytes of the header, the segment's number, and whether it is the last: a file that was cut short does not open at its end.
    private func nonce(_ number: UInt32, _ isLast: Bool) throws -> AES.GCM.Nonce {
        let count = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
        return try AES.GCM.Nonce(data: Array(prefix) + count + [isLast ? 1 : 0])
    }
}
