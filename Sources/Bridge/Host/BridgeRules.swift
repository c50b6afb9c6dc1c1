import RouteServer
import Transport

/// The rules for requests that become sockets: those for this computer by a name that no stranger's page can have, and not those of pages.
/// Checked before anything of a socket is read.
struct BridgeRules: Sendable {
    enum Refusal: Hashable, Sendable {
        /// For its host or its origin.
        case request(RequestGuard.Refusal)
        /// It came without TLS.
        case plain
        /// Its address showed too many wrong tokens.
        case guesses

        /// The word under which it is counted.
        var word: String {
            switch self {
            case .request(.unknownHost): "host"
            case .request(.foreignOrigin): "origin"
            case .plain: "plain"
            case .guesses: "guesses"
            }
        }
    }

    private let requests: RequestGuard
    private let allowsPlain: Bool

    /// - Parameters:
    ///   - names: Names beside `localhost`, `.local` and `.ts.net`, in lower case.
    ///   - origins: Origins of pages that may connect, as browsers write them, in lower case.
    ///   - allowsPlain: Whether the local network may come without TLS.
    init(names: Set<String> = [], origins: Set<String> = [], allowsPlain: Bool = true) {
        self.allowsPlain = allowsPlain
        requests = RequestGuard(
            LocalNames(names),
            for: .programs,
            // Libraries of programs write the address itself. No page can come from there: this port serves none.
            ownSchemes: ["http", "https", "ws", "wss"],
            allowedOrigins: origins
        ) { refusal in
            switch refusal {
            case .unknownHost:
                "The bridge is not known by this name. Use the computer's address, or set bridgeNames.\n"
            case .foreignOrigin: "Pages may not connect to the bridge. Allow the site with bridgeOrigins.\n"
            }
        }
    }

    /// - Parameters:
    ///   - isSecure: Whether it came behind TLS.
    ///   - remote: The client's address.
    func refusal(
        _ claims: RequestClaims,
        isSecure: Bool,
        from remote: NetworkAddress?,
        on connection: RequestConnection
    ) -> Refusal? {
        let mayBePlain = remote.isLoopback || allowsPlain && remote.isPrivate && connection.local.isPrivate
        guard isSecure || mayBePlain else { return .plain }
        return requests.refusal(claims, on: connection).map(Refusal.request)
    }

    /// The answer to a WebSocket's handshake.
    func response(_ refusal: Refusal) -> String {
        switch refusal {
        case .request(let refusal): requests.response(refusal)
        case .plain:
            WebSocketHandshake.response(403, "Forbidden", sentence: "The bridge takes wss:// only from here.\n")
        case .guesses:
            WebSocketHandshake.response(429, "Too Many Requests", sentence: "Too many wrong tokens. Wait.\n")
        }
    }
}
