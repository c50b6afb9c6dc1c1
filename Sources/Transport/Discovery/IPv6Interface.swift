#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One IPv6 address of one of this machine's network interfaces.
public struct IPv6Interface: Hashable, Sendable {
    /// The system's name for the interface, `eth0` for example.
    public var name: String
    /// Its address in numbers, without a zone.
    public var address: String
    /// Up, with a network at the other end.
    public var isRunning: Bool
    /// Whether it leads back to this machine.
    public var isLoopback: Bool

    public init(name: String, address: String, isRunning: Bool = true, isLoopback: Bool = false) {
        self.name = name
        self.address = address
        self.isRunning = isRunning
        self.isLoopback = isLoopback
    }

    /// Whether the address is one that a network gives out for itself: `fc00::/7`, RFC 4193.
    var isUniqueLocal: Bool { LocalAddresses.ipv6Bytes(address).map { $0[0] & 0xFE == 0xFC } ?? false }

    /// This machine's interfaces in the system's order; empty when the system does not tell.
    public static func current() -> [IPv6Interface] {
        InterfaceEntry.all(of: AF_INET6) { entry in
            var address = entry.address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee.sin6_addr }
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            guard inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil else { return nil }
            return IPv6Interface(
                name: entry.name,
                address: String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self),
                isRunning: entry.isRunning,
                isLoopback: entry.isLoopback
            )
        }
    }
}
