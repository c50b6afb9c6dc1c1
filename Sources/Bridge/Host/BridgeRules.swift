import Transport

/// The rules for requests that become sockets: those for this computer by a name that no stranger's page can have, and not those of pages.
/// Checked before anything of a socket is read.
struct BridgeRules: Sendable {
    enum Refusal: String, Hashable, Sendable {
        case host, origin, plain, guesses

        var response: String {
            switch self {
            case .host:
                WebSocketHandshake.response(
                    421,
                    "Misdirected Request",
                    sentence: "The bridge is not known by this name. Use the computer's address, or set bridgeNames.\n"
                )
            case .origin:
                WebSocketHandshake.response(
                    403,
                    "Forbidden",
                    sentence: "Pages may not connect to the bridge. Allow the site with bridgeOrigins.\n"
                )
            case .plain:
                WebSocketHandshake.response(403, "Forbidden", sentence: "The bridge takes wss:// only from here.\n")
            case .guesses:
                WebSocketHandshake.response(429, "Too Many Requests", sentence: "Too many wrong tokens. Wait.\n")
            }
        }
    }

    /// Names beside `localhost`, `.local` and `.ts.net`, in lower case.
    var names: Set<String> = []
    /// Origins of pages that may connect, as browsers write them, in lower case.
    var origins: Set<String> = []
    /// Whether the local network may come without TLS.
    var allowsPlain = true

    /// - Parameters:
    ///   - host: The authority that was asked for, in lower case.
    ///   - origin: Nil for programs that send none.
    ///   - isSecure: Whether it came behind TLS.
    ///   - local: The address of this machine that it came to.
    func refusal(
        host: String,
        origin: String?,
        isSecure: Bool,
        from remote: NetworkAddress?,
        to local: NetworkAddress?
    ) -> Refusal? {
        guard isSecure || remote.isLoopback || allowsPlain && remote.isPrivate && local.isPrivate else { return .plain }
        guard let name = RequestAuthority(host)?.host, isKnown(name) else { return .host }
        guard let origin = origin?.lowercased() else { return nil }
        // Libraries of programs write the address itself. No page can come from there: this port serves none.
        let isOwn = ["http://", "https://", "ws://", "wss://"].contains { origin == $0 + host }
        return isOwn || origins.contains(origin) ? nil : .origin
    }

    private func isKnown(_ name: String) -> Bool {
        NetworkScope(literal: name) != nil || name == "localhost" || name.hasSuffix(".localhost")
            || name.hasSuffix(".local") || name.hasSuffix(".ts.net") || names.contains(name)
    }
}
