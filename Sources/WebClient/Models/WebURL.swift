public import Foundation

/// The address of a request: `http` or `https`, with a host, without a name and password.
public struct WebURL: Hashable, Sendable, CustomStringConvertible {
    /// Bytes of an address.
    public static let longest = 8 << 10

    /// As it is asked for, without a fragment.
    public let text: String
    public let isSecure: Bool
    /// In lower case, without the brackets of an IPv6 address.
    public let host: String
    /// 1 to 65535.
    public let port: Int

    /// - Throws: ``WebClientError/malformedURL(_:)`` for another scheme, no host, a port out of range, a name or password, a space or a control
    ///   character, and more than ``longest`` bytes.
    public init(_ text: String) throws(WebClientError) {
        // The sentence shows the address, which may be long, and may hold a password.
        let shown = String(text.split(separator: "@").last?.prefix(80) ?? "")
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", parts.user == nil, parts.password == nil,
            let named = parts.encodedHost?.lowercased(), (1...65535).contains(parts.port ?? 1)
        else { throw .malformedURL(shown) }
        parts.fragment = nil
        let isBracketed = named.hasPrefix("[") && named.hasSuffix("]")
        host = isBracketed ? String(named.dropFirst().dropLast()) : named
        isSecure = scheme == "https"
        port = parts.port ?? (isSecure ? 443 : 80)
        guard !host.isEmpty, let plain = parts.string else { throw .malformedURL(shown) }
        self.text = plain
    }

    /// - Throws: ``WebClientError/malformedURL(_:)``, as for a text.
    public init(_ url: URL) throws(WebClientError) {
        try self.init(url.absoluteString)
    }

    /// Where it leads, without the path and the query, which may hold secrets: for sentences and logs.
    public var origin: String {
        let bracketed = host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "https" : "http")://\(bracketed):\(port)"
    }

    /// The host with its port, where that is not the scheme's own: what stands in the `Host` field.
    public var authority: String {
        let bracketed = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? bracketed : "\(bracketed):\(port)"
    }

    /// The scheme and the authority: an address without a path.
    public var base: String { "\(isSecure ? "https" : "http")://\(authority)" }

    /// The origin: a path or a query may hold secrets.
    public var description: String { origin }
}
