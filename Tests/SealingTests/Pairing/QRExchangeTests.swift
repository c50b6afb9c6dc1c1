import Foundation
import Kernel
import Testing

@testable import Sealing

@Suite("The handshake of the QR flows", .timeLimit(.minutes(4)))
struct QRExchangeTests {
    private let offer = QROffer(identity: .bob)
    private let code = "482915"

    private func qr(_ offer: QROffer) throws -> JSONValue {
        [
            "type": "desktop-pairing", "code": .string(code), "pcPeerId": "9f0c6a1be2d34775",
            "timestamp": 1_790_000_000_000, "e2e": try JSONValue(encoding: offer),
        ]
    }

    private func scanner(
        qr: JSONValue? = nil,
        code: String? = nil,
        offer: QROffer? = nil,
        identity: Identity = .alice
    ) throws -> QRExchange.Scanner {
        try QRExchange.Scanner(
            qr: qr ?? self.qr(offer ?? self.offer),
            code: code ?? self.code,
            offer: offer ?? self.offer,
            identity: identity,
            device: .phone
        )
    }

    private func presenter() throws -> QRExchange.Presenter {
        try QRExchange.Presenter(qr: qr(offer), code: code, offer: offer, identity: .bob, device: .desktop)
    }

    @Test("both ends end up with the other's proven identity")
    func success() throws {
        var scanner = try scanner()
        var presenter = try presenter()
        let phone = try presenter.read(scanner.open(nowMilliseconds: 1))
        #expect(phone.did == Identity.alice.did)
        #expect(phone.agreementKey == Identity.alice.agreementKey)
        #expect(phone.device == .phone)
        #expect(phone.sentAtMilliseconds == 1)
        let desktop = try scanner.finish(reading: presenter.accept(nowMilliseconds: 2))
        #expect(desktop.did == Identity.bob.did)
        #expect(desktop.agreementKey == Identity.bob.agreementKey)
        #expect(desktop.device == .desktop)
        #expect(desktop.sentAtMilliseconds == 2)
    }

    @Test("an offer has the documented JSON and comes back from it")
    func offerShape() throws {
        let json = try JSONValue(encoding: offer)
        #expect(json["v"] == 1)
        #expect(json["pk"] == .string(Base64URL.encode(Identity.bob.agreementKey.bytes)))
        #expect(json["psk"]?.stringValue?.utf8.count == 22)
        #expect(try json.decode(as: QROffer.self) == offer)
        // Both ends hash it: its bytes are those that Foundation's encoder and the parser made of it in earlier versions.
        #expect(try json == JSONValue(parsing: JSONEncoder().encode(offer)))
        #expect(QROffer(identity: .bob).secret != offer.secret)
    }

    @Test("an offer with a weak key or a short secret is not read")
    func malformedOffer() throws {
        let key = JSONValue.string(Base64URL.encode(Identity.bob.agreementKey.bytes))
        let zero = JSONValue.string(Base64URL.encode([UInt8](repeating: 0, count: 32)))
        let offers: [JSONValue] = [
            ["v": 1, "pk": zero, "psk": "AAAAAAAAAAAAAAAAAAAAAA"],
            ["v": 1, "pk": key, "psk": "AAAA"],
            ["v": 1, "pk": key],
        ]
        for json in offers {
            #expect(throws: (any Error).self) { try json.decode(as: QROffer.self) }
        }
    }

