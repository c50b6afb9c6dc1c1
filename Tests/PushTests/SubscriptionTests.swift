import Foundation
import Kernel
import Testing

@testable import Push

@Suite("Subscriptions")
struct SubscriptionTests {
    private static let point =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"

    private static let auth = "BTBZMqHH6r4Tts7J_aSIgg"

    private func json(_ endpoint: JSONValue, _ p256dh: JSONValue, _ auth: JSONValue) -> JSONValue {
        ["endpoint": endpoint, "expirationTime": nil, "keys": ["p256dh": p256dh, "auth": auth]]
    }

    @Test("what browsers hand out is read, with and without padding, and written as the same")
    func read() throws {
        let endpoint = "https://fcm.googleapis.com/fcm/send/dQw4w9:APA91b?x=%20y"
        let plain = try WebPushSubscription(json(.string(endpoint), .string(Self.point), .string(Self.auth)))
        #expect(plain.endpoint.text == endpoint && plain.p256dh.count == 65 && plain.auth.count == 16)
        #expect(plain.endpoint.requestTarget == "/fcm/send/dQw4w9:APA91b?x=%20y")
        #expect(plain.endpoint.origin.description == "https://fcm.googleapis.com")
        let padded = json(.string(endpoint), .string(Self.point + "="), .string(Self.auth + "=="))
        #expect(try WebPushSubscription(padded) == plain)
        #expect(try WebPushSubscription(plain.json) == plain)
    }

    @Test("neither the path nor a key is in what is logged of a subscription")
    func secrets() throws {
        let subscription = try WebPushSubscription(
            json("https://push.example.net/secret", .string(Self.point), .string(Self.auth))
        )
        #expect("\(subscription)" == "a subscription at https://push.example.net")
        #expect("\(subscription.endpoint)" == "https://push.example.net/…")
    }

