public import Kernel
public import Sealing

/// A chat key's public half, signed by its device. Source: `docs/protocol.md` 2.10.2.
public struct KeyBundle: Hashable, Sendable {
    private static let label = "tandem-chat-key-1"

    public let did: DID
    public let key: AgreementPublicKey
    public let id: ChatKeyID
    /// When the key was made, in milliseconds since 1970 by the device's clock.
    public let made: Int64
    /// Ed25519, 64 bytes.
    public let signature: [UInt8]

    /// Reads a bundle and checks its form and signature. Whether its device is to be believed says the account's chain.
    ///
    /// - Throws: ``ChatSealingError/malformed(_:)``, ``ChatSealingError/badSignature``.
    public init(_ json: JSONValue) throws(ChatSealingError) {
        let members = try StrictMembers(
            json,
            of: "bundle",
            required: ["did", "key", "kid", "made", "sig", "until", "v"]
        )
        _ = try members.integer("v", in: 1...1)
        did = try members.device("did")
        do { key = try AgreementPublicKey(try members.bytes("key", count: 32)) } catch { throw .malformed("key") }
        id = try ChatKeyID(try members.bytes("kid", count: ChatKeyID.byteCount))
        guard id == ChatKeyID(of: key) else { throw .malformed("kid") }
        made = try members.integer("made", in: 0...(ChainEntry.times.upperBound - ChatKeyLife.use))
        guard try members.integer("until", in: ChainEntry.times) == made + ChatKeyLife.use else {
            throw .malformed("until")
        }
        signature = try members.bytes("sig", count: 64)
        let text = SignedText.bytes(Self.label, .object(members.values.filter { $0.key != "sig" }))
        try SignedText.verify(signature, of: text, by: did)
    }

    static func signed(_ key: AgreementPublicKey, made: Int64, by identity: Identity) throws -> KeyBundle {
        let json: JSONValue = [
            "v": 1, "did": .string(identity.did.text), "key": .bytes(key.bytes), "kid": ChatKeyID(of: key).json,
            "made": .integer(made), "until": .integer(made + ChatKeyLife.use),
        ]
        let signature = try identity.sign(SignedText.bytes(label, json))
        return try KeyBundle(json.adding("sig", .bytes(signature)))
    }

    public var json: JSONValue {
        [
            "v": 1, "did": .string(did.text), "key": .bytes(key.bytes), "kid": id.json, "made": .integer(made),
            "until": .integer(until), "sig": .bytes(signature),
        ]
    }

    /// The end of its use, in milliseconds since 1970.
    public var until: Int64 { made + ChatKeyLife.use }

    /// Whether something may be sealed for it now. A clock that is up to a day off is taken.
    public func isInUse(at now: Int64) -> Bool { (made - ChatKeyLife.skew...until).contains(now) }
}
