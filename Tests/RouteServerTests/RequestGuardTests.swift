import HTTPTypes
import RouteServer
import Testing
import Transport

@Suite("Which requests a server answers", .timeLimit(.minutes(1)))
struct RequestGuardTests {
    /// Knows these hosts at any port; all that there are where there is no list.
    private struct Names: HostPolicy {
        var hosts: Set<String>?

        func knows(_ host: RequestAuthority, on connection: RequestConnection) -> Bool {
            hosts?.contains(host.host) ?? true
        }
    }

    private let connection = RequestConnection(local: NetworkAddress(text: "192.0.2.1"), port: 9001, now: 1)

    private func guarding(
        _ audience: RequestGuard.Audience = .programs,
        hosts: Set<String>? = ["studio.local"]
    ) -> RequestGuard {
        RequestGuard(
            Names(hosts: hosts),
            for: audience,
            ownSchemes: ["http", "https"],
            allowedOrigins: ["https://app.example.org", "capacitor://localhost"]
        ) { "\($0)\n" }
    }

    @Test(
        "what is no authority is known nowhere",
        arguments: [
            "", "a@x.local", "x/.local", "x#.local", "[::1]junk", "127.0.0.1:+9001", "127.0.0.1:junk", "[localhost]",
            "a b", "a\tb", "büro.local", String(repeating: "a", count: 262),
        ]
    )
    func noAuthority(text: String) {
        for audience in [RequestGuard.Audience.programs, .browsers] {
            let refusal = guarding(audience, hosts: nil).refusal(.init(host: .one(text)), on: connection)
            guard case .unknownHost? = refusal else {
                Issue.record("\(text) was taken")
                continue
            }
        }
    }

    @Test("a host is known by its policy; the refusal shows of another what no terminal acts on")
    func hosts() {
        let guarding = guarding()
        #expect(guarding.refusal(.init(host: .one("STUDIO.local:9001")), on: connection) == nil)
        #expect(guarding.refusal(.init(host: .one("evil.example")), on: connection) == .unknownHost("evil.example"))
        #expect(guarding.refusal(.init(host: .one("\u{1B}[2J<b>")), on: connection) == .unknownHost("?[2J?b?"))
        #expect(RequestGuard.Refusal.unknownHost("").status == 421)
        #expect(RequestGuard.Refusal.foreignOrigin.status == 403)
    }

    @Test("two hosts are none, and two origins are a stranger's, also where each is known")
    func several() {
        let refusal = guarding().refusal(.init(host: .several), on: connection)
        #expect(refusal == .unknownHost("several names at once"))
        let claims = RequestClaims(host: .one("studio.local"), origin: .several)
        #expect(guarding().refusal(claims, on: connection) == .foreignOrigin)
    }

    @Test("programs may leave out host and origin, browsers neither of them when they act")
    func missing() {
        #expect(guarding(.programs).refusal(.init(host: .missing), on: connection) == nil)
        #expect(guarding(.browsers).refusal(.init(host: .missing), on: connection) == .unknownHost("no name"))
        let claims = RequestClaims(host: .one("studio.local"))
        #expect(guarding(.programs).refusal(claims, on: connection) == nil)
        #expect(guarding(.browsers).refusal(claims, on: connection) == .foreignOrigin)
        #expect(guarding(.browsers).refusal(claims, for: .reading, on: connection) == nil)
        #expect(guarding(.browsers).refusal(claims, for: .document, on: connection) == nil)
    }

    @Test(
        "an origin is the server's own by scheme, host and port, with default ports left out or not",
        arguments: [
            ("studio.local", "http://studio.local", true), ("studio.local", "https://studio.local:443", true),
            ("studio.local:80", "http://studio.local", true), ("STUDIO.local:9001", "http://studio.LOCAL:9001", true),
            ("studio.local:9001", "HTTP://studio.local:9001", true), ("studio.local:443", "http://studio.local", false),
            ("studio.local:9001", "http://studio.local", false), ("studio.local", "ws://studio.local", false),
            ("studio.local", "null", false), ("studio.local", "file://", false),
            ("studio.local", "studio.local", false),
            ("studio.local", "http://evil.example", false), ("studio.local", "http://studio.local/", false),
            ("studio.local", "https://app.example.org", true), ("studio.local", "https://APP.example.org", true),
            ("studio.local", "https://app.example.org.evil.example", false),
            ("studio.local", "capacitor://localhost", true), ("studio.local", "capacitor://evil.example", false),
        ]
    )
    func origins(host: String, origin: String, isTaken: Bool) {
        for audience in [RequestGuard.Audience.programs, .browsers] {
            let claims = RequestClaims(host: .one(host), origin: .one(origin))
            let expected: RequestGuard.Refusal? = isTaken ? nil : .foreignOrigin
            #expect(guarding(audience).refusal(claims, on: connection) == expected)
        }
    }

