import Foundation
import Kernel
import Testing

@testable import Sealing

@Suite("Decentralised identifiers", .timeLimit(.minutes(4)))
struct DIDTests {
    // Source: the did:key method's own vectors, ed25519-x25519.json.
    @Test(
        "the did:key of a seed is the published one",
        arguments: [
            (UInt8(0), "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp"),
            (UInt8(1), "did:key:z6MkjchhfUsD6mmvni8mCdXHw216Xrm9bQe2mBH1P5RDjVJG"),
        ]
    )
    func published(lastByte: UInt8, text: String) throws {
        let seed = [UInt8](repeating: 0, count: 31) + [lastByte]
        let identity = try Identity(signingSeed: seed, agreementSecret: [UInt8](repeating: 5, count: 32))
        #expect(identity.did.text == text)
        #expect(identity.did.signingKey == identity.signingKey)
        #expect("\(identity.did)" == text)
    }

    @Test(
        "an opaque identifier of another method is kept as it is and has no key",
        arguments: ["did:cc:abc", "did:chainlesschain:00ff", "did:web:example.com:user", "did:key:abc", "did:3:x:y"]
    )
    func opaque(text: String) throws {
        let did = try DID(text)
        #expect(did.text == text)
        #expect(did.signingKey == nil)
    }

    @Test(
        "what is not a DID is refused",
        arguments: [
            "", "did", "did:", "did::x", "did:key:", "DID:key:x", "did:Key:x", "did:ke y:x", " did:key:x", "urn:key:x",
            "did:key:a\nb", "did:key:a\u{0}", "did:key:a\u{2028}b", "did:key:a b",
            // The Kelvin sign: as a string it is equal to a K.
            "did:key:z6M\u{212A}",
            "did:key:" + String(repeating: "a", count: 241),
            "did:key:e" + String(repeating: "\u{301}", count: 240),
        ]
    )
    func malformed(text: String) {
        #expect(throws: SealingError.malformedDID) { try DID(text) }
    }

    @Test("240 characters are the most")
    func longest() throws {
        #expect(try DID("did:x:" + String(repeating: "a", count: 240)).text.count == 246)
    }

    @Test("a did:key of another key type, length or alphabet holds no key of ours")
    func otherKeys() throws {
        // secp256k1 and P-256 from the did:key specification, then damaged ones of Ed25519.
        for text in [
            "did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme",
            "did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169",
            "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooW",
            "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDoo0p",
            "did:key:z" + String(repeating: "z", count: 200),
        ] {
            #expect(try DID(text).signingKey == nil)
        }
    }

    @Test("a DID is one JSON string, and a malformed one does not decode")
    func coding() throws {
        let did = Identity.alice.did
        #expect(try JSONValue(encoding: [did]) == [.string(did.text)])
        #expect(try JSONValue.array([.string(did.text)]).decode(as: [DID].self) == [did])
        #expect(throws: (any Error).self) { try JSONValue.array(["did:"]).decode(as: [DID].self) }
    }

    @Test("a fingerprint is four words that can be spoken and depend on the whole identifier")
    func fingerprint() throws {
        let fingerprint = try DID("did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp").fingerprint
        #expect(fingerprint.wholeMatch(of: /([b-z][aiou][b-z][aiou][b-z]-){3}[b-z][aiou][b-z][aiou][b-z]/) != nil)
        #expect(fingerprint != (try DID("did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWq").fingerprint))
    }

    @Test(
        "each two bytes are one word, and every word is its own",
        arguments: [
            ([0x7F, 0x00, 0x00, 0x01], "lusab-babad"), ([0x3F, 0x54, 0xDC, 0xC1], "gutih-tugad"),
            ([0xFF, 0xFF, 0x00, 0x00], "zuzuz-babab"),
        ] as [([UInt8], String)]
    )
    func words(bytes: [UInt8], text: String) {
        #expect(KeyWords.text(for: bytes) == text)
    }

    @Test("all 65536 pairs of bytes have different words")
    func distinctWords() {
        let words = Set((0...0xFFFF).map { KeyWords.text(for: [UInt8($0 >> 8), UInt8($0 & 0xFF)]) })
        #expect(words.count == 65_536)
    }
}
