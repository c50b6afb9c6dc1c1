import Crypto
import Foundation
import Kernel
import Testing

@testable import Push

/// A browser's side of a subscription: its keys, and how it reads what was sent.
struct TestBrowser {
    let key: P256.KeyAgreement.PrivateKey
    let auth: [UInt8]

    init() {
        key = P256.KeyAgreement.PrivateKey()
        auth = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    }

    init(key: String, auth: String) throws {
        self.key = try P256.KeyAgreement.PrivateKey(rawRepresentation: try bytes(key))
        self.auth = try bytes(auth)
    }

    var p256dh: [UInt8] { Array(key.publicKey.x963Representation) }

    func subscription(_ endpoint: String, allowing: Set<PushOrigin> = []) throws -> WebPushSubscription {
        try WebPushSubscription(endpoint: PushEndpoint(endpoint, allowing: allowing), p256dh: p256dh, auth: auth)
    }

    /// What the page is given: RFC 8291 section 3, with RFC 8188 section 2 for a single record.
    func open(_ body: [UInt8]) throws -> OpenedMessage {
        try #require(body.count > 21 && body.count <= 4096)
        let idLength = Int(body[20])
        try #require(idLength == 65 && body.count > 86 + 17)
        let sender = Data(body[21..<86])
        let material = try key.sharedSecretFromKeyAgreement(
            with: P256.KeyAgreement.PublicKey(x963Representation: sender)
        )
        .hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: Data(auth),
            sharedInfo: Data("WebPush: info\0".utf8) + p256dh + sender,
            outputByteCount: 32
        )
        let record = try TestBrowser.open(record: Array(body[86...]), material: material, salt: Array(body[..<16]))
        let size = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
        try #require(size == 4096 && record.count + 16 < size)
        let end = try #require(record.lastIndex { $0 != 0 })
        try #require(record[end] == 2)
        return OpenedMessage(payload: Array(record[..<end]), padded: record.count - 1)
    }

    static func open(record: [UInt8], material: SymmetricKey, salt: [UInt8]) throws -> [UInt8] {
        func derive(_ info: String, _ count: Int) -> Data {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material,
                salt: salt,
                info: Data("Content-Encoding: \(info)\0".utf8),
                outputByteCount: count
            ).withUnsafeBytes { Data($0) }
        }
        let box = try AES.GCM.SealedBox(combined: derive("nonce", 12) + record)
        return Array(try AES.GCM.open(box, using: SymmetricKey(data: derive("aes128gcm", 16))))
    }
}

struct OpenedMessage: Hashable {
    let payload: [UInt8]
    /// Bytes of the payload with its padding.
    let padded: Int
}

/// What a push service reads of `Authorization`, once the signature is right.
struct ReadToken: Hashable {
    let audience: String?
    let expiry: Int64?
    let subject: String?
    let head: String
    let input: String
    let key: [UInt8]

    /// - Throws: Unless it is `vapid t=…, k=…` with a token that this key signed (RFC 8292 section 3).
    init(_ header: String) throws {
        let match = try #require(header.wholeMatch(of: /vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)/))
        input = "\(match.1).\(match.2)"
        key = try bytes(String(match.4))
        let verifier = try P256.Signing.PublicKey(x963Representation: key)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: try bytes(String(match.3)))
        try #require(verifier.isValidSignature(signature, for: Data(input.utf8)))
        head = String(decoding: try bytes(String(match.1)), as: UTF8.self)
        let claims = try JSONValue(parsing: try bytes(String(match.2)))
        audience = claims["aud"]?.stringValue
        expiry = claims["exp"]?.integerValue
        subject = claims["sub"]?.stringValue
    }
}

func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }
