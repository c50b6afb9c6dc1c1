import Crypto
import CryptoExtras
import Foundation

/// The five keys of a package. Source: `docs/protocol.md` 2.13.
struct ContainerKeys: Sendable {
    /// 32 bytes of the header that bind the package to one set of keys: GCM alone does not, and a file made to open under many passwords
    /// would let its author test many with one try.
    let commitment: [UInt8]
    let header: SymmetricKey
    let payload: SymmetricKey
    let masterKey: SymmetricKey
    let manifest: SymmetricKey

    /// - Parameter sessionKey: The key that both devices agreed on; needed exactly where the package is bound to a session.
    /// - Throws: ``ContainerError/sessionNeeded``, ``ContainerError/invalidArgument(_:)``.
    init(passwordKey: SymmetricKey, sessionKey: SymmetricKey?, prefix: ContainerPrefix) throws(ContainerError) {
        var material = passwordKey.withUnsafeBytes { Array($0) }
        if prefix.isSessionBound {
            guard let sessionKey else { throw .sessionNeeded }
            guard sessionKey.bitCount >= 256 else { throw .invalidArgument("session key") }
            sessionKey.withUnsafeBytes { material += $0 }
        }
        let secret = HKDF<SHA256>.extract(
            inputKeyMaterial: SymmetricKey(data: material),
            salt: Data(SHA256.hash(data: prefix.bytes))
        )
        func expanded(_ label: String) -> SymmetricKey {
            HKDF<SHA256>.expand(
                pseudoRandomKey: secret,
                info: Array("mystory/mig/2/\(label)".utf8),
                outputByteCount: 32
            )
        }
        commitment = expanded("commit").withUnsafeBytes { Array($0) }
        header = expanded("header")
        payload = expanded("payload")
        masterKey = expanded("masterkey")
        manifest = expanded("manifest")
    }

    /// The password's key. It takes the memory and time of `cost`, so it is called on a thread that may block.
    static func passwordKey(
        _ password: MigrationPassword,
        salt: [UInt8],
        cost: ScryptCost
    ) throws -> SymmetricKey {
        try KDF.Scrypt.deriveKey(
            from: password.bytes,
            salt: salt,
            outputByteCount: 32,
            rounds: 1 << Int(cost.logN),
            blockSize: Int(ScryptCost.blockSize),
            parallelism: Int(cost.parallelism)
        )
    }
}
