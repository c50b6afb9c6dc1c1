import Crypto
import Foundation

/// AES-256-GCM with the nonces of Noise: four zero bytes, then a big-endian counter.
struct NoiseCipher: Sendable {
    static let tagLength = 16
    /// The greatest nonce for messages. Noise reserves the one above it for rekeying.
    static let greatestNonce = UInt64.max - 1

    private let key: SymmetricKey

    init(key: [UInt8]) { self.key = SymmetricKey(data: key) }

    /// - Returns: The ciphertext, then the tag.
    func seal(_ plaintext: [UInt8], nonce: UInt64, authenticating data: [UInt8]) throws(SealingError) -> [UInt8] {
        do {
            let box = try AES.GCM.seal(plaintext, using: key, nonce: Self.nonce(nonce), authenticating: data)
            var sealed: [UInt8] = []
            sealed.reserveCapacity(plaintext.count + Self.tagLength)
            box.ciphertext.withUnsafeBytes { sealed += $0 }
            box.tag.withUnsafeBytes { sealed += $0 }
            return sealed
        } catch {
            // AES-GCM only refuses messages above 64 GiB.
            throw .tooLong(bytes: plaintext.count, limit: 1 << 36)
        }
    }

    /// - Returns: The plaintext; nil unless all of it was sealed with this key, nonce and data.
    func open(_ sealed: ArraySlice<UInt8>, nonce: UInt64, authenticating data: [UInt8]) -> [UInt8]? {
        open(sealed, nonce: nonce, authenticating: data) { Array($0) }
    }

    /// - Parameter read: Reads the plaintext in place, so that it is not copied first.
    /// - Returns: The result of `read`; nil unless all of the plaintext was sealed with this key, nonce and data.
    func open<Contents>(
        _ sealed: ArraySlice<UInt8>,
        nonce: UInt64,
        authenticating data: [UInt8],
        reading read: (UnsafeRawBufferPointer) -> Contents
    ) -> Contents? {
        guard sealed.count >= Self.tagLength else { return nil }
        do {
            let box = try AES.GCM.SealedBox(
                nonce: Self.nonce(nonce),
                ciphertext: sealed.dropLast(Self.tagLength),
                tag: sealed.suffix(Self.tagLength)
            )
            return try AES.GCM.open(box, using: key, authenticating: data).withUnsafeBytes(read)
        } catch {
            return nil
        }
    }

    /// `Rekey()` of Noise: the key that follows this one. An attacker who learns it cannot find this one.
    func rekeyed() throws(SealingError) -> NoiseCipher {
        let sealed = try seal([UInt8](repeating: 0, count: 32), nonce: .max, authenticating: [])
        return NoiseCipher(key: Array(sealed.prefix(32)))
    }

    private static func nonce(_ counter: UInt64) throws -> AES.GCM.Nonce {
        let bytes = [UInt8](unsafeUninitializedCapacity: 12) { buffer, count in
            for index in 0..<12 {
                buffer.initializeElement(
                    at: index,
                    to: index < 4 ? 0 : UInt8(truncatingIfNeeded: counter >> UInt64(8 * (11 - index)))
                )
            }
            count = 12
        }
        return try AES.GCM.Nonce(data: bytes)
    }
}
