package import NIOCore

/// The address of a machine in a network: IPv4, or IPv6.
package struct NetworkAddress: Hashable, Sendable {
    /// 4 bytes, or 16.
    package let bytes: [UInt8]

    private init(bytes: [UInt8]) {
        // ::ffff:a.b.c.d is an IPv4 address in IPv6 clothes.
        let isMapped = bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10...11] == [0xFF, 0xFF]
        self.bytes = isMapped ? Array(bytes[12...]) : bytes
    }

    /// Nil for a Unix socket.
    package init?(_ address: SocketAddress?) {
        guard let text = address?.ipAddress else { return nil }
        self.init(text: text)
    }

    /// Nil for anything but an address in numbers. A zone is ignored: it names an interface of this machine.
    package init?(text: String) {
        if let address = IPv4Address(text) {
            self.init(bytes: address.bytes)
        } else if let bytes = LocalAddresses.ipv6Bytes(text) {
            self.init(bytes: bytes)
        } else {
            return nil
        }
    }

    /// How far the address reaches.
    package var scope: NetworkScope { NetworkScope(self) }

    package var isLoopback: Bool { scope.isLoopback }

    /// The address in numbers, for showing and for logs.
    package var text: String { bytes.count == 4 ? dotted : groups(8) }

    /// The text that limits are kept under: an IPv4 address, or the /64 that an IPv6 host owns.
    package var limitKey: String { bytes.count == 4 ? dotted : groups(4) + "::/64" }

    private var dotted: String { bytes.map(String.init).joined(separator: ".") }

    /// The first groups of an IPv6 address, of two bytes each.
    private func groups(_ count: Int) -> String {
        let groups = stride(from: 0, to: 2 * count, by: 2).map {
            String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
        }
        return groups.joined(separator: ":")
    }
}
