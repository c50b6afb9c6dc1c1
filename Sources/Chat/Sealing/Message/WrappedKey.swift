import Crypto
import Foundation
import Kernel
import Sealing

/// A message's key for one device: HPKE (RFC 9180) in its base mode, with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM.
public struct WrappedKey: Hashable, Sendable {
    private static let suite = HPKE.Ciphersuite(kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256)
    static let encapsulatedCount = 32
    static let ciphertextCount = 48

    /// The chat key that opens it.
    public let id: ChatKeyID
    /// The encapsulated key, 32 bytes.
    let encapsulated: [UInt8]
    /// Key and tag, 48 bytes.
    let ciphertext: [UInt8]

    init(_ id: ChatKeyID, encapsulated: [UInt8], ciphertext: [UInt8]) {
        self.id = id
        self.encapsulated = encapsulated
        self.ciphertext = ciphertext
    }

    init(_ json: JSONValue) throws(ChatSealingError) {
        let members = try StrictMembers(json, of: "to", required: ["kid", "enc", "ct"])
        id = try ChatKeyID(try members.bytes("kid", count: ChatKeyID.byteCount))
        encapsulated = try members.bytes("enc", count: Self.encapsulatedCount)
        ciphertext = try members.bytes("ct", count: Self.ciphertextCount)
        // A point of low order would make a key that everybody knows.
        guard (try? AgreementPublicKey(encapsulated)) != nil else { throw .malformed("enc") }
    }

    var json: JSONValue { ["kid": id.json, "enc": .bytes(encapsulated), "ct": .bytes(ciphertext)] }

    /// The bytes that a message's signature is over.
    var bytes: [UInt8] { id.bytes + encapsulated + ciphertext }

    /// - Parameter info: The message's binding.
    static func wrap(_ key: [UInt8], for bundle: KeyBundle, info: [UInt8]) throws -> WrappedKey {
        let recipient = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: bundle.key.bytes)
        var sender = try HPKE.Sender(recipientKey: recipient, ciphersuite: suite, info: Data(info))
        let ciphertext = try sender.seal(Data(key), authenticating: Data(bundle.id.bytes))
        return WrappedKey(bundle.id, encapsulated: Array(sender.encapsulatedKey), ciphertext: Array(ciphertext))
    }

    /// - Throws: ``ChatSealingError/damaged``.
    func unwrap(with pair: ChatKeyPair, info: [UInt8]) throws(ChatSealingError) -> [UInt8] {
        do {
            var recipient = try HPKE.Recipient(
                privateKey: pair.secret,
                ciphersuite: Self.suite,
                info: Data(info),
                encapsulatedKey: Data(encapsulated)
            )
            return Array(try recipient.open(Data(ciphertext), authenticating: Data(id.bytes)))
        } catch {
            throw .damaged
        }
    }
}
