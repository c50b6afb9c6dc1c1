#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One IPv4 address of one of this machine's network interfaces.
public struct NetworkInterface: Hashable, Sendable {
    /// The system's name for the interface, `eth0` for example.
    public var name: String
    /// Its address.
    public var address: IPv4Address
    /// Up, with a network at the other end.
    public var isRunning: Bool
    /// Whether it leads back to this machine.
    public var isLoopback: Bool

    public init(name: String, address: IPv4Address, isRunning: Bool = true, isLoopback: Bool = false) {
        self.name = name
        self.address = address
        self.isRunning = isRunning
        self.isLoopback = isLoopback
    }

    /// This machine's interfaces in the system's order; empty when the system does not tell.
    public static func current() -> [NetworkInterface] {
        InterfaceEntry.all(of: AF_INET) { entry in
            let address = entry.address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
            let bytes = withUnsafeBytes(of: address.s_addr) { Array($0) }  // in network order already
            return NetworkInterface(
                name: entry.name,
                address: IPv4Address(bytes[0], bytes[1], bytes[2], bytes[3]),
                isRunning: entry.isRunning,
                isLoopback: entry.isLoopback
            )
        }
    }
}
