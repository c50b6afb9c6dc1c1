public import Foundation

/// Where a signaling server is: `wss:` anywhere, `ws:` only on this machine or its own network, because there nobody
/// far away can listen.
public struct SignalingAddress: Hashable, Sendable, CustomStringConvertible {
    public let url: URL

    /// - Throws: ``PairingError/unsafeAddress(_:)`` for another scheme, a host out on the internet without TLS, a
    ///   password in the address, or more than 512 bytes.
    public init(_ text: String) throws(PairingError) {
        guard text.utf8.count <= 512, let url = URL(string: text), let host = url.host(percentEncoded: false),
            !host.isEmpty, url.user == nil, url.password == nil, url.fragment == nil
        else { throw .unsafeAddress(PeerText.name(text)) }
        switch url.scheme?.lowercased() {
        case "wss": break
        case "ws" where Self.isPrivate(host): break
        default: throw .unsafeAddress(PeerText.name(text))
        }
        self.url = url
    }

    /// On this machine or its own network.
    public var isLocal: Bool { Self.isPrivate(url.host(percentEncoded: false) ?? "") }

    public var description: String { url.absoluteString }

    /// Whether `host` is loopback, on a private network, or a name that only a local network answers.
    public static func isPrivate(_ host: String) -> Bool {
        let host = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        if host == "localhost" || host.hasSuffix(".local") || host.hasSuffix(".home.arpa") { return true }
        if let octets = octets(of: host) { return isPrivate(octets) }
        return host.contains(":") && isPrivateVersion6(host)
    }

    /// Four decimal numbers and nothing else: other spellings of an address are read differently by different systems.
    private static func octets(of host: String) -> [UInt8]? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let octets = parts.compactMap { part in UInt8(part).flatMap { String($0) == part ? $0 : nil } }
        return octets.count == 4 ? octets : nil
    }

    private static func isPrivate(_ octets: [UInt8]) -> Bool {
        switch (octets[0], octets[1]) {
        case (127, _), (10, _), (192, 168), (169, 254): true
        case (172, 16...31): true
        // Carrier-grade and overlay networks (RFC 6598): not reachable from the internet.
        case (100, 64...127): true
        default: false
        }
    }

    private static func isPrivateVersion6(_ host: String) -> Bool {
        let address = host.prefix { $0 != "%" }
        if address == "::1" { return true }
        guard let first = address.split(separator: ":", omittingEmptySubsequences: false).first,
            let group = UInt16(first, radix: 16)
        else { return false }
        // Unique local fc00::/7 and link-local fe80::/10.
        return group & 0xFE00 == 0xFC00 || group & 0xFFC0 == 0xFE80
    }
}
