import Kernel

/// A device's decentralised identifier. Opaque, except that a `did:key` of Ed25519 holds the key that signs
/// for it.
public struct DID: Hashable, Sendable, CustomStringConvertible {
    /// The whole identifier, `did:` included: at most 240 characters behind the method's name.
    public let text: String

    /// - Throws: ``SealingError/malformedDID`` unless the text is `did:`, a method of lower-case letters and digits,
    ///   a colon, and 1 to 240 visible ASCII characters. Beyond ASCII, texts of different bytes can be equal strings.
    public init(_ text: String) throws(SealingError) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "did", Self.isMethod(parts[1]), Self.isSpecificID(parts[2]) else {
            throw .malformedDID
        }
        self.text = text
    }

    public var description: String { text }

    private static func isMethod(_ method: Substring) -> Bool {
        (1...64).contains(method.utf8.count)
            && method.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    }

    private static func isSpecificID(_ specific: Substring) -> Bool {
        (1...240).contains(specific.utf8.count) && specific.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension DID: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension DID {
    /// The multicodec prefix of a `did:key` of Ed25519: 0xed as a varint.
    private static let multicodec: [UInt8] = [0xED, 0x01]
    private static let keyPrefix = "did:key:z"

    /// The `did:key` of an Ed25519 key.
    public init(key: SigningPublicKey) {
        text = Self.keyPrefix + Base58.encode(Self.multicodec + key.bytes)
    }

    /// The key that signs for this identity; nil unless it is a `did:key` of Ed25519.
    public var signingKey: SigningPublicKey? {
        guard text.hasPrefix(Self.keyPrefix) else { return nil }
        let digits = text.dropFirst(Self.keyPrefix.count)
        // 34 bytes are 46 to 48 base58 digits. The bound keeps a long text from costing quadratic time.
        guard digits.utf8.count <= 48, let bytes = Base58.decode(digits), bytes.starts(with: Self.multicodec) else {
            return nil
        }
        return try? SigningPublicKey(Array(bytes.dropFirst(2)))  // nil says it: not a key of ours
    }

    /// Four words that two people can compare or read out, for example `lusab-babad-gutih-tugad`: the comparison form
    /// of a key, the same on every screen. Source: `docs/protocol.md` 2.3, "Words of a key".
    ///
    /// They hold 64 bits of SHA-256. An attacker who wants another key with the same words has to make 2^63 keys on
    /// average, a billion a second for 290 years; and the words are looked at beside a secret of the pairing, not instead of one.
    public var fingerprint: String { KeyWords.text(for: Hashing.sha256(Array(text.utf8)).prefix(8)) }
}
