import Kernel
import Sealing

/// The name of a chat key: the first 8 bytes of SHA-256 of its public half.
public struct ChatKeyID: Hashable, Sendable {
    public static let byteCount = 8

    public let bytes: [UInt8]

    /// - Throws: ``ChatSealingError/malformed(_:)`` unless there are 8 bytes.
    public init(_ bytes: [UInt8]) throws(ChatSealingError) {
        guard bytes.count == Self.byteCount else { throw .malformed("kid") }
        self.bytes = bytes
    }

    init(of key: AgreementPublicKey) { bytes = Array(Hashing.sha256(key.bytes).prefix(Self.byteCount)) }

    var json: JSONValue { .bytes(bytes) }
}
