import NIOCore
import Transport

/// Whose connection it is, as far as limits go: an IPv4 address, or the /64 that an IPv6 host owns.
struct ClientAddress: Hashable, Sendable {
    /// 4 bytes, or 16.
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        // ::ffff:a.b.c.d is an IPv4 address in IPv6 clothes.
        let isMapped = bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10...11] == [0xFF, 0xFF]
        self.bytes = isMapped ? Array(bytes[12...]) : bytes
    }

    /// Nil for a Unix socket.
    init?(_ address: SocketAddress?) {
        guard let text = address?.ipAddress else { return nil }
        self.init(text: text)
    }

    /// Nil for anything but an address in numbers. A zone is ignored: it names an interface of this machine.
    init?(text: String) {
        if let address = IPv4Address(text) {
            self.init(bytes: Array(address.bytes))
        } else if let bytes = LocalAddresses.ipv6Bytes(text) {
            self.init(bytes: bytes)
        } else {
            return nil
        }
    }

    var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// The address in numbers, for showing and for logs.
    var text: String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map {
            String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
        }
        return groups.joined(separator: ":")
    }

    /// The text that limits are kept under.
    var limitKey: String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 8, by: 2).map {
            String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
        }
        return groups.joined(separator: ":") + "::/64"
    }
}

/// One address, or a network of them: `10.0.0.0/8`, `fd00::/8`, `192.0.2.7`.
package struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    /// The range as it was written.
    package let description: String
    private let bytes: [UInt8]
    private let bits: Int

    /// Nil for anything else than an address in numbers, with or without the length of its prefix.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.first, let address = ClientAddress(text: first) else { return nil }
        bytes = address.bytes
        description = text
        guard parts.count == 2 else {
            bits = bytes.count * 8
            return
        }
        guard let bits = Int(parts[1]), (0...bytes.count * 8).contains(bits) else { return nil }
        self.bits = bits
    }

    func contains(_ address: ClientAddress) -> Bool {
        guard address.bytes.count == bytes.count else { return false }
        let whole = bits / 8
        guard address.bytes[..<whole] == bytes[..<whole] else { return false }
        let rest = bits % 8
        guard rest > 0 else { return true }
        let mask = UInt8.max << UInt8(8 - rest)
        return address.bytes[whole] & mask == bytes[whole] & mask
    }
}
