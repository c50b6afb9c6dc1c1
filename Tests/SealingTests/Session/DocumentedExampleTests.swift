import Foundation
import Kernel
import Testing

@testable import Sealing

/// The worked examples of `docs/protocol.md` 4 are what this code computes.
@Suite("The examples in the protocol's document", .timeLimit(.minutes(4)))
struct DocumentedExampleTests {
    /// The document without the spaces that group the digits.
    private let page: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/protocol.md"), encoding: .utf8)
        page = text.filter { $0 != " " }
    }

    private func shows(_ bytes: some Collection<UInt8>) -> Bool { page.contains(Hexadecimal.encode(Array(bytes))) }

    private func identity() throws -> Identity {
        try Identity(
            signingSeed: [UInt8](repeating: 0, count: 31) + [1],
            agreementSecret: [UInt8](repeating: 5, count: 32)
        )
    }

    @Test("the signatures, the device id and the words belong to the seed that is named")
    func identityExamples() throws {
        let did = try identity().did
        #expect(page.contains("`\(did.text)`"))
        let registration = "BCXWkhmEiUMgd5p7bYFNYIPykukkrge4tRuiix3jX2Ks0NTBTpW1bv2nTdMVZ-ReogEAYFpnr8U6SwquvYMDBg"
        #expect(page.contains(registration))
        try RegistrationProof.verify(
            #require(Base64URL.decode(registration)),
            key: did,
            peerID: did.text,
            nonce: [UInt8](repeating: 8, count: 32),
            host: "hub.example:9001"
        )
        let request = "tSi8TmPpXe9F4KReHBH4EgoQ85FXvZRcUwHNyIxGe4w-P8yrJACPhGdeFPCSI0K-_7mqSaTIt71-juFpOJvGAg"
        #expect(page.contains(request))
        let signer = try RequestProof.verify(
            "Tandem did=\"\(did.text)\", t=\"1790000000000\", sig=\"\(request)\"",
            method: "GET",
            target: "/turn-credentials?uid=9f0c6a1be2d34775",
            host: "hub.example:9001",
            now: Date(millisecondsSince1970: 1_790_000_000_000)
        )
        #expect(signer == did)
        #expect(page.contains("`\(DeviceID.certified(by: did))`"))
        #expect(page.contains("`\(did.fingerprint)`"))
    }

    @Test("the QR code's hash, the pre-shared key and the typed code's channel are as shown")
    func pairingExamples() throws {
        var offer = QROffer(identity: try identity())
        offer.secret = Array(0..<16)
        let qr: JSONValue = [
            "type": "desktop-pairing", "code": "482915", "pcPeerId": "9f0c6a1be2d34775",
            "timestamp": 1_790_000_000_000,
            "e2e": [
                "v": 1, "pk": .string(Base64URL.encode([UInt8](repeating: 9, count: 32))),
                "psk": .string(Base64URL.encode(offer.secret)),
            ],
        ]
        #expect(page.contains(qr.canonicalText))
        #expect(shows(Hashing.sha256(qr.canonicalBytes)))
        #expect(QRExchange.prologue(qr: qr, code: "482915").starts(with: Array("tandem-pair-v1".utf8) + [0, 32]))
        #expect(shows(offer.noisePSK))
        #expect(shows(CodeExchange.channel(alias: "pairing-code:482913")))
    }

    @Test("the record is what the cipher makes of the plaintext, the nonce and the associated data")
    func recordExample() throws {
        let cipher = NoiseCipher(key: Array(0x40...0x5F))
        let body: [UInt8] =
            [1, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 9, 8]
        let associated = [UInt8](0..<16) + [0, 0, 0, 0, 0, 1]
        let sealed = try cipher.seal(RecordPadding.pad(body, []), nonce: 1, authenticating: associated)
        #expect(shows(body))
        #expect(shows(associated))
        #expect(shows(sealed.dropLast(16)))
        #expect(shows(sealed.suffix(16)))
        #expect(page.contains("\"ct\":\"\(Base64URL.encode(sealed))\""))
        let zeros = [UInt8](repeating: 0, count: 32)
        #expect(shows(try cipher.seal(zeros, nonce: .max, authenticating: []).prefix(32)))
    }
}
