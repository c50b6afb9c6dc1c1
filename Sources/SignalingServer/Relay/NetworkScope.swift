import Foundation
import NIOCore

/// How far an address reaches.
struct NetworkScope: Hashable, Sendable {
    enum Reach { case loopback, local, everywhere, unspecified }

    let reach: Reach

    var isLoopback: Bool { reach == .loopback }
    /// Loopback, a private network (RFC 1918, RFC 4193), link-local, or a carrier's shared space (RFC 6598), which VPNs use.
    var isPrivate: Bool { reach == .loopback || reach == .local }

    init(_ address: SocketAddress) {
        guard let text = address.ipAddress else {
            reach = .loopback  // a Unix socket
            return
        }
        // The text is the system's own, so one of the two fits.
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            reach = Self.reach(ofIPv4: bytes)
        } else {
            reach = inet_pton(AF_INET6, text, &bytes) == 1 ? Self.reach(ofIPv6: bytes) : .everywhere
        }
    }

    private static func reach(ofIPv4 bytes: [UInt8]) -> Reach {
        switch (bytes[0], bytes[1]) {
        case (127, _): .loopback
        case (10, _), (192, 168), (169, 254), (172, 16...31), (100, 64...127): .local
        case (0, 0): .unspecified
        default: .everywhere
        }
    }

    private static func reach(ofIPv6 bytes: [UInt8]) -> Reach {
        let isZero = bytes[..<15].allSatisfy { $0 == 0 }
        if isZero { return bytes[15] == 1 ? .loopback : bytes[15] == 0 ? .unspecified : .everywhere }
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return reach(ofIPv4: Array(bytes[12...]))
        }
        if bytes[0] & 0xFE == 0xFC { return .local }
        return bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 ? .local : .everywhere
    }
}
