/// The origin (RFC 6454) of a push service: a name and a port, always https. All that is logged of an endpoint.
package struct PushOrigin: Hashable, Sendable, CustomStringConvertible {
    /// A DNS name in lower case.
    package let host: String
    package let port: Int

    /// - Parameter text: `https://name` or `https://name:port`, without a path.
    /// - Throws: ``PushError/malformed(_:rule:)`` for anything else; an IP address is no name.
    package init(_ text: String) throws(PushError) {
        guard text.utf8.count <= 300, let authority = Self.authority(of: text), let origin = Self(authority: authority)
        else { throw .malformed(.origin, rule: "https:// with a name, and a port where it is not 443") }
        self = origin
    }

    /// Nil unless it is a name, or a name and a port.
    init?(authority: some StringProtocol) {
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first?.lowercased(), HostName.isName(name) else { return nil }
        host = name
        guard parts.count == 2 else {
            port = Self.ordinaryPort
            return
        }
        let digits = parts[1].utf8
        guard (1...5).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(parts[1]), (1...65535).contains(number)
        else { return nil }
        port = number
    }

    /// Whether push services of the Internet may have it: port 443 of a name that the Internet's DNS can have. Other ports would let a
    /// subscription reach services besides HTTPS.
    package var isOrdinary: Bool { port == Self.ordinaryPort && HostName.isPublic(host) }

    /// The authority: what stands in the `Host` field.
    var authority: String { port == Self.ordinaryPort ? host : "\(host):\(port)" }

    /// Its ASCII serialization (RFC 6454 section 6.2): also the audience of a VAPID token.
    package var description: String { "https://\(authority)" }

    private static let ordinaryPort = 443

    private static func authority(of text: String) -> Substring? {
        guard text.prefix(8).lowercased() == "https://" else { return nil }
        return text.dropFirst(8)
    }
}
