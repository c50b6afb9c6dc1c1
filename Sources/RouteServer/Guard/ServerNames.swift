import NIOCore
import Synchronization
package import Transport

/// The names of a signaling server: those that its operator gave, this machine's name and addresses, and those of its certificate.
package final class ServerNames: HostPolicy {
    private struct Interfaces {
        var addresses: Set<NetworkAddress> = []
        var readAt: UInt64?
    }

    private static let defaultPorts: Set<Int> = [80, 443]
    /// How old the list of this machine's addresses may be when a host is not in it.
    private static let patienceNanoseconds: UInt64 = 5_000_000_000

    /// Hosts that the operator gave without a port: they are reached through forwarding, which changes ports.
    private let forwarded: Hosts
    /// Hosts that the operator gave with a port.
    private let ported: [Int: Hosts]
    private let names: Set<String>
    private let own: NetworkAddress?
    private let certificateNames: @Sendable () -> [String]
    private let interfaces = Mutex(Interfaces())

    /// Hosts by name and by address, which has several spellings.
    private struct Hosts: Sendable {
        private var names: Set<String> = []
        private var addresses: Set<NetworkAddress> = []

        mutating func insert(_ host: String) {
            if let address = NetworkAddress(text: host) { addresses.insert(address) } else { names.insert(host) }
        }

        func contains(_ host: String) -> Bool {
            NetworkAddress(text: host).map(addresses.contains) ?? names.contains(host)
        }
    }

    /// - Parameters:
    ///   - configured: Names and addresses that the operator gave, each with or without a port.
    ///   - address: The address that the server listens at.
    ///   - machine: This machine's host name.
    ///   - certificateNames: The names in the certificate that is in use now; one may begin with `*.`.
    package init(
        configured: [String],
        address: String? = nil,
        machine: String,
        certificateNames: @escaping @Sendable () -> [String]
    ) {
        var forwarded = Hosts()
        var ported: [Int: Hosts] = [:]
        for host in configured.compactMap({ RequestAuthority($0) }) {
            if let port = host.port {
                ported[port, default: Hosts()].insert(host.host)
            } else {
                forwarded.insert(host.host)
            }
        }
        self.forwarded = forwarded
        self.ported = ported
        own = address.flatMap { NetworkAddress(text: $0) }
        var names: Set<String> = []
        let full = machine.lowercased()
        if let first = full.split(separator: ".").first.map(String.init) {
            names.formUnion([full, first, first + ".local"])
        }
        self.names = names
        self.certificateNames = certificateNames
    }

    package func knows(_ host: RequestAuthority, on connection: RequestConnection) -> Bool {
        contains(
            host,
            local: connection.local,
            port: connection.port,
            isProxied: connection.isProxied,
            now: connection.now
        )
    }

    /// - Parameters:
    ///   - local: The address of this machine that the connection came to.
    ///   - port: The port there. Another one is another program's, which may belong to somebody else and pass on proofs that were made for it.
    ///     80 and 443 count as none: there is no need to name them, and whoever holds them has the machine.
    ///   - isProxied: Whether a reverse proxy passed the request on; then `localhost` is the proxy's word, not the client's.
    package func contains(_ host: RequestAuthority, local: NetworkAddress?, port: Int?, isProxied: Bool, now: UInt64)
        -> Bool
    {
        if forwarded.contains(host.host) { return true }
        if let named = host.port, ported[named]?.contains(host.host) == true { return true }
        if host.port == nil, ported.values.contains(where: { $0.contains(host.host) }) { return true }
        if let named = host.port, named != port, !Self.defaultPorts.contains(named) { return false }
        let isFromHere = !isProxied && (local?.isLoopback ?? true)
        if let address = host.address {
            if address == own { return true }
            if address.isLoopback { return isFromHere }
            return address == local || isOwn(address, now: now)
        }
        if host.host == "localhost" || host.host.hasSuffix(".localhost") { return isFromHere }
        return names.contains(host.host) || certificateNames().contains { Self.matches($0, host.host) }
    }

    /// `*.` stands for one label, as in certificates.
    private static func matches(_ name: String, _ host: String) -> Bool {
        guard name.hasPrefix("*.") else { return name == host }
        guard let dot = host.firstIndex(of: "."), dot > host.startIndex else { return false }
        return host[dot...] == name.dropFirst()
    }

    private func isOwn(_ address: NetworkAddress, now: UInt64) -> Bool {
        interfaces.withLock { interfaces in
            if interfaces.addresses.contains(address) { return true }
            if let readAt = interfaces.readAt, now >= readAt, now - readAt < Self.patienceNanoseconds { return false }
            interfaces.readAt = now
            interfaces.addresses = Self.current()
            return interfaces.addresses.contains(address)
        }
    }

    /// Empty when the system does not tell: then only the address that a connection came to is known.
    private static func current() -> Set<NetworkAddress> {
        let devices = (try? System.enumerateDevices()) ?? []
        return Set(devices.compactMap { NetworkAddress($0.address) }.filter { !$0.isLoopback })
    }
}
