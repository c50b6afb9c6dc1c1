import NIOCore
import Transport

/// The addresses that a push service can have: those that the whole Internet reaches. Without this a device could make the computer send
/// requests into the owner's network, by a subscription whose name leads there.
enum PublicInternet {
    private static let specialNetworks: [(network: [UInt8], bits: Int)] = [
        ([192, 0, 0, 0], 24),  // IETF protocol assignments
        ([192, 0, 2, 0], 24),  // documentation
        ([192, 88, 99, 0], 24),  // 6to4 relays
        ([198, 18, 0, 0], 15),  // benchmarks
        ([198, 51, 100, 0], 24),  // documentation
        ([203, 0, 113, 0], 24),  // documentation
        ([224, 0, 0, 0], 3),  // multicast, reserved, broadcast
    ]

    private static let specialIPv6Networks: [(network: [UInt8], bits: Int)] = [
        ([0x20, 0x01, 0x00, 0x00], 23),  // IETF protocol assignments, Teredo, benchmarks
        ([0x20, 0x01, 0x0D, 0xB8], 32),  // documentation
        ([0x3F, 0xFF, 0x00], 20),  // documentation
    ]

    /// False for what the IANA special-purpose registries (RFC 6890) say is not globally reachable, for multicast, and for IPv6 addresses that stand for
    /// such an IPv4 address: mapped, 6to4 (RFC 3056) and NAT64 (RFC 6052).
    static func reaches(_ address: SocketAddress) -> Bool {
        // The text is made from the kernel's form of the address, so that what a resolver wrote is not read a second time.
        guard let text = address.ipAddress, NetworkScope(literal: text)?.reach == .everywhere else { return false }
        if let address = IPv4Address(text) { return reaches(IPv4: address.bytes) }
        guard let bytes = LocalAddresses.ipv6Bytes(text) else { return false }
        if begins(bytes, with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], bits: 96)
            || begins(bytes, with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], bits: 96)
        {
            return reaches(IPv4: Array(bytes[12...]))
        }
        // Addresses that are not handed out for unicast yet (RFC 4291 section 2.4) lead nowhere, or somewhere of their own.
        guard bytes[0] & 0xE0 == 0x20 else { return false }
        if begins(bytes, with: [0x20, 0x02], bits: 16) { return reaches(IPv4: Array(bytes[2..<6])) }
        return !specialIPv6Networks.contains { begins(bytes, with: $0.network, bits: $0.bits) }
    }

    private static func reaches(IPv4 bytes: [UInt8]) -> Bool {
        let text = bytes.map(String.init).joined(separator: ".")
        return NetworkScope(literal: text)?.reach == .everywhere
            && !specialNetworks.contains { begins(bytes, with: $0.network, bits: $0.bits) }
    }

    private static func begins(_ bytes: [UInt8], with network: [UInt8], bits: Int) -> Bool {
        (0..<bits).allSatisfy { bit in
            (bytes[bit / 8] ^ network[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
        }
    }
}
