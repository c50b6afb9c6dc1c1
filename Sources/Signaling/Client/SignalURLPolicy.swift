public import Foundation

/// Which servers a client dials. Source: `docs/protocol.md`, Part 1: plain sockets are for the local network.
public struct SignalURLPolicy: Hashable, Sendable {
    /// Set by the person, for a test setup: `ws://` to any host.
    public var allowsPlainAnywhere: Bool

    public init(allowsPlainAnywhere: Bool = false) {
        self.allowsPlainAnywhere = allowsPlainAnywhere
    }

    public func check(_ url: URL) throws(SignalError) {
        guard let host = url.host(percentEncoded: false)?.lowercased(), !host.isEmpty else {
            throw .unsupportedURL(url.absoluteString)
        }
        switch url.scheme?.lowercased() {
        case "wss": return
        case "ws":
            guard allowsPlainAnywhere || Self.isLocal(host) else { throw .insecureURL(host: host) }
        default: throw .unsupportedURL(url.absoluteString)
        }
    }

    /// Loopback, private and link-local addresses, and the names that only a local network gives.
    static func isLocal(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host.hasSuffix(".local") { return true }
        if host.contains(":") { return isLocalIPv6(host) }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt8(part) : nil
        }
        guard parts.count == 4, numbers.count == 4 else { return false }
        return switch (numbers[0], numbers[1]) {
        case (127, _), (10, _), (192, 168), (169, 254): true
        case (172, 16...31): true
        case (100, 64...127): true  // carrier and overlay networks
        default: false
        }
    }

    private static func isLocalIPv6(_ text: String) -> Bool {
        let address = text.trimmingCharacters(in: CharacterSet(charactersIn: "[]")).prefix { $0 != "%" }
        if address == "::1" { return true }
        if address.hasPrefix("::ffff:") { return isLocal(String(address.dropFirst(7))) }
        guard let first = address.split(separator: ":", omittingEmptySubsequences: false).first,
            let group = UInt16(first, radix: 16)
        else { return false }
        return group & 0xFE00 == 0xFC00 || group & 0xFFC0 == 0xFE80
    }
}
