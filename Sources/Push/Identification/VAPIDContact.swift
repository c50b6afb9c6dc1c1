/// Where a push service's operator reaches the sender: the `sub` of a token (RFC 8292 section 2.1).
///
/// Apple's service answers 403 without one, and to one whose domain is not of the Internet, such as localhost.
package struct VAPIDContact: Hashable, Sendable {
    package let text: String

    /// - Parameter text: `mailto:name@domain` or `https://domain/…`, at most 256 bytes.
    /// - Throws: ``PushError/malformed(_:rule:)`` for anything else, and for a domain that the Internet's DNS cannot have.
    package init(_ text: String) throws(PushError) {
        guard text.utf8.count <= 256, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let domain = Self.domain(of: text), HostName.isPublic(domain), !Self.isReserved(domain)
        else {
            throw .malformed(.contact, rule: "mailto: with an e-mail address, or an https address, of a public domain")
        }
        self.text = text
    }

    private static func domain(of text: String) -> String? {
        if text.hasPrefix("mailto:") {
            let parts = text.dropFirst(7).split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { return nil }
            return parts[1].lowercased()
        }
        guard text.hasPrefix("https://") else { return nil }
        return text.dropFirst(8).prefix { !"/?#".contains($0) }.lowercased()
    }

    /// Domains that are never reached. Source: RFC 6761.
    private static func isReserved(_ domain: String) -> Bool {
        [".invalid", ".test", ".example", ".localhost"].contains { domain.hasSuffix($0) }
    }
}
