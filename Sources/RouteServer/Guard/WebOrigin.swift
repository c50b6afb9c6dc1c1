package import Transport

/// The origin of a web page, as browsers write it: `https://studio.local:9001`. Source: RFC 6454, section 6.2.
package struct WebOrigin: Hashable, Sendable {
    private static let defaultPorts = ["http": 80, "ws": 80, "https": 443, "wss": 443]

    /// In lower case.
    package let scheme: String
    package let authority: RequestAuthority

    /// Nil for anything but a scheme and an authority; so `null` is none.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].hasPrefix("//"),
            let authority = RequestAuthority(String(parts[1].dropFirst(2)))
        else { return nil }
        scheme = parts[0].lowercased()
        self.authority = authority
    }

    /// Whether a page of this origin came from the server that a request is for. Browsers leave a default port out.
    package func isOf(_ server: RequestAuthority) -> Bool {
        let port = Self.defaultPorts[scheme]
        return authority.host == server.host && (authority.port ?? port) == (server.port ?? port)
    }
}
