#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Which addresses belong to the network around this machine.
public enum LocalAddresses {
    /// Name prefixes of interfaces that lead to containers and virtual machines: a phone cannot reach what is behind them.
    /// Bridges of the LAN itself (br0, vmbr0, br-lan) are none of these; Docker's have hexadecimal digits after `br-`, and macOS
    /// counts the ones it makes for sharing from bridge100.
    private static let containerPrefixes = [
        "docker", "veth", "vethernet", "virbr", "vmnet", "vboxnet", "podman", "cni", "flannel", "lxc", "lxd", "bridge1",
    ]
    /// Name prefixes of tunnels: only a phone that is in the same one reaches this machine there.
    private static let tunnelPrefixes = [
        "tun", "utun", "tap", "wg", "wireguard", "tailscale", "zt", "ppp", "ipsec", "nordlynx",
    ]

    /// The address to put into a QR code: a phone on the same network should reach it.
    ///
    /// The first of `interfaces` that is up, is neither loopback nor link-local, and does not look like a container's
    /// or tunnel's; home networks (192.168) are preferred, then 10, then 172.16 to 172.31, then anything else.
    public static func preferred(among interfaces: [NetworkInterface]) -> IPv4Address? {
        reachable(among: interfaces).first
    }

    /// Every address at which a phone on the same network may reach this machine, in the order of ``preferred(among:)``.
    public static func reachable(among interfaces: [NetworkInterface]) -> [IPv4Address] {
        let candidates = interfaces.filter { interface in
            interface.isRunning && !interface.isLoopback && !interface.address.isLoopback
                && !interface.address.isLinkLocal && !isVirtual(interface.name)
        }.map(\.address)
        let networks: [IPv4Address.PrivateNetwork] = [.network192, .network10, .network172]
        let ordered = networks.flatMap { network in candidates.filter { $0.privateNetwork == network } }
        return ordered + candidates.filter { !ordered.contains($0) }
    }

    /// Where nothing is ``reachable(among:)``: addresses of tunnels, then those that a device gives itself on a cable without a router.
    /// They lead some phones here, and this machine's own loopback address leads none.
    public static func lastResort(among interfaces: [NetworkInterface]) -> [IPv4Address] {
        let running = interfaces.filter { interface in
            interface.isRunning && !interface.isLoopback && !interface.address.isLoopback
                && !isContainer(interface.name)
        }
        let tunnels = running.filter { isTunnel($0.name) && !$0.address.isLinkLocal }
        let cables = running.filter { !isTunnel($0.name) && $0.address.isLinkLocal }
        return (tunnels + cables).map(\.address)
    }

    /// Where this machine has no IPv4 address that a phone may reach: its unique local IPv6 addresses (RFC 4193), those of tunnels last.
    ///
    /// A link-local address needs the name of an interface of the phone's, and nothing here is offered on an address of the internet.
    public static func uniqueLocal(among interfaces: [IPv6Interface]) -> [IPv6Interface] {
        let candidates = interfaces.filter { interface in
            interface.isRunning && !interface.isLoopback && interface.isUniqueLocal && !isContainer(interface.name)
        }
        return candidates.filter { !isTunnel($0.name) } + candidates.filter { isTunnel($0.name) }
    }

    static func isVirtual(_ name: String) -> Bool { isContainer(name) || isTunnel(name) }

    private static func isContainer(_ name: String) -> Bool {
        let name = name.lowercased()
        if name.hasPrefix("br-"), name.dropFirst(3).allSatisfy(\.isHexDigit) { return true }
        return containerPrefixes.contains { name.hasPrefix($0) }
    }

    private static func isTunnel(_ name: String) -> Bool {
        let name = name.lowercased()
        return tunnelPrefixes.contains { name.hasPrefix($0) }
    }

    /// Whether `host` is this machine or one that the Internet cannot be in between: then `ws://` may be allowed.
    ///
    /// True for `localhost` and for literal loopback, private (RFC 1918, fc00::/7), link-local and overlay
    /// (100.64.0.0/10) addresses, with or without brackets and a zone. False for every other name: who it leads to
    /// is for a name server to say, and may change.
    public static func isPrivateOrLoopback(_ host: String) -> Bool {
        var host = host.lowercased()
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        return NetworkScope(literal: host)?.isPrivate ?? false
    }

    /// True where ``isPrivateOrLoopback(_:)`` is, and for names that only a local network gives out (RFC 6762, RFC 8375). Any
    /// device on that network can take such a name, so the name tells the network and not the device.
    public static func isLocal(_ host: String) -> Bool {
        let name = host.lowercased()
        return name.hasSuffix(".local") || name.hasSuffix(".home.arpa") || isPrivateOrLoopback(host)
    }

    /// The 16 bytes of an IPv6 address, without its zone.
    package static func ipv6Bytes(_ text: String) -> [UInt8]? {
        let address = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
        var bytes = [UInt8](repeating: 0, count: 16)
        guard let address, inet_pton(AF_INET6, address, &bytes) == 1 else { return nil }
        return bytes
    }
}
