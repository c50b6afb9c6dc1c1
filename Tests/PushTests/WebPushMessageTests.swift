import Crypto
import Foundation
import Kernel
import Testing

@testable import Push

@Suite("Encryption for a subscription")
struct WebPushMessageTests {
    @Test("the example of RFC 8291, section 5 and appendix A, comes out byte for byte")
    func appendixA() throws {
        let browser = try TestBrowser(
            key: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
            auth: "BTBZMqHH6r4Tts7J_aSIgg"
        )
        let text =
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        #expect(Base64URL.encode(browser.p256dh) == text)
        let plaintext = Array("When I grow up, I want to be a watermelon".utf8)
        let body = try WebPushMessage.seal(
            plaintext,
            paddedTo: plaintext.count,
            for: browser.subscription("https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV"),
            salt: try bytes("DGv6ra1nlYgDCS1FRnbzlw"),
            key: P256.KeyAgreement.PrivateKey(
                rawRepresentation: try bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
            )
        )
        #expect(
            Base64URL.encode(body) == """
                DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml\
                mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT\
                pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
                """
        )
        #expect(try browser.open(body) == OpenedMessage(payload: plaintext, padded: plaintext.count))
    }

    @Test("the example of RFC 8188, section 3.1, comes out byte for byte")
    func singleRecord() throws {
        let plaintext = Array("I am the walrus".utf8)
        let material = SymmetricKey(data: try bytes("yqdlZ-tYemfogSmv7Ws5PQ"))
        let salt = try bytes("I1BsxtFttlv3u_Oo94xnmw")
        let body = try EncryptedContent.seal(
            plaintext,
            paddedTo: plaintext.count,
            keyingMaterial: material,
            salt: salt,
            keyID: []
        )
        #expect(
            Base64URL.encode(body) == "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg"
        )
        let record = try TestBrowser.open(record: Array(body[21...]), material: material, salt: salt)
        #expect(record == plaintext + [2])
    }

    @Test(
        "a push service sees one of four lengths",
        arguments: [
            (0, 512), (1, 512), (512, 512), (513, 1024), (1024, 1024), (2048, 2048), (2049, 3993), (3993, 3993),
        ]
    )
    func padding(count: Int, size: Int) throws {
        let browser = TestBrowser()
        // Zeros at the end of a payload are no padding.
        let payload = [UInt8](repeating: 0, count: count)
        let body = try WebPushMessage.seal(payload, for: browser.subscription("https://push.example.net/a"))
        #expect(body.count == 86 + size + 1 + 16)
        #expect(body.count <= 4096)
        #expect(try browser.open(body) == OpenedMessage(payload: payload, padded: size))
    }

    @Test("a payload that no push service has to take is refused before it is encrypted")
    func tooLarge() throws {
        let subscription = try TestBrowser().subscription("https://push.example.net/a")
        #expect(throws: PushError.payloadTooLarge(limit: 3993)) {
            try WebPushMessage.seal([UInt8](repeating: 7, count: 3994), for: subscription)
        }
    }

    @Test("each message has a salt and a key of its own, and only the subscription's owner opens it")
    func fresh() throws {
        let browser = TestBrowser()
        let subscription = try browser.subscription("https://push.example.net/a")
        let first = try WebPushMessage.seal([1], for: subscription)
        let second = try WebPushMessage.seal([1], for: subscription)
        #expect(first[..<16] != second[..<16] && first[21..<86] != second[21..<86])
        #expect(throws: (any Error).self) { try TestBrowser().open(first) }
        var broken = first
        broken[200] ^= 1
        #expect(throws: (any Error).self) { try browser.open(broken) }
    }
}
