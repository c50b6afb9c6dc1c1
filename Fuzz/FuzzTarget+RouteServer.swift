import RouteServer
import Transport

extension FuzzTarget {
    private static let servers: [any HostPolicy] = [
        ServerNames(
            configured: ["hub.example.org", "[2001:db8::5]:9001"],
            address: "192.0.2.1",
            machine: "studio.lan",
            certificateNames: { ["*.hubs.example.org"] }
        ),
        OneAddress(address: "127.0.0.1", port: 8700), LocalNames(["desk.example"]),
    ]

    /// The host and, in a second line, the origin of a request: what a server takes is an authority without anything in it that another reader
    /// takes for its end, and reads back as the same.
    static let requestGuard = FuzzTarget(name: "request-guard") { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let host = lines.first else { return }
        let authority = RequestAuthority(host)
        if let authority {
            guard RequestAuthority(authority.text) == authority else { finding("an authority that changes") }
            guard authority.port.map({ (0...65_535).contains($0) }) ?? true else { finding("a port out of bounds") }
            guard authority.host.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"/@?#\\[]".utf8.contains($0) }) else {
                finding("a host that ends before its end")
            }
        }
        let connection = RequestConnection(local: NetworkAddress(text: "192.0.2.1"), port: 9001, now: 1)
        for server in servers {
            for audience in [RequestGuard.Audience.programs, .browsers] {
                let guarding = RequestGuard(server, for: audience, ownSchemes: ["http", "https"]) { "\($0)" }
                let claims = RequestClaims(host: .one(host), origin: lines.count > 1 ? .one(lines[1]) : .missing)
                let refusal = guarding.refusal(claims, for: .reading, on: connection)
                switch refusal {
                case .unknownHost(let shown)?:
                    guard shown.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { finding("a host that acts") }
                case .foreignOrigin?: break
                case nil:
                    guard let authority, server.knows(authority, on: connection) else { finding("a host of nobody") }
                    guard lines.count == 1 || WebOrigin(lines[1])?.authority.host == authority.host else {
                        finding("a page of another host")
                    }
                }
            }
        }
    }
}
