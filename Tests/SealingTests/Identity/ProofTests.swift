import Foundation
import Kernel
import Sealing
import Testing

@Suite("Proofs of identity", .timeLimit(.minutes(4)))
struct ProofTests {
    private let hash = [UInt8](repeating: 3, count: 32)

    private func proof(of identity: Identity = .alice, role: NoiseHandshake.Role = .initiator) throws -> IdentityProof {
        try IdentityProof.make(
            identity: identity,
            role: role,
            hash: hash,
            device: .phone,
            nowMilliseconds: 1_790_000_000_000
        )
    }

    @Test("a proof has the documented JSON")
    func shape() throws {
        let proof = try proof()
        let json = try JSONValue(parsing: proof.encoded)
        #expect(json["did"]?.stringValue == Identity.alice.did.text)
        #expect(json["t"]?.integerValue == 1_790_000_000_000)
        #expect(
            json["device"] == [
                "id": "b1d6c3a2-0000-4000-8000-00000000abcd", "name": "Phone", "platform": "ios", "version": "1",
            ]
        )
        #expect(Base64URL.decode(try #require(json["sig"]?.stringValue))?.count == 64)
        #expect(try IdentityProof(decoding: proof.encoded) == proof)
        // The bytes are those that Foundation's encoder and the parser made of it in earlier versions.
        #expect(try proof.encoded == JSONValue(parsing: JSONEncoder().encode(proof)).canonicalBytes)
    }

    @Test("the signature is over the documented bytes")
    func signedBytes() throws {
        let signature = try BindingSignature.make(identity: .alice, role: .initiator, hash: hash)
        var message = Array("tandem-bind-v1".utf8) + [0, 9]
        message += Array("initiator".utf8) + [32]
        message += hash + [32]
        message += Identity.alice.agreementKey.bytes
        #expect(Identity.alice.signingKey.verifies(signature, of: message))
    }

    @Test("a proof is believed for its own role, handshake and static key only")
    func bound() throws {
        let proof = try proof()
        let key = Identity.alice.agreementKey
        #expect(try proof.verify(role: .initiator, hash: hash, remoteStatic: key) == Identity.alice.did)
        #expect(throws: SealingError.identityNotProven) {
            try proof.verify(role: .responder, hash: hash, remoteStatic: key)
        }
        #expect(throws: SealingError.identityNotProven) {
            try proof.verify(role: .initiator, hash: hash.dropLast() + [4], remoteStatic: key)
        }
        #expect(throws: SealingError.identityNotProven) {
            try proof.verify(role: .initiator, hash: hash, remoteStatic: Identity.mallory.agreementKey)
        }
    }

    @Test("another's signature, an unreadable one, or a DID without a key prove nothing")
    func foreign() throws {
        for change: (inout IdentityProof) throws -> Void in [
            { $0.did = Identity.mallory.did },
            { $0.signature = try proof(of: .mallory).signature },
            { $0.signature = "***" },
            { $0.signature = "" },
            { $0.did = try DID("did:cc:alice") },
        ] {
            var changed = try proof()
            try change(&changed)
            #expect(throws: SealingError.identityNotProven) {
                try changed.verify(role: .initiator, hash: hash, remoteStatic: Identity.alice.agreementKey)
            }
        }
    }

    @Test(
        "a payload of another form or size is refused",
        arguments: [
            "", "[]", "{", #"{"did":"did:key:z"}"#,
            #"{"did":"nobody","sig":"","device":{"id":"a","name":"b"},"t":1}"#,
            #"{"did":"did:key:z","sig":"","device":{"id":"","name":"b"},"t":1}"#,
            #"{"did":"did:key:z","sig":"","device":{"id":"a","name":"b"},"t":"now"}"#,
            #"{"did":"did:key:z","sig":"","device":{"id":"\#(String(repeating: "a", count: 257))","name":"b"},"t":1}"#,
        ]
    )
    func malformed(text: String) {
        #expect(throws: SealingError.malformedContents("its identity")) {
            try IdentityProof(decoding: Array(text.utf8))
        }
    }

    @Test("unknown fields, and a device without platform or version, are read patiently")
    func patient() throws {
        let text = #"{"did":"did:key:z","sig":"","device":{"id":"a","name":"b","more":1},"t":1,"later":true}"#
        let proof = try IdentityProof(decoding: Array(text.utf8))
        #expect(proof.device == DeviceClaim(id: "a", name: "b", platform: "", version: ""))
    }

    @Test("a registration is proven for one id, nonce and host only")
    func registration() throws {
        let nonce = [UInt8](repeating: 8, count: 32)
        let did = Identity.alice.did
        let signature = try RegistrationProof.sign(
            identity: .alice,
            peerID: "p",
            nonce: nonce,
            host: "Hub.example:9001"
        )
        try RegistrationProof.verify(signature, key: did, peerID: "p", nonce: nonce, host: "hub.example:9001")
        var message = Array("tandem-register-v1".utf8) + [0, 1, UInt8(ascii: "p"), 32]
        message += nonce + [16]
        message += Array("hub.example:9001".utf8)
        #expect(Identity.alice.signingKey.verifies(signature, of: message))
        for (key, peerID, nonce, host) in [
            (Identity.mallory.did, "p", nonce, "hub.example:9001"),
            (did, "q", nonce, "hub.example:9001"),
            (did, "p", nonce.dropLast() + [9], "hub.example:9001"),
            (did, "p", nonce, "other.example:9001"),
            (try DID("did:cc:alice"), "p", nonce, "hub.example:9001"),
        ] {
            #expect(throws: SealingError.identityNotProven) {
                try RegistrationProof.verify(signature, key: key, peerID: peerID, nonce: nonce, host: host)
            }
        }
    }
}
