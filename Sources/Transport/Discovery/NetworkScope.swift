import Foundation

/// How far an IP address reaches.
package struct NetworkScope: Hashable, Sendable {
    package enum Reach: Sendable { case loopback, local, everywhere, unspecified }

    package let reach: Reach

    package init(_ reach: Reach) {
        self.reach = reach
    }

    package var isLoopback: Bool { reach == .loopback }
    /// Loopback, a private network (RFC 1918, RFC 4193), link-local, or a carrier's shared space (RFC 6598), which VPNs use.
    package var isPrivate: Bool { reach == .loopback || reach == .local }

    init(_ address: NetworkAddress) {
        let bytes = address.bytes
        if bytes.count == 4 {
            reach = Self.reach(of: IPv4Address(bytes[0], bytes[1], bytes[2], bytes[3]))
        } else {
            reach = Self.reach(ofIPv6: bytes)
        }
    }

    /// Nil for anything but an IPv4 address of four decimal numbers, or an IPv6 address with or without a zone.
    package init?(literal text: String) {
        guard let address = NetworkAddress(text: text) else { return nil }
        self.init(address)
    }

    private static func reach(of address: IPv4Address) -> Reach {
        if address.isLoopback { return .loopback }
        if address.privateNetwork != nil || address.isLinkLocal || address.isShared { return .local }
        return address.bytes[0] == 0 ? .unspecified : .everywhere
    }

    private static func reach(ofIPv6 bytes: [UInt8]) -> Reach {
        let isZero = bytes[..<15].allSatisfy { $0 == 0 }
        if isZero { return bytes[15] == 1 ? .loopback : bytes[15] == 0 ? .unspecified : .everywhere }
        if bytes[0] & 0xFE == 0xFC { return .local }
        return bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 ? .local : .everywhere
    }
}
