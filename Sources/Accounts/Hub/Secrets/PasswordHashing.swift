import Crypto
import CryptoExtras
import Foundation
import Kernel
import Sealing

/// Makes and checks hashes of passwords, one at a time on a thread of its own: each takes much memory and time. Addresses take turns, and of
/// each only a few wait.
final class PasswordHashing: Sendable {
    private static let waitingOfAddress = 4
    private static let waitingLimit = 32

    let parameters: ScryptParameters
    private let work = BlockingWork(
        "tandem.scrypt",
        width: 1,
        deviceWidth: 1,
        deviceWaitingLimit: waitingOfAddress,
        waitingLimit: waitingLimit,
        urgency: .bulk
    )
    /// Checked in the place of the hash of an account that has none: an answer's time does not tell which names exist.
    private let decoy: PasswordHash

    init(_ parameters: ScryptParameters) {
        self.parameters = parameters
        decoy = PasswordHash(
            parameters: parameters,
            salt: RandomBytes.make(PasswordHash.saltBytes),
            key: RandomBytes.make(PasswordHash.keyBytes)
        )
    }

    /// - Throws: ``AccountsError/busy``.
    func hash(_ password: Password, for address: String) async throws -> PasswordHash {
        let salt = RandomBytes.make(PasswordHash.saltBytes)
        let key = try await key(of: password, salt, parameters, for: address)
        return PasswordHash(parameters: parameters, salt: salt, key: Self.bytes(of: key))
    }

    /// Whether a password is that of a hash. Takes as long where there is no hash.
    ///
    /// - Throws: ``AccountsError/busy``.
    func matches(_ password: Password, _ kept: PasswordHash?, for address: String) async throws -> Bool {
        let hash = kept ?? decoy
        let key = try await key(of: password, hash.salt, hash.parameters, for: address)
        // SymmetricKey compares in constant time.
        let isEqual = key == SymmetricKey(data: hash.key)
        return isEqual && kept != nil
    }

    private func key(
        of password: Password,
        _ salt: [UInt8],
        _ parameters: ScryptParameters,
        for address: String
    ) async throws -> SymmetricKey {
        do {
            return try await WorkOwner.$device.withValue(address) {
                try await work.run {
                    try KDF.Scrypt.deriveKey(
                        from: password.bytes,
                        salt: salt,
                        outputByteCount: PasswordHash.keyBytes,
                        rounds: parameters.rounds,
                        blockSize: parameters.blockSize,
                        parallelism: parameters.parallelism
                    )
                }
            }
        } catch is BlockingWorkError {
            throw AccountsError.busy
        }
    }

    private static func bytes(of key: SymmetricKey) -> [UInt8] { key.withUnsafeBytes { Array($0) } }
}
