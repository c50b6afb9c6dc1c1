import Crypto
import Foundation
import Kernel

/// Makes and opens the headers of packages, and seals what stands beside their payload. The password's key is made on a thread of its own,
/// one at a time: each takes up to 256 MiB.
public final class MigrationCryptoService: Sendable {
    /// Bytes that sealing the key of the media adds: a nonce of 12 and a tag of 16.
    static let sealOverhead = 28
    private static let maximumMasterKey = 4096

    private let work = BlockingWork("package-key", width: 1, waitingLimit: 8, urgency: .bulk)
    private let random: @Sendable (Int) -> [UInt8]

    public convenience init() {
        self.init { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
    }

    /// - Parameter random: That many bytes, which nobody can guess and which never repeat; frozen packages are made again with others.
    init(random: @escaping @Sendable (Int) -> [UInt8]) { self.random = random }

    /// Makes the header of a new package, with new random bytes. Each new state of the data needs a new header.
    ///
    /// - Parameters:
    ///   - length: Bytes of the payload.
    ///   - backupID: 16 bytes.
    ///   - sessionKey: At least 32 bytes that both devices agreed on; nil for a package that is kept as a file.
    /// - Throws: ``ContainerError``, `CancellationError`, `BlockingWorkError`.
    public func makeHeader(
        length: UInt64,
        backupID: [UInt8],
        password: MigrationPassword,
        sessionKey: [UInt8]?,
        cost: ScryptCost = .usual
    ) async throws -> ContainerHeader {
        let key = try await makeKey(of: password, cost: cost)
        return try makeHeader(length: length, backupID: backupID, key: key, sessionKey: sessionKey)
    }

    /// A new package's key of its password, which needs nothing that the package's data says: it is made while that is read.
    ///
    /// - Throws: `CancellationError`, `BlockingWorkError`.
    func makeKey(of password: MigrationPassword, cost: ScryptCost) async throws -> PasswordKey {
        let salt = random(ContainerPrefix.saltCount)
        return try await work.run {
            PasswordKey(salt: salt, cost: cost, key: try ContainerKeys.passwordKey(password, salt: salt, cost: cost))
        }
    }

    /// - Throws: ``ContainerError``.
    func makeHeader(
        length: UInt64,
        backupID: [UInt8],
        key: PasswordKey,
        sessionKey: [UInt8]?
    ) throws -> ContainerHeader {
        let prefix = try ContainerPrefix(
            cost: key.cost,
            isSessionBound: sessionKey != nil,
            salt: key.salt,
            noncePrefix: random(ContainerPrefix.noncePrefixCount),
            length: length,
            backupID: backupID
        )
        return try ContainerHeader(
            prefix: prefix,
            passwordKey: key.key,
            sessionKey: sessionKey.map { SymmetricKey(data: $0) }
        )
    }

    /// Opens a header: tells a wrong password before any of the payload is there.
    ///
    /// - Parameter bytes: The package's first 160 bytes.
    /// - Throws: ``ContainerError``, `CancellationError`, `BlockingWorkError`.
    public func openHeader(
        _ bytes: [UInt8],
        password: MigrationPassword,
        sessionKey: [UInt8]?
    ) async throws -> ContainerHeader {
        // What is wrong without a key is said before one is made.
        let prefix = try ContainerPrefix(bytes)
        guard !prefix.isSessionBound || sessionKey != nil else { throw ContainerError.sessionNeeded }
        guard bytes.count == ContainerHeader.byteCount else { throw ContainerError.truncated }
        return try await work.run {
            try ContainerHeader(
                bytes,
                passwordKey: try ContainerKeys.passwordKey(password, salt: prefix.salt, cost: prefix.cost),
                sessionKey: sessionKey.map { SymmetricKey(data: $0) }
            )
        }
    }

    /// Seals the key of the media under the package's own key for it: nonce 12 ‖ ciphertext ‖ tag 16. The bytes are made once and kept
    /// with the package, for a second sealing would be another one.
    public func sealMasterKey(_ masterKey: [UInt8], header: ContainerHeader) throws -> [UInt8] {
        guard masterKey.count <= Self.maximumMasterKey else { throw ContainerError.invalidArgument("master key") }
        let nonce = try AES.GCM.Nonce(data: random(12))
        let box = try AES.GCM.seal(masterKey, using: header.keys.masterKey, nonce: nonce)
        guard let sealed = box.combined else { throw ContainerError.invalidArgument("master key") }
        return Array(sealed)
    }

    /// - Throws: ``ContainerError/damagedMasterKey``.
    public func openMasterKey(_ sealed: [UInt8], header: ContainerHeader) throws(ContainerError) -> [UInt8] {
        guard sealed.count <= Self.maximumMasterKey + Self.sealOverhead,
            let box = try? AES.GCM.SealedBox(combined: sealed),
            let key = try? AES.GCM.open(box, using: header.keys.masterKey)
        else { throw .damagedMasterKey }
        return Array(key)
    }

    /// The code that proves the outer copy of the manifest: HMAC-SHA256 under the package's key for it.
    public func manifestCode(_ manifest: [UInt8], header: ContainerHeader) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: manifest, using: header.keys.manifest))
    }

    public func isManifest(_ manifest: [UInt8], provedBy code: [UInt8], header: ContainerHeader) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: manifest, using: header.keys.manifest)
    }
}
