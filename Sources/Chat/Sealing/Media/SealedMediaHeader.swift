import Crypto
import Foundation
import Sealing

/// The 64 bytes in front of sealed media, and the keys that follow from them. Source: `docs/protocol.md` 2.10.4.
///
/// magic 8 ‖ version 1 ‖ cipher 1 ‖ log2 of a segment's bytes 1 ‖ zeros 5 ‖ nonce's prefix 7 ‖ zero 1 ‖ length 8 ‖ commitment 32.
struct SealedMediaHeader {
    static let byteCount = 64
    private static let magic = Array("TNDMEDIA".utf8)
    private static let version: UInt8 = 1
    /// AES-256-GCM.
    private static let cipher: UInt8 = 1
    /// 64 KiB: the largest block that allocators hand out cheaply, and a step in which media can be sought.
    private static let segmentLog: UInt8 = 16
    private static let prefixCount = 7

    let bytes: [UInt8]
    /// Bytes of the plaintext.
    let length: Int
    private let prefix: [UInt8]
    private let key: SymmetricKey

    /// - Parameters:
    ///   - key: 32 random bytes, used for one file.
    ///   - prefix: 7 random bytes.
    init(length: Int, key: [UInt8], prefix: [UInt8]) throws(ChatSealingError) {
        guard key.count == SealedMedia.keyCount else { throw .malformed("key") }
        guard prefix.count == Self.prefixCount, length >= 0 else { throw .malformed("length") }
        var bytes = Self.magic + [Self.version, Self.cipher, Self.segmentLog] + [UInt8](repeating: 0, count: 5)
        bytes += prefix + [0]
        withUnsafeBytes(of: UInt64(length).bigEndian) { bytes += $0 }
        let (commitment, payload) = Self.keys(key, over: bytes)
        self.bytes = bytes + commitment
        self.length = length
        self.prefix = prefix
        self.key = payload
    }

    /// Reads a header, and proves that key and header belong together.
    ///
    /// - Throws: ``ChatSealingError/malformed(_:)`` for another format, ``ChatSealingError/tooLarge(_:limit:)``,
    ///   ``ChatSealingError/otherFile``.
    init(_ bytes: [UInt8], key: [UInt8], limit: Int) throws(ChatSealingError) {
        guard bytes.count == Self.byteCount, key.count == SealedMedia.keyCount, bytes.starts(with: Self.magic) else {
            throw .malformed("header")
        }
        let length = bytes[24..<32].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length <= UInt64(limit) else { throw .tooLarge("the file", limit: limit) }
        let made = try SealedMediaHeader(length: Int(length), key: key, prefix: Array(bytes[16..<23]))
        guard Hashing.sha256(made.bytes) == Hashing.sha256(bytes) else { throw .otherFile }
        self = made
    }

    private static func keys(_ key: [UInt8], over head: [UInt8]) -> (commitment: [UInt8], payload: SymmetricKey) {
        let secret = HKDF<SHA256>.extract(
            inputKeyMaterial: SymmetricKey(data: key),
            salt: Hashing.sha256(head)
        )
        func expanded(_ label: String) -> SymmetricKey {
            HKDF<SHA256>.expand(pseudoRandomKey: secret, info: Array(label.utf8), outputByteCount: 32)
        }
        return (expanded("tandem/media/1/commit").withUnsafeBytes { Array($0) }, expanded("tandem/media/1/payload"))
    }

    /// Segments of the file; an empty one has one.
    var segmentCount: Int { max(1, (length + SealedMedia.segment - 1) / SealedMedia.segment) }

    /// Bytes of a segment's plaintext.
    func segmentLength(_ index: Int) -> Int { min(SealedMedia.segment, length - index * SealedMedia.segment) }

    private func nonce(_ index: Int) throws -> AES.GCM.Nonce {
        var bytes = prefix
        withUnsafeBytes(of: UInt32(index).bigEndian) { bytes += $0 }
        bytes.append(index == segmentCount - 1 ? 1 : 0)
        return try AES.GCM.Nonce(data: bytes)
    }

    func seal(_ plaintext: some DataProtocol, at index: Int) throws -> [UInt8] {
        let box = try AES.GCM.seal(plaintext, using: key, nonce: try nonce(index))
        return Array(box.ciphertext) + Array(box.tag)
    }

    /// - Throws: ``ChatSealingError/damaged``.
    func open(_ sealed: some Collection<UInt8>, at index: Int) throws(ChatSealingError) -> [UInt8] {
        do {
            let bytes = Array(sealed)
            let box = try AES.GCM.SealedBox(
                nonce: try nonce(index),
                ciphertext: bytes.dropLast(SealedMedia.tag),
                tag: bytes.suffix(SealedMedia.tag)
            )
            return Array(try AES.GCM.open(box, using: key))
        } catch {
            throw .damaged
        }
    }
}
