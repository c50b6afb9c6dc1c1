#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One IPv4 address of one of this machine's network interfaces.
public struct NetworkInterface: Hashable, Sendable {
    /// What the system calls it, `eth0` for example.
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
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var interfaces: [NetworkInterface] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let socketAddress = entry.ifa_addr, Int32(socketAddress.pointee.sa_family) == AF_INET else {
                continue
            }
            let address = socketAddress.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
            let bytes = withUnsafeBytes(of: address.s_addr) { Array($0) }  // in network order already
            let flags = Int(entry.ifa_flags)
            interfaces.append(
                NetworkInterface(
                    name: String(cString: entry.ifa_name),
                    address: IPv4Address(bytes[0], bytes[1], bytes[2], bytes[3]),
                    isRunning: flags & Int(IFF_UP) != 0 && flags & Int(IFF_RUNNING) != 0,
                    isLoopback: flags & Int(IFF_LOOPBACK) != 0
                )
            )
        }
        return interfaces
    }
}
