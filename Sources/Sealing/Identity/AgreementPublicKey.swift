import Kernel

/// The X25519 public key with which other devices agree on secrets with a device.
public struct AgreementPublicKey: Hashable, Sendable {
    /// The u-coordinate, 32 bytes, little-endian as X25519 has it.
    public let bytes: [UInt8]

    /// - Throws: ``SealingError/wrongLength(of:expected:actual:)`` unless there are 32 bytes,
    ///   ``SealingError/weakKey`` for a point of low order.
    public init(_ bytes: [UInt8]) throws(SealingError) {
        guard bytes.count == 32 else {
            throw .wrongLength(of: "agreement key", expected: 32, actual: bytes.count)
        }
        guard !Self.hasLowOrder(bytes) else { throw .weakKey }
        self.bytes = bytes
    }

    /// Makes a key that was computed here from a secret key and the base point, so that it cannot have a low order.
    init(own bytes: [UInt8]) { self.bytes = bytes }

    /// Whether the bytes encode a point whose order divides 8, on the curve or its twist: the shared secret is then zero for
    /// every secret key. X25519 ignores the top bit, so encodings are compared without it.
    static func hasLowOrder(_ bytes: [UInt8]) -> Bool {
        var masked = bytes
        masked[31] &= 0x7F
        return lowOrderEncodings.contains(masked)
    }

    private static let lowOrderEncodings: Set<[UInt8]> = [
        little([0x00], fill: 0x00, top: 0x00),  // 0
        little([0x01], fill: 0x00, top: 0x00),  // 1
        little([0xEC], fill: 0xFF, top: 0x7F),  // p - 1
        little([0xED], fill: 0xFF, top: 0x7F),  // p, which is 0
        little([0xEE], fill: 0xFF, top: 0x7F),  // p + 1, which is 1
        [  // one point of order 8, and the other
            0xE0, 0xEB, 0x7A, 0x7C, 0x3B, 0x41, 0xB8, 0xAE, 0x16, 0x56, 0xE3, 0xFA, 0xF1, 0x9F, 0xC4, 0x6A,
            0xDA, 0x09, 0x8D, 0xEB, 0x9C, 0x32, 0xB1, 0xFD, 0x86, 0x62, 0x05, 0x16, 0x5F, 0x49, 0xB8, 0x00,
        ],
        [
            0x5F, 0x9C, 0x95, 0xBC, 0xA3, 0x50, 0x8C, 0x24, 0xB1, 0xD0, 0xB1, 0x55, 0x9C, 0x83, 0xEF, 0x5B,
            0x04, 0x44, 0x5C, 0xC4, 0x58, 0x1C, 0x8E, 0x86, 0xD8, 0x22, 0x4E, 0xDD, 0xD0, 0x9F, 0x11, 0x57,
        ],
    ]

    private static func little(_ low: [UInt8], fill: UInt8, top: UInt8) -> [UInt8] {
        low + [UInt8](repeating: fill, count: 31 - low.count) + [top]
    }
}

extension AgreementPublicKey: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = Base64URL.decode(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not base64url")
        }
        try self.init(bytes)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Base64URL.encode(bytes))
    }
}
