import Transport

/// The addresses at which a server's page for phones can seal. Browsers offer cryptography only to pages that came encrypted or from the same
/// machine, and a page that came another way may be anybody's.
package struct PhonePlace: Hashable, Sendable {
    static let path = "/phone/"

    /// Whether the server has a certificate.
    package let hasCertificate: Bool
    /// Whether a reverse proxy in front of it has one, by its person's word.
    package let isBehindProxy: Bool

    package init(hasCertificate: Bool, isBehindProxy: Bool = false) {
        self.hasCertificate = hasCertificate
        self.isBehindProxy = isBehindProxy
    }

    /// The page's address for a client that dialled `host`; nil where a browser could not seal on it.
    package func url(at host: String) -> String? {
        guard let authority = RequestAuthority(host) else { return nil }
        if hasCertificate { return "https://\(authority.text)\(Self.path)" }
        if authority.host == "localhost" || authority.address?.isLoopback == true {
            return "http://\(authority.text)\(Self.path)"
        }
        // A proxy's name is known outside; by an address of this network nobody came through it.
        guard isBehindProxy, !LocalAddresses.isLocal(authority.host) else { return nil }
        return "https://\(authority.text)\(Self.path)"
    }
}
