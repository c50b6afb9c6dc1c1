import Foundation
import Kernel
import NIOHTTP1
import NetworkWebClient
import Testing
import WebClient

@testable import ACME

@Suite("Proofs over HTTP", .timeLimit(.minutes(1)))
struct HTTPChallengeTests {
    private typealias Response = HTTPChallengeAnswers.Response

    private func answers(_ port: Int = 443) -> HTTPChallengeAnswers {
        HTTPChallengeAnswers(names: ["hub.example.org", "other.example.org"], securePort: port)
    }

    @Test("only a standing token is answered, with what proves it")
    func token() throws {
        let answers = answers()
        let token = try #require(ChallengeToken("abc-_1"))
        let path = "/.well-known/acme-challenge/abc-_1"
        #expect(answers.response(to: .GET, path, host: "anything") == Response(status: .notFound))
        answers.set("abc-_1.proof", for: token)
        #expect(answers.response(to: .GET, path, host: nil) == Response(status: .ok, body: "abc-_1.proof"))
        for other in [
            "/.well-known/acme-challenge/", "\(path)/", "\(path)x", "/.well-known/acme-challenge/../abc-_1",
            "\(path)?a",
        ] {
            #expect(answers.response(to: .GET, other, host: nil).status == .notFound)
        }
        #expect(answers.response(to: .POST, path, host: nil).status == .methodNotAllowed)
        answers.set(nil, for: token)
        #expect(answers.response(to: .GET, path, host: nil).status == .notFound)
    }

    @Test("everything else is sent on to https, by the hub's own names only")
    func redirects() {
        let cases: [(String?, Int, String?)] = [
            ("hub.example.org", 443, "https://hub.example.org/a?b"),
            ("OTHER.example.org:80", 443, "https://other.example.org/a?b"),
            ("evil.test", 443, "https://hub.example.org/a?b"), (nil, 443, "https://hub.example.org/a?b"),
            ("hub.example.org", 9001, "https://hub.example.org:9001/a?b"),
        ]
        for (host, port, location) in cases {
            #expect(answers(port).response(to: .GET, "/a?b", host: host).location == location)
        }
        for path in ["*", "http://evil.test/", "a", "/a b", "/\r\nX: y", "/" + String(repeating: "a", count: 3000)] {
            #expect(answers().response(to: .GET, path, host: nil) == Response(status: .badRequest))
        }
    }

    @Test("the port answers one request for each connection, and closes")
    func port() async throws {
        let listener = try await HTTPChallengeListener.listening(
            at: "127.0.0.1",
            port: 0,
            names: [CertificateName("hub.example.org")],
            securePort: 9001
        )
        let client = try NetworkWebClient()
        listener.prepare(try #require(ChallengeToken("abc")), "abc.proof")
        let base = "http://127.0.0.1:\(listener.port)"
        let answer = try await client.collect(WebRequest(.get, WebURL("\(base)/.well-known/acme-challenge/abc")))
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self) == "abc.proof")
        let sent = try await client.collect(WebRequest(.get, WebURL("\(base)/phone/")))
        #expect(sent.status == 307)
        #expect(sent.fields["Location"] == "https://hub.example.org:9001/phone/")
        let head = try await client.collect(WebRequest(.head, WebURL("\(base)/.well-known/acme-challenge/abc")))
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        await #expect(throws: ACMEError.self) {
            try await HTTPChallengeListener.listening(
                at: "127.0.0.1",
                port: listener.port,
                names: [CertificateName("hub.example.org")],
                securePort: 443
            )
        }
        await listener.close()
        await client.shutdown()
    }
}
