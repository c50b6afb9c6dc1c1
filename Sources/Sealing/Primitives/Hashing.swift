import Crypto

/// SHA-2, HMAC and HKDF over plain bytes.
package enum Hashing {
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    static func sha512(_ bytes: [UInt8]) -> [UInt8] { Array(SHA512.hash(data: bytes)) }

    static func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }

    static func hmacSHA512(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA512>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }

    /// HKDF-SHA256 (RFC 5869) with an empty salt.
    static func hkdfSHA256(_ secret: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret),
            info: info,
            outputByteCount: count
        )
        return key.withUnsafeBytes { Array($0) }
    }

    /// Whether two secrets are equal, compared in a time that depends on their length only.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (one, other) in zip(left, right) { difference |= one ^ other }
        return difference == 0
    }
}
