import Crypto
public import Sealing

/// A device's chat key, both halves.
public struct ChatKeyPair: Sendable {
    public let id: ChatKeyID
    public let publicKey: AgreementPublicKey
    /// Milliseconds since 1970.
    public let made: Int64
    let secret: Curve25519.KeyAgreement.PrivateKey

    /// A new key.
    public init(madeAt now: Int64) throws { try self.init(Curve25519.KeyAgreement.PrivateKey(), madeAt: now) }

    /// - Parameter secretBytes: The value of ``secretBytes``.
    /// - Throws: ``ChatSealingError/malformed(_:)`` unless there are 32 bytes.
    public init(secretBytes: [UInt8], madeAt made: Int64) throws {
        guard let secret = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: secretBytes) else {
            throw ChatSealingError.malformed("key")
        }
        try self.init(secret, madeAt: made)
    }

    private init(_ secret: Curve25519.KeyAgreement.PrivateKey, madeAt made: Int64) throws {
        self.secret = secret
        self.made = made
        publicKey = try AgreementPublicKey(Array(secret.publicKey.rawRepresentation))
        id = ChatKeyID(of: publicKey)
    }

    /// The private half, 32 bytes, for a place that only this device's owner can read.
    public var secretBytes: [UInt8] { Array(secret.rawRepresentation) }

    /// The public half, as it is published.
    public func bundle(signedBy identity: Identity) throws -> KeyBundle {
        try KeyBundle.signed(publicKey, made: made, by: identity)
    }
}

// Printing or dumping a key shows its name, and no secret.
extension ChatKeyPair: CustomStringConvertible, CustomReflectable {
    public var description: String { "chat key \(id.bytes)" }
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
