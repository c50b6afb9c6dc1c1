import Crypto
import Foundation
import Kernel
import KernelTesting
import Testing

@testable import Push

@Suite("VAPID")
struct VAPIDTests {
    /// RFC 8292 section 2.4.
    private static let example = """
        eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1\
        YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0
        """

    private static let exampleSignature =
        "i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA"

    private static let exampleKey =
        "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"

    @Test("what is signed is that of RFC 8292 section 2.4, and its signature is read as ours are")
    func rfcExample() throws {
        let input = VAPIDKey.signingInput(
            for: try PushOrigin("https://push.example.net"),
            expiry: Date(timeIntervalSince1970: 1_453_523_768),
            contact: try VAPIDContact("mailto:push@example.com")
        )
        #expect(input == Self.example)
        let read = try ReadToken("vapid t=\(Self.example).\(Self.exampleSignature), k=\(Self.exampleKey)")
        #expect(read.audience == "https://push.example.net" && read.expiry == 1_453_523_768)
        #expect(read.subject == "mailto:push@example.com")
    }

    @Test("a token is for one origin, lasts twelve hours and can be verified with the key beside it")
    func token() throws {
        let clock = ManualClock()
        let key = VAPIDKey()
        let tokens = VAPIDTokens(key: key, contact: try VAPIDContact("https://example.com/push"), time: clock)
        let read = try ReadToken(try tokens.authorization(for: try PushOrigin("https://push.example.net:8443")))
        #expect(read.head == #"{"typ":"JWT","alg":"ES256"}"#)
        #expect(read.audience == "https://push.example.net:8443")
        #expect(read.expiry == Int64(clock.date.timeIntervalSince1970) + 12 * 3600)
        #expect(read.subject == "https://example.com/push")
        #expect(read.key == key.publicKey && key.publicKey.count == 65)
    }

    @Test("without a contact there is no subject")
    func anonymous() throws {
        let tokens = VAPIDTokens(key: VAPIDKey(), contact: nil, time: ManualClock())
        let read = try ReadToken(try tokens.authorization(for: try PushOrigin("https://push.example.net")))
        #expect(read.subject == nil)
    }

    @Test("a token is used until half of its life is over, at its own push service alone")
    func reuse() throws {
        let clock = ManualClock()
        let tokens = VAPIDTokens(key: VAPIDKey(), contact: nil, time: clock)
        let (one, other) = (try PushOrigin("https://one.example.net"), try PushOrigin("https://other.example.net"))
        let first = try tokens.authorization(for: one)
        #expect(try tokens.authorization(for: other) != first)
        clock.advance(by: .seconds(6 * 3600 - 1))
        #expect(try tokens.authorization(for: one) == first)
        clock.advance(by: .seconds(1))
        let second = try tokens.authorization(for: one)
        #expect(second != first)
        #expect(try ReadToken(second).expiry == Int64(clock.date.timeIntervalSince1970) + 12 * 3600)
        #expect(try tokens.authorization(for: one) == second)
    }

    @Test("a thousand push services take the memory of sixty-four")
    func bounded() throws {
        let clock = ManualClock()
        let tokens = VAPIDTokens(key: VAPIDKey(), contact: nil, time: clock)
        let first = try tokens.authorization(for: try PushOrigin("https://first.example.net"))
        for number in 0..<VAPIDTokens.capacity {
            clock.advance(by: .seconds(1))
            _ = try tokens.authorization(for: try PushOrigin("https://p\(number).example.net"))
        }
        #expect(try tokens.authorization(for: try PushOrigin("https://first.example.net")) != first)
    }

    @Test("a key is 32 bytes that are a scalar of P-256, and comes back as the same")
    func keys() throws {
        let key = VAPIDKey()
        #expect(try VAPIDKey(rawRepresentation: key.rawRepresentation).publicKey == key.publicKey)
        for wrong in [[], [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32), [1, 2, 3]] {
            #expect(throws: PushError.malformed(.key, rule: "a private key of P-256, 32 bytes")) {
                try VAPIDKey(rawRepresentation: wrong)
            }
        }
    }

    @Test(
        "a contact is a mailbox or a page of a public domain",
        arguments: [
            "", "push@example.com", "mailto:", "mailto:me@localhost", "mailto:me@computer.local", "mailto:@example.com",
            "mailto:a@b@example.com", "https://localhost/x", "http://example.com", "https://192.0.2.1/",
            "mailto:me@x.invalid",
            "mailto:me@example.com\r\nX: y", "https://example.com:443/",
            "mailto:" + String(repeating: "a", count: 250) + "@example.com",
        ]
    )
    func wrongContact(text: String) {
        #expect(throws: PushError.self) { try VAPIDContact(text) }
    }
}
