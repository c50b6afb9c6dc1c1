import Crypto
import Foundation

/// A package of version 1: one AES-GCM box over the whole archive (nonce 12 ‖ ciphertext ‖ tag 16). It has no header and nothing that tells
/// a wrong key from damage, and its plaintext is held in memory, so it is bounded and only read.
enum LegacyPackage {
    /// Bytes of the sealed file.
    static let maximumByteCount = 256 << 20
    private static let overhead = 28

    /// - Parameter byteCount: Bytes of the file, which are checked before it is read.
    /// - Throws: ``ContainerError/tooLarge``, ``ContainerError/truncated``.
    static func check(byteCount: UInt64) throws(ContainerError) {
        guard byteCount <= UInt64(maximumByteCount) else { throw .tooLarge }
        guard byteCount >= UInt64(overhead) else { throw .truncated }
    }

    /// - Throws: ``ContainerError/wrongPassword`` where the box does not open; ``check(byteCount:)``.
    static func open(_ sealed: Data, key: SymmetricKey) throws(ContainerError) -> Data {
        try check(byteCount: UInt64(sealed.count))
        guard let box = try? AES.GCM.SealedBox(combined: sealed), let archive = try? AES.GCM.open(box, using: key)
        else {
            throw .wrongPassword
        }
        return archive
    }
}
