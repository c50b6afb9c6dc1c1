import Foundation
import NIOCore

/// The parts of a `ws://` or `wss://` URL.
struct WebSocketTarget: Hashable, Sendable {
    let isSecure: Bool
    /// Without the brackets of an IPv6 address.
    let host: String
    let port: Int
    /// The value of the `Host` field: in lower case, with the port as it stands in the URL.
    let authority: String
    /// With the query.
    let path: String

    /// - Throws: ``WebSocketError/invalidURL(_:)`` for another scheme, no host, a port out of range, or a name and password.
    init(_ url: URL) throws(WebSocketError) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(),
            scheme == "ws" || scheme == "wss", parts.user == nil, parts.password == nil,
            let named = parts.encodedHost?.lowercased(), !named.isEmpty, (1...65535).contains(parts.port ?? 1)
        else { throw .invalidURL(url.absoluteString) }
        isSecure = scheme == "wss"
        host = named.hasPrefix("[") && named.hasSuffix("]") ? String(named.dropFirst().dropLast()) : named
        port = parts.port ?? (isSecure ? 443 : 80)
        authority = parts.port.map { "\(named):\($0)" } ?? named
        let plain = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        path = parts.percentEncodedQuery.map { "\(plain)?\($0)" } ?? plain
        guard !(host + path).utf8.contains(where: { $0 <= 0x20 }) else { throw .invalidURL(url.absoluteString) }
    }

    /// Whether the host is a number, for which TLS sends no server name.
    var isAddress: Bool { (try? SocketAddress(ipAddress: host, port: port)) != nil }  // parsing is the only failure
}