    @Test("the order of the QR's members does not matter, since its canonical form is hashed")
    func canonical() throws {
        let text = try String(decoding: qr(offer).canonicalBytes, as: UTF8.self)
        let spaced = text.replacing(",", with: ", ").replacing(#""type":"#, with: #""type" : "#)
        var scanner = try scanner(qr: JSONValue(parsing: Array(spaced.utf8)))
        var presenter = try presenter()
        #expect(try presenter.read(scanner.open(nowMilliseconds: 1)).did == Identity.alice.did)
    }

    @Test("a scanner that saw another code, another QR, another secret or another key is refused")
    func disagreement() throws {
        var otherSecret = offer
        otherSecret.secret = QROffer(identity: .bob).secret
        var otherKey = offer
        otherKey.agreementKey = Identity.mallory.agreementKey
        var members = try #require(try qr(offer).objectValue)
        members["pcPeerId"] = "somebody-else"
        for scanner in [
            try scanner(code: "482916"),
            try scanner(qr: .object(members)),
            try scanner(qr: qr(offer), offer: otherSecret),
            try scanner(qr: qr(offer), offer: otherKey),
        ] {
            var scanner = scanner
            var presenter = try presenter()
            let message = try scanner.open(nowMilliseconds: 1)
            #expect(throws: SealingError.handshakeFailed) { try presenter.read(message) }
        }
    }

    @Test("only the device that showed the code can answer")
    func impostor() throws {
        var scanner = try scanner()
        let message = try scanner.open(nowMilliseconds: 1)
        // It saw the code too, but has another static key.
        var impostor = try QRExchange.Presenter(
            qr: qr(offer),
            code: code,
            offer: offer,
            identity: .mallory,
            device: .desktop
        )
        #expect(throws: SealingError.handshakeFailed) { try impostor.read(message) }
        var presenter = try presenter()
        _ = try presenter.read(message)
        let answer = try presenter.accept(nowMilliseconds: 2)
        var changed = answer
        changed[answer.count / 2] ^= 1
        #expect(throws: SealingError.handshakeFailed) { try scanner.finish(reading: changed) }
        #expect(try scanner.finish(reading: answer).did == Identity.bob.did)
    }

    @Test("a scanner that claims another's DID is refused, and the code is not used up")
    func foreignIdentity() throws {
        var handshake = try NoiseHandshake(
            pattern: .IKpsk1,
            role: .initiator,
            prologue: prologue(),
            identity: .mallory,
            remote: offer.agreementKey,
            psk: offer.noisePSK
        )
        let forged = try handshake.write { hash in
            var proof = try IdentityProof.make(
                identity: .mallory,
                role: .initiator,
                hash: hash,
                device: .phone,
                nowMilliseconds: 1
            )
            proof.did = Identity.alice.did
            return try proof.encoded
        }
        var presenter = try presenter()
        #expect(throws: SealingError.identityNotProven) { try presenter.read(forged) }
        var scanner = try scanner()
        #expect(try presenter.read(scanner.open(nowMilliseconds: 1)).did == Identity.alice.did)
    }

    @Test("a proof taken from another handshake is refused")
    func replayedProof() throws {
        let stolen = try IdentityProof.make(
            identity: .alice,
            role: .initiator,
            hash: [UInt8](repeating: 1, count: 32),
            device: .phone,
            nowMilliseconds: 1
        )
        var handshake = try NoiseHandshake(
            pattern: .IKpsk1,
            role: .initiator,
            prologue: prologue(),
            identity: .alice,
            remote: offer.agreementKey,
            psk: offer.noisePSK
        )
        let message = try handshake.write { _ in try stolen.encoded }
        var presenter = try presenter()
        #expect(throws: SealingError.identityNotProven) { try presenter.read(message) }
    }

    @Test("steps out of turn are refused")
    func outOfTurn() throws {
        var scanner = try scanner()
        var presenter = try presenter()
        #expect(throws: SealingError.handshakeOutOfOrder) { try presenter.accept(nowMilliseconds: 1) }
        #expect(throws: SealingError.handshakeOutOfOrder) { try scanner.finish(reading: []) }
        let message = try scanner.open(nowMilliseconds: 1)
        #expect(throws: SealingError.handshakeOutOfOrder) { try scanner.open(nowMilliseconds: 1) }
        _ = try presenter.read(message)
        #expect(throws: SealingError.handshakeOutOfOrder) { try presenter.read(message) }
    }

    /// The documented prologue, written out here a second time.
    private func prologue() throws -> [UInt8] {
        var bytes = Array("tandem-pair-v1".utf8) + [0, 32]
        bytes += Hashing.sha256(try qr(offer).canonicalBytes)
        bytes += [14] + Array("scanner>shower".utf8)
        return bytes + [6] + Array(code.utf8)
    }
}
