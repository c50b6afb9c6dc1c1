import Foundation

/// A proxy that makes connections for this device, by HTTP's `CONNECT`.
public struct WebProxy: Hashable, Sendable, CustomStringConvertible {
    public let host: String
    /// 1 to 65535.
    public let port: Int
    /// Nil for a proxy that asks for none.
    public let user: String?
    public let password: String?

    /// Reads a value such as `http://name:password@proxy.example:3128`; the scheme and the rest but the host may be left out. A proxy that is
    /// itself reached over TLS, and SOCKS, are nil: they are not supported.
    public init?(_ text: String) {
        let whole = text.contains("://") ? text : "http://" + text
        guard text.utf8.count <= WebURL.longest, let parts = URLComponents(string: whole),
            parts.scheme?.lowercased() == "http", let named = parts.encodedHost?.lowercased(),
            (1...65535).contains(parts.port ?? 1)
        else { return nil }
        let isBracketed = named.hasPrefix("[") && named.hasSuffix("]")
        host = isBracketed ? String(named.dropFirst().dropLast()) : named
        guard !host.isEmpty else { return nil }
        port = parts.port ?? 80
        user = parts.user
        password = parts.password
    }

    /// Without the password, for sentences and logs.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
