import Glibc

/// The addresses of this computer's interfaces.
enum NetworkAddresses {
    struct Interface: Hashable, Sendable {
        var ipv4: String?
        var ipv6: String?
        var isUp = false
        var isLoopback = false
    }

    /// The interfaces by name; empty when the system does not tell.
    static func current() -> [String: Interface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [:] }
        defer { freeifaddrs(list) }
        var interfaces: [String: Interface] = [:]
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let name = entry.ifa_name else { continue }
            var interface = interfaces[String(cString: name)] ?? Interface()
            let flags = entry.ifa_flags
            interface.isUp = flags & UInt32(IFF_UP) != 0 && flags & UInt32(IFF_RUNNING) != 0
            interface.isLoopback = flags & UInt32(IFF_LOOPBACK) != 0
            if let address = entry.ifa_addr {
                switch Int32(address.pointee.sa_family) {
                case AF_INET: interface.ipv4 = interface.ipv4 ?? text(address, MemoryLayout<sockaddr_in>.size)
                case AF_INET6: interface.ipv6 = interface.ipv6 ?? text(address, MemoryLayout<sockaddr_in6>.size)
                default: break
                }
            }
            interfaces[String(cString: name)] = interface
        }
        return interfaces
    }

    private static func text(_ address: UnsafeMutablePointer<sockaddr>, _ size: Int) -> String? {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = getnameinfo(address, socklen_t(size), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
        guard status == 0 else { return nil }
        let text = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // Without the interface's name behind a link-local address.
        return text.split(separator: "%").first.map(String.init)
    }
}
