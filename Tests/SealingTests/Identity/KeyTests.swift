import Kernel
import Testing

@testable import Sealing

@Suite("Public keys", .timeLimit(.minutes(4)))
struct KeyTests {
    struct Vectors: Decodable {
        struct Point: Decodable {
            var u: String
            var q: String
            var aborts: Bool
        }
        var scalar: String
        var points: [Point]
    }

    @Test(
        "every low-order point of the CPace draft is refused, with the top bit set too; every other agrees as published"
    )
    func lowOrder() throws {
        let vectors = try Fixture.read("cpace-vectors", as: Vectors.self)
        let scalar = try KeyAgreement(Fixture.bytes(vectors.scalar))
        #expect(vectors.points.count == 12)
        for point in vectors.points {
            let bytes = try Fixture.bytes(point.u)
            if point.aborts {
                var topped = bytes
                topped[31] |= 0x80
                #expect(throws: SealingError.weakKey) { try AgreementPublicKey(bytes) }
                #expect(throws: SealingError.weakKey) { try AgreementPublicKey(topped) }
                #expect(throws: SealingError.weakKey) { try scalar.sharedSecret(with: bytes) }
                #expect(throws: SealingError.weakKey) { try scalar.sharedSecret(with: topped) }
            } else {
                #expect(try scalar.sharedSecret(with: AgreementPublicKey(bytes).bytes) == Fixture.bytes(point.q))
            }
        }
    }

    // The eight points, then encodings above p of two of them.
    @Test(
        "a signing key of low order is refused, since anybody could sign for it",
        arguments: [
            "0100000000000000000000000000000000000000000000000000000000000000",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0000000000000000000000000000000000000000000000000000000000000080",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        ]
    )
    func lowOrderSigningKey(hexadecimal: String) throws {
        let bytes = try Fixture.bytes(hexadecimal)
        #expect(throws: SealingError.weakKey) { try SigningPublicKey(bytes) }
        let did = try DID("did:key:z" + Base58.encode([0xED, 0x01] + bytes))
        #expect(did.signingKey == nil)
    }

    @Test("a key of another length is refused", arguments: [0, 31, 33])
    func lengths(count: Int) {
        let bytes = [UInt8](repeating: 9, count: count)
        #expect(throws: SealingError.wrongLength(of: "agreement key", expected: 32, actual: count)) {
            try AgreementPublicKey(bytes)
        }
        #expect(throws: SealingError.wrongLength(of: "signing key", expected: 32, actual: count)) {
            try SigningPublicKey(bytes)
        }
    }

    // Source: RFC 8032, section 7.1, test 2.
    @Test("the published Ed25519 signature verifies, and no other message or signature does")
    func signatures() throws {
        let key = try SigningPublicKey(
            Fixture.bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
        )
        let signature = try Fixture.bytes(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        )
        #expect(key.verifies(signature, of: [0x72]))
        #expect(!key.verifies(signature, of: [0x73]))
        #expect(!key.verifies(signature.reversed(), of: [0x72]))
        #expect(!key.verifies([], of: [0x72]))
        #expect(!key.verifies(signature + [0], of: [0x72]))
        #expect(!Identity.alice.signingKey.verifies(signature, of: [0x72]))
    }

    @Test("an agreement key travels as base64url, and a low-order one does not decode")
    func coding() throws {
        let key = Identity.alice.agreementKey
        #expect(try JSONValue(encoding: [key]) == [.string(Base64URL.encode(key.bytes))])
        #expect(
            try JSONValue.array([.string(Base64URL.encode(key.bytes))]).decode(as: [AgreementPublicKey].self) == [key]
        )
        for text in [Base64URL.encode([UInt8](repeating: 0, count: 32)), "AAAA", "***"] {
            #expect(throws: (any Error).self) {
                try JSONValue.array([.string(text)]).decode(as: [AgreementPublicKey].self)
            }
        }
    }
}
