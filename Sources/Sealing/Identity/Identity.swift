import Crypto
public import Kernel

/// The device's key pairs: an Ed25519 key that signs for its DID, and an X25519 key for handshakes. They are two, so that
/// neither is ever used for the other's purpose.
public struct Identity: Sendable {
    /// The `did:key` of ``signingKey``, by which other devices know this one.
    public let did: DID
    /// The public half of the key that signs, Ed25519.
    public let signingKey: SigningPublicKey
    /// The public half of the static key of handshakes, X25519.
    public let agreementKey: AgreementPublicKey
    let agreement: KeyAgreement
    private let signing: Curve25519.Signing.PrivateKey

    /// Makes a new identity with random keys.
    public init() {
        self.init(signing: Curve25519.Signing.PrivateKey(), agreement: KeyAgreement())
    }

    /// Makes the identity of the given secret keys, 32 bytes each.
    package init(signingSeed: [UInt8], agreementSecret: [UInt8]) throws(SealingError) {
        let signing: Curve25519.Signing.PrivateKey
        do {
            signing = try Curve25519.Signing.PrivateKey(rawRepresentation: signingSeed)
        } catch {
            throw .wrongLength(of: "signing seed", expected: 32, actual: signingSeed.count)
        }
        self.init(signing: signing, agreement: try KeyAgreement(agreementSecret))
    }

    private init(signing: Curve25519.Signing.PrivateKey, agreement: KeyAgreement) {
        self.signing = signing
        self.agreement = agreement
        signingKey = SigningPublicKey(own: Array(signing.publicKey.rawRepresentation))
        agreementKey = AgreementPublicKey(own: agreement.publicBytes)
        did = DID(key: signingKey)
    }

    /// The Ed25519 signature over `message`, 64 bytes.
    ///
    /// - Throws: The cryptographic library's error; never for a key that was made here.
    public func sign(_ message: [UInt8]) throws -> [UInt8] {
        try Array(signing.signature(for: message))
    }
}

// Printing or dumping an identity shows its DID, and no secret.
extension Identity: CustomStringConvertible, CustomReflectable {
    public var description: String { did.text }
    public var customMirror: Mirror { Mirror(self, children: ["did": did]) }
}

// The form on disk: version (1) ‖ Ed25519 seed (32) ‖ X25519 secret (32) ‖ checksum (8).
extension Identity {
    private static let version: UInt8 = 1
    private static let keyName = "identity"

    /// - Parameter stored: The value of ``stored``.
    /// - Throws: ``SealingError/damagedIdentity``, or ``SealingError/unsupportedIdentity(version:)`` for bytes of a
    ///   later version.
    public init(restoring stored: [UInt8]) throws(SealingError) {
        guard let version = stored.first else { throw .damagedIdentity }
        guard version == Self.version else { throw .unsupportedIdentity(version: version) }
        guard stored.count == 73 else { throw .damagedIdentity }
        let contents = Array(stored.prefix(65))
        // Any 32 bytes are a valid key, so without a checksum damage would silently change this device's identity.
        guard Self.checksum(of: contents) == Array(stored.suffix(8)) else { throw .damagedIdentity }
        try self.init(signingSeed: Array(contents[1..<33]), agreementSecret: Array(contents[33..<65]))
    }

    /// The secret keys, for a place that only this device's owner can read.
    public var stored: [UInt8] {
        let contents = [Self.version] + Array(signing.rawRepresentation) + agreement.bytes
        return contents + Self.checksum(of: contents)
    }

    private static func checksum(of contents: [UInt8]) -> [UInt8] {
        Array(Hashing.sha256(Array("tandem-identity".utf8) + contents).prefix(8))
    }

    /// The identity that is stored in `folder`; a new one is made and stored when there is none.
    public static func loadOrCreate(in folder: StateFolder) throws -> Identity {
        if let stored = try folder.readKey(keyName) { return try Identity(restoring: stored) }
        let identity = Identity()
        try folder.writeKey(keyName, identity.stored)
        return identity
    }
}