    @Test("a browser's word that another site asks counts, but for a page that a link leads to")
    func sites() {
        func refusal(_ purpose: RequestGuard.Purpose, _ site: String?, _ mode: String?, _ destination: String?)
            -> RequestGuard.Refusal?
        {
            let claims = RequestClaims(
                host: .one("studio.local"),
                origin: .one("http://studio.local"),
                site: site,
                mode: mode,
                destination: destination
            )
            #expect(guarding(.programs).refusal(claims, for: purpose, on: connection) == nil)
            return guarding(.browsers).refusal(claims, for: purpose, on: connection)
        }
        for site in [nil, "same-origin", "none"] { #expect(refusal(.acting, site, "cors", "empty") == nil) }
        for site in ["cross-site", "same-site", "unheard-of"] {
            #expect(refusal(.document, site, "navigate", "document") == nil)
            #expect(refusal(.document, site, "navigate", "iframe") == .foreignOrigin)
            #expect(refusal(.document, site, nil, nil) == .foreignOrigin)
            #expect(refusal(.reading, site, "navigate", "document") == .foreignOrigin)
            #expect(refusal(.acting, site, "navigate", "document") == .foreignOrigin)
        }
    }

    @Test("the claims of a request over HTTP")
    func requests() throws {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "studio.local", path: "/")
        #expect(RequestClaims(head).host == .one("studio.local"))
        #expect(RequestClaims(head).origin == .missing)
        head.headerFields.append(HTTPField(name: .origin, value: "http://studio.local"))
        head.headerFields.append(HTTPField(name: try #require(HTTPField.Name("Sec-Fetch-Site")), value: "none"))
        #expect(RequestClaims(head).origin == .one("http://studio.local"))
        #expect(RequestClaims(head).site == "none")
        head.headerFields.append(HTTPField(name: .origin, value: "http://studio.local"))
        head.headerFields.append(HTTPField(name: try #require(HTTPField.Name("Host")), value: "studio.local"))
        #expect(RequestClaims(head).host == .several)
        #expect(RequestClaims(head).origin == .several)
        #expect(RequestClaims(HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")).host == .missing)
    }

    @Test("the claims of a WebSocket's handshake, and the answer that refuses it")
    func handshakes() throws {
        func claims(_ fields: String) throws -> RequestClaims {
            let head =
                "GET / HTTP/1.1\r\nHost: Studio.local\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\(fields)"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            guard case .upgrade(let request) = WebSocketHandshake.parse(request: Array(head.utf8)) else {
                Issue.record("no handshake")
                return RequestClaims(host: .missing)
            }
            return RequestClaims(request)
        }
        #expect(try claims("").host == .one("studio.local"))
        #expect(try claims("").origin == .missing)
        #expect(try claims("Origin: null\r\nSec-Fetch-Site: same-site\r\n").origin == .one("null"))
        #expect(try claims("Sec-Fetch-Site: same-site\r\n").site == "same-site")
        #expect(try claims("Origin: http://studio.local\r\nOrigin: http://studio.local\r\n").origin == .several)
        let response = guarding().response(.foreignOrigin, fields: "X: y\r\n")
        #expect(response.hasPrefix("HTTP/1.1 403 Forbidden\r\nX: y\r\n"))
        #expect(response.hasSuffix("\r\n\r\nforeignOrigin\n"))
    }

    @Test("a name that was rebound to a signaling server is misdirected at every port")
    func rebound() throws {
        let names = ServerNames(
            configured: ["hub.example.org"],
            address: "192.0.2.1",
            machine: "studio",
            certificateNames: { ["*.hubs.example.org"] }
        )
        for port in ["", ":80", ":443", ":9001", ":9002"] {
            for host in ["evil.example", "192.0.2.1.evil.example", "localhost.evil.example", "localhost"] {
                let authority = try #require(RequestAuthority(host + port))
                #expect(!names.knows(authority, on: connection), "\(host)\(port)")
            }
            let authority = try #require(RequestAuthority("hub.example.org" + port))
            #expect(names.knows(authority, on: connection))
        }
    }

    @Test(
        "a page is asked for by the one address that it is at",
        arguments: [
            ("127.0.0.1", 8700, "127.0.0.1:8700", true), ("127.0.0.1", 8700, "127.0.0.1.:8700", false),
            ("127.0.0.1", 8700, "127.0.0.1", false), ("127.0.0.1", 8700, "localhost:8700", false),
            ("127.0.0.1", 8700, "[::ffff:127.0.0.1]:8700", false), ("127.0.0.1", 8700, "127.0.0.1:08700", false),
            ("127.0.0.1", 80, "127.0.0.1", true), ("127.0.0.1", 80, "127.0.0.1:80", true),
            ("::1", 8700, "[::1]:8700", true), ("::1", 8700, "[0::1]:8700", false), ("::1", 8700, "::1", false),
            ("::1", 80, "[::1]", true), ("::1", 80, "::1", false),
        ]
    )
    func pages(address: String, port: Int, host: String, isKnown: Bool) throws {
        let authority = try #require(RequestAuthority(host))
        #expect(OneAddress(address: address, port: port).knows(authority, on: connection) == isKnown)
    }

    @Test("a page that is asked for as localhost says so, and nothing else")
    func byName() {
        let place = OneAddress(address: "::1", port: 80)
        for host in ["localhost", "LOCALHOST:80"] {
            #expect(place.isByName(.init(host: .one(host))))
        }
        for host in [RequestClaims.Field.missing, .several, .one("localhost:8700"), .one("x.localhost"), .one("[::1]")]
        {
            #expect(!place.isByName(.init(host: host)))
        }
        #expect(place.url == "http://[::1]:80")
    }

    @Test(
        "a bridge is known by addresses and by names that no stranger's page can have, at any port",
        arguments: [
            ("127.0.0.1:9099", true), ("[2001:db8::5]", true), ("203.0.113.7:1", true), ("localhost", true),
            ("x.localhost:9099", true), ("studio.local.", true), ("studio.tail1.ts.net:9099", true),
            ("desk.example:443", true), ("sub.desk.example", false), ("evil.example", false), ("studio", false),
            ("local", false), ("ts.net", false), ("studio.local.evil.example", false),
            ("127.0.0.1.evil.example", false),
        ]
    )
    func bridges(host: String, isKnown: Bool) throws {
        let authority = try #require(RequestAuthority(host))
        #expect(LocalNames(["desk.example"]).knows(authority, on: connection) == isKnown)
    }
}
