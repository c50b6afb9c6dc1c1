import Kernel
import KernelTesting
import Testing

@testable import PortForwarding

@Suite("The origin of a forwarded port")
struct PortOriginTests {
    private let time = ManualClock()
    private let origin: PortOrigin

    init() { origin = PortOrigin(remote: 3000, computer: "did:key:z6Mk", local: 4000, time: time) }

    private func request(_ line: String, _ fields: [String]) throws -> HTTPHead {
        let text = ([line] + fields).joined(separator: "\r\n") + "\r\n\r\n"
        return try #require(HTTPHead(Array(text.utf8)[...]))
    }

    private var host: String { "Host: \(origin.name):4000" }

    /// The cookie of a browser that came in.
    private func enter() throws -> String {
        let path = origin.makeEntry().dropFirst(origin.text.count)
        guard case .enter(let cookie) = origin.decide(try request("GET \(path) HTTP/1.1", [host])) else {
            Issue.record("it was not let in")
            return ""
        }
        #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        return String(cookie.prefix { $0 != ";" })
    }

    private func status(_ decision: PortOrigin.Decision) -> Int? {
        if case .refuse(let status, _, _) = decision { status } else { nil }
    }

    @Test("a way in opens once, and not after a minute")
    func entry() throws {
        let path = origin.makeEntry().dropFirst(origin.text.count)
        let first = try request("GET \(path) HTTP/1.1", [host])
        guard case .enter = origin.decide(first) else {
            Issue.record("it was not let in")
            return
        }
        #expect(status(origin.decide(first)) == 403)
        let late = origin.makeEntry().dropFirst(origin.text.count)
        time.advance(by: .seconds(61))
        #expect(status(origin.decide(try request("GET \(late) HTTP/1.1", [host]))) == 403)
    }

    @Test("the program gets its own name, and neither the cookie nor a second request on the connection")
    func rewriting() throws {
        let cookie = try enter()
        let asked = try request(
            "POST /a?b=c HTTP/1.1",
            [
                host, "X-Own: kept", "Cookie: theme=dark; \(cookie); lang=de", "Origin: \(origin.text)",
                "Referer: \(origin.text)/page", "Connection: keep-alive", "Content-Length: 3",
            ]
        )
        guard case .pass(let head, let body) = origin.decide(asked) else {
            Issue.record("it was refused")
            return
        }
        #expect(body == .length(3))
        #expect(
            String(decoding: head.bytes, as: UTF8.self) == """
                POST /a?b=c HTTP/1.1\r
                Host: localhost:3000\r
                X-Own: kept\r
                Cookie: theme=dark; lang=de\r
                Origin: http://localhost:3000\r
                Referer: http://localhost:3000/page\r
                Content-Length: 3\r
                Connection: close\r
                \r

                """
        )
    }

    @Test("a browser that was not let in, another name for this machine and other pages are refused")
    func refusals() throws {
        let cookie = try enter()
        #expect(status(origin.decide(try request("GET / HTTP/1.1", [host]))) == 403)
        #expect(status(origin.decide(try request("GET / HTTP/1.1", [host, "Cookie: \(cookie)x"]))) == 403)
        for other in ["evil.example:4000", "127.0.0.1:4000", "localhost:4000", "\(origin.name):4001", origin.name] {
            #expect(
                status(origin.decide(try request("GET / HTTP/1.1", ["Host: \(other)", "Cookie: \(cookie)"]))) == 421
            )
        }
        #expect(status(origin.decide(try request("GET / HTTP/1.1", ["Cookie: \(cookie)"]))) == 421)
        for field in ["Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site"] {
            let asked = try request("GET / HTTP/1.1", [host, "Cookie: \(cookie)", field])
            #expect(status(origin.decide(asked)) == 403)
        }
        let socket = ["Cookie: \(cookie)", "Connection: Upgrade", "Upgrade: websocket"]
        #expect(status(origin.decide(try request("GET / HTTP/1.1", [host] + socket))) == 403)
        let own = try request("GET / HTTP/1.1", [host, "Origin: \(origin.text)"] + socket)
        guard case .pass(let head, .open) = origin.decide(own) else {
            Issue.record("a WebSocket of its own page was refused")
            return
        }
        #expect(head.values("connection") == ["Upgrade"])
    }

    @Test("a cookie of one listener opens no other one")
    func otherListener() throws {
        let cookie = try enter()
        let other = PortOrigin(remote: 3000, computer: "did:key:z6Mk", local: 4001, time: time)
        let asked = try request("GET / HTTP/1.1", ["Host: \(other.name):4001", "Cookie: \(cookie)"])
        #expect(status(other.decide(asked)) == 403)
    }

    @Test(
        "a request with two possible ends is refused",
        arguments: [
            ["Content-Length: 3", "Content-Length: 4"], ["Content-Length: 3", "Transfer-Encoding: chunked"],
            ["Transfer-Encoding: gzip, chunked"], ["Content-Length: +3"],
        ]
    )
    func smuggling(fields: [String]) throws {
        let asked = try request("POST / HTTP/1.1", [host, "Cookie: \(try enter())"] + fields)
        #expect(status(origin.decide(asked)) == 400)
    }

    @Test(
        "a head that two programs could read differently is none",
        arguments: [
            "GET / HTTP/1.1\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", "GET / HTTP/1.1\r\n a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        ]
    )
    func heads(text: String) {
        #expect(HTTPHead(Array(text.utf8)[...]) == nil)
    }

    @Test("a head's end is found wherever it was cut", arguments: 0...18)
    func cutHeads(known: Int) {
        let bytes = Array("GET / HTTP/1.1\r\n\r\nrest".utf8)
        #expect(HTTPHead.length(in: Array(bytes[..<known])) == (known < 18 ? nil : 18))
        if known < 18 { #expect(HTTPHead.length(in: bytes, behind: known) == 18) }
    }

    @Test("redirects to the program's own name lead here, others go where they go")
    func redirects() throws {
        func location(_ value: String) throws -> String? {
            let answer = try request("HTTP/1.1 302 Found", ["Location: \(value)", "Connection: keep-alive"])
            let head = origin.rewritten(answer: answer)
            #expect(head.values("connection") == ["close"])
            return head.values("location").first
        }
        #expect(try location("http://localhost:3000/in?x=1") == "\(origin.text)/in?x=1")
        #expect(try location("http://127.0.0.1:3000") == origin.text)
        #expect(try location("http://localhost:30001/") == "http://localhost:30001/")
        #expect(try location("/own") == "/own")
        let upgraded = try request("HTTP/1.1 101 Switching Protocols", ["Connection: Upgrade"])
        #expect(origin.rewritten(answer: upgraded) == upgraded)
    }
}
