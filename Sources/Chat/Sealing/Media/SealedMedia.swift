import Crypto
import Sealing

/// Pictures and recordings of sealed conversations: a header and segments of 64 KiB, each sealed with its place, so that nothing can be cut, moved or mixed.
/// Source: `docs/protocol.md` 2.10.4.
public enum SealedMedia {
    public static let keyCount = 32
    /// Bytes of a segment before it is sealed.
    static let segment = 64 << 10
    static let tag = 16

    /// A file as it is uploaded, and what its receivers need.
    public struct Sealed: Sendable {
        public let bytes: [UInt8]
        public let key: [UInt8]
        /// SHA-256 of ``bytes``.
        public let hash: [UInt8]
    }

    /// Bytes that a file takes once it is sealed.
    public static func sealedCount(of length: Int) -> Int {
        SealedMediaHeader.byteCount + length + max(1, (length + segment - 1) / segment) * tag
    }

    /// Seals a whole file under a new key.
    public static func seal(_ file: [UInt8]) throws -> Sealed {
        try seal(file, key: RandomBytes.make(keyCount), prefix: RandomBytes.make(7))
    }

    static func seal(_ file: [UInt8], key: [UInt8], prefix: [UInt8]) throws -> Sealed {
        var sealer = try MediaSealer(length: file.count, key: key, prefix: prefix)
        var bytes = sealer.header
        bytes.reserveCapacity(sealedCount(of: file.count))
        bytes += try sealer.seal(file)
        try sealer.finish()
        return Sealed(bytes: bytes, key: key, hash: Hashing.sha256(bytes))
    }

    /// Opens a whole file.
    ///
    /// - Parameters:
    ///   - hash: As its sender told; checked before anything is opened.
    ///   - limit: Bytes of the file at most; checked before anything is allocated for it.
    /// - Throws: ``ChatSealingError/otherFile``, ``ChatSealingError/tooLarge(_:limit:)``, ``ChatSealingError/wrongLength``,
    ///   ``ChatSealingError/damaged``, ``ChatSealingError/malformed(_:)``.
    public static func open(
        _ sealed: [UInt8],
        key: [UInt8],
        hash: [UInt8],
        limit: Int
    ) throws(ChatSealingError) -> [UInt8] {
        guard sealed.count <= sealedCount(of: limit) else { throw .tooLarge("the file", limit: limit) }
        guard Hashing.sha256(sealed) == hash else { throw .otherFile }
        var opener = MediaOpener(key: key, limit: limit)
        let file = try opener.open(sealed)
        try opener.finish()
        return file
    }
}