    @Test(
        "keys of another length, alphabet or curve are refused by name",
        arguments: [
            ("", "keys.p256dh"), ("BCVx", "keys.p256dh"), ("*" + point.dropFirst(), "keys.p256dh"),
            (point.replacing("-", with: "+"), "keys.p256dh"), (point + "AA", "keys.p256dh"),
            // The last byte of the point is another: it is not on the curve.
            (point.dropLast(2) + "jw", "keys.p256dh"), ("=" + point, "keys.p256dh"),
            // Compressed, and the point at infinity.
            ("AiVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx", "keys.p256dh"), ("AA", "keys.p256dh"),
            (String(repeating: "A", count: 100_000), "keys.p256dh"),
        ]
    )
    func wrongPoint(text: String, field: String) {
        #expect {
            try WebPushSubscription(json("https://push.example.net/a", .string(text), .string(Self.auth)))
        } throws: {
            guard case .malformed(let found, _)? = $0 as? PushError else { return false }
            return found.rawValue == field && "\($0)".contains(field)
        }
    }

    @Test(
        "an authentication secret has sixteen bytes",
        arguments: ["", "BTBZMqHH6r4Tts7J_aSI", auth + "AA", "BTBZMqHH6r4Tts7J_aSIgh"]
    )
    func wrongSecret(text: String) {
        #expect {
            try WebPushSubscription(json("https://push.example.net/a", .string(Self.point), .string(text)))
        } throws: {
            guard case .malformed(.auth, _)? = $0 as? PushError else { return false }
            return true
        }
    }

    @Test("a value of another shape is refused by name")
    func shapes() {
        #expect(throws: PushError.malformed(.subscription, rule: "an object")) { try WebPushSubscription("text") }
        #expect(throws: PushError.malformed(.endpoint, rule: "a text")) { try WebPushSubscription([:]) }
        #expect(throws: PushError.malformed(.p256dh, rule: "a text")) {
            try WebPushSubscription(["endpoint": "https://push.example.net/a", "keys": "none"])
        }
        #expect(throws: PushError.malformed(.auth, rule: "a text")) {
            try WebPushSubscription(json("https://push.example.net/a", .string(Self.point), 7))
        }
    }

    @Test(
        "an endpoint is an https address with a public name, and nothing that two programs read differently",
        arguments: [
            "", "http://push.example.net/a", "ftp://push.example.net/a", "https:/push.example.net/a", "https://",
            "https:///a",
            "//push.example.net/a", "https://user@push.example.net/a", "https://user:pass@push.example.net/a",
            "https://push.example.net@127.0.0.1/a", "https://push.example.net/a#b",
            "https://push.example.net\\@evil.example/a",
            "https://push.example.net/a b", "https://push.example.net/a\r\nX: y", "https://push.example.net/ä",
            "https://push.example.net/a\u{0}", "https://[::1]/a", "https://[2001:db8::1]/a",
            "https://push..example.net/a",
            "https://push.example.net./a", "https://-push.example.net/a", "https://push_1.example.net/a",
            "https://push.example.net:/a", "https://push.example.net:0443/a:x", "https://push.example.net:99999/a",
            "https://push.example.net:443:443/a", "https://%70ush.example.net/a",
            "https://\(String(repeating: "a", count: 64)).net/",
            "https://push.example.net/" + String(repeating: "a", count: 2048),
        ]
    )
    func endpoint(text: String) {
        #expect {
            try PushEndpoint(text)
        } throws: {
            guard case .malformed(.endpoint, _)? = $0 as? PushError else { return false }
            return true
        }
    }

    @Test(
        "names and ports that no push service has are refused",
        arguments: [
            "https://localhost/a", "https://router/a", "https://nas.local/a", "https://push.localhost/a",
            "https://127.0.0.1/a",
            "https://10.0.0.1/a", "https://8.8.8.8/a", "https://0x7f.1/a", "https://2130706433/a", "https://127.1/a",
            "https://x.home.arpa/a", "https://metadata.google.internal/a", "https://push.example.net:8443/a",
            "https://push.example.net:80/a", "https://push.example.net:22/a",
        ]
    )
    func origin(text: String) {
        #expect {
            try PushEndpoint(text)
        } throws: {
            guard case .originNotAllowed? = $0 as? PushError else { return false }
            return true
        }
    }

    @Test("the owner may allow an origin of their own, and only that one")
    func allowed() throws {
        let own = try PushOrigin("https://push.home.arpa:8443")
        #expect(try PushEndpoint("https://push.home.arpa:8443/a", allowing: [own]).origin == own)
        #expect(throws: PushError.self) { try PushEndpoint("https://push.home.arpa:8444/a", allowing: [own]) }
        #expect(throws: PushError.self) { try PushEndpoint("https://push.home.arpa/a", allowing: [own]) }
        #expect(try PushEndpoint("HTTPS://Push.Example.net:443/A").origin.description == "https://push.example.net")
        #expect(try PushEndpoint("https://push.example.net").requestTarget == "/")
        #expect(try PushEndpoint("https://push.example.net?a=b").requestTarget == "/?a=b")
        for wrong in ["http://x.net", "https://x.net/", "https://a@x.net", "https://[::1]", "x.net", ""] {
            #expect(throws: PushError.self) { try PushOrigin(wrong) }
        }
    }

    @Test("a topic has at most 32 characters of the base64url alphabet")
    func topic() throws {
        #expect(try PushTopic("thread-1_A").text == "thread-1_A")
        for wrong in ["", "a b", "a+b", "ü", "a\r\nb", String(repeating: "a", count: 33)] {
            #expect(throws: PushError.self) { try PushTopic(wrong) }
        }
    }

    @Test("a concealed topic tells nothing and replaces only its own")
    func concealed() throws {
        let (one, other) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        let topic = try PushTopic(concealing: "thread".utf8, secret: one)
        #expect(topic.text.utf8.count == 32)
        #expect(try PushTopic(topic.text) == topic)
        #expect(try PushTopic(concealing: "thread".utf8, secret: one) == topic)
        #expect(try PushTopic(concealing: "threae".utf8, secret: one) != topic)
        #expect(try PushTopic(concealing: "thread".utf8, secret: other) != topic)
        #expect(throws: PushError.self) { try PushTopic(concealing: "thread".utf8, secret: [1, 2, 3]) }
    }
}
