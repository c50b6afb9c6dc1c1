#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One address of one network interface, as the system lists them.
struct InterfaceEntry {
    let name: String
    /// Valid while the list is read.
    let address: UnsafeMutablePointer<sockaddr>
    let isRunning: Bool
    let isLoopback: Bool

    /// Reads each address of a family, in the system's order; empty when the system does not tell.
    static func all<Interface>(of family: Int32, read: (InterfaceEntry) -> Interface?) -> [Interface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [Interface] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, Int32(address.pointee.sa_family) == family else { continue }
            let flags = Int(entry.ifa_flags)
            let interface = InterfaceEntry(
                name: String(cString: entry.ifa_name),
                address: address,
                isRunning: flags & Int(IFF_UP) != 0 && flags & Int(IFF_RUNNING) != 0,
                isLoopback: flags & Int(IFF_LOOPBACK) != 0
            )
            if let interface = read(interface) { found.append(interface) }
        }
        return found
    }
}
