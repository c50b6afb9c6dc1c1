import Crypto
import Foundation

/// The content coding `aes128gcm` (RFC 8188) with a single record, which is all that Web Push allows (RFC 8291 section 4).
enum EncryptedContent {
    /// The record size that is written into the header: what every push service takes in all (RFC 8030 section 7.2).
    static let recordSize = 4096
    static let saltLength = 16
    /// Ends the plaintext of the last record; zeros follow (RFC 8188 section 2).
    private static let lastDelimiter: UInt8 = 2
    private static let keyInfo = Data("Content-Encoding: aes128gcm\0".utf8)
    private static let nonceInfo = Data("Content-Encoding: nonce\0".utf8)

    /// Salt, record size, length of the key's id, the key's id, ciphertext with its tag.
    ///
    /// - Parameters:
    ///   - size: Bytes to which the plaintext is padded, so that its length is not seen; at least its length.
    ///   - salt: 16 bytes, new for each message.
    ///   - keyID: At most 255 bytes.
    static func seal(
        _ plaintext: [UInt8],
        paddedTo size: Int,
        keyingMaterial: SymmetricKey,
        salt: [UInt8],
        keyID: [UInt8]
    ) throws -> [UInt8] {
        let key = derive(keyingMaterial, salt, keyInfo, count: 16)
        // The nonce of the first record is the derived one itself: its number is zero.
        let nonce = derive(keyingMaterial, salt, nonceInfo, count: 12)
        let padding = [UInt8](repeating: 0, count: max(0, size - plaintext.count))
        let sealed = try AES.GCM.seal(
            plaintext + [lastDelimiter] + padding,
            using: key,
            nonce: AES.GCM.Nonce(data: nonce.withUnsafeBytes { Data($0) })
        )
        let size = UInt32(recordSize)
        let sizeBytes = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: size >> UInt32($0)) }
        return salt + sizeBytes + [UInt8(keyID.count)] + keyID + sealed.ciphertext + sealed.tag
    }

    private static func derive(_ material: SymmetricKey, _ salt: [UInt8], _ info: Data, count: Int) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: material, salt: salt, info: info, outputByteCount: count)
    }
}
