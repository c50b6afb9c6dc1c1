import Testing

@testable import Transport

@Suite("Local addresses", .timeLimit(.minutes(4)))
struct LocalAddressesTests {
    private static func interface(_ name: String, _ address: String) throws -> NetworkInterface {
        NetworkInterface(name: name, address: try #require(IPv4Address(address)))
    }

    @Test("home networks come before company ones, whatever the order")
    func preference() throws {
        let all = try [
            Self.interface("eth0", "203.0.113.9"), Self.interface("eth1", "172.20.1.1"),
            Self.interface("eth2", "10.1.2.3"), Self.interface("wlan0", "192.168.7.20"),
            Self.interface("wlan1", "192.168.8.20"),
        ]
        #expect(LocalAddresses.preferred(among: all)?.description == "192.168.7.20")
        #expect(LocalAddresses.preferred(among: Array(all.prefix(3)))?.description == "10.1.2.3")
        #expect(LocalAddresses.preferred(among: Array(all.prefix(2)))?.description == "172.20.1.1")
        #expect(LocalAddresses.preferred(among: Array(all.prefix(1)))?.description == "203.0.113.9")
        #expect(LocalAddresses.preferred(among: []) == nil)
    }

    @Test(
        "interfaces of containers, virtual machines and tunnels are skipped",
        arguments: [
            "docker0", "br-3f2a", "veth12ab", "vEthernet (WSL)", "virbr0", "vmnet8", "vboxnet0", "tun0", "tap0",
            "utun3",
            "wg0", "wireguard-home", "tailscale0", "ztabcdef", "podman0", "bridge100",
        ]
    )
    func virtualInterfaces(name: String) throws {
        let virtual = try Self.interface(name, "192.168.99.1")
        let real = try Self.interface("enp3s0", "10.0.0.7")
        #expect(LocalAddresses.preferred(among: [virtual, real])?.description == "10.0.0.7")
        #expect(LocalAddresses.preferred(among: [virtual]) == nil)
    }

    @Test("where there is nothing else, tunnels come before a cable without a router, and containers never")
    func lastResort() throws {
        let tunnel = try Self.interface("tailscale0", "100.101.102.103")
        let cable = try Self.interface("eth1", "169.254.9.9")
        var down = try Self.interface("wg0", "10.9.0.2")
        down.isRunning = false
        let others = try [Self.interface("docker0", "172.17.0.1"), Self.interface("lo1", "127.0.0.2"), down]
        #expect(LocalAddresses.reachable(among: others + [cable, tunnel]) == [])
        #expect(LocalAddresses.lastResort(among: others + [cable, tunnel]) == [tunnel.address, cable.address])
        #expect(LocalAddresses.lastResort(among: others) == [])
    }

    @Test(
        "of IPv6, only what a network gives out for itself counts: tunnels last, links, the internet and containers never"
    )
    func uniqueLocal() {
        let home = IPv6Interface(name: "eth0", address: "fd00:7::20")
        let tunnel = IPv6Interface(name: "tailscale0", address: "fd7a:115c:a1e0::1")
        let others = [
            IPv6Interface(name: "eth0", address: "fe80::1"), IPv6Interface(name: "eth0", address: "2001:db8::20"),
            IPv6Interface(name: "docker0", address: "fd00:9::1"),
            IPv6Interface(name: "eth1", address: "fd00:8::1", isRunning: false),
            IPv6Interface(name: "lo", address: "::1", isLoopback: true),
        ]
        #expect(LocalAddresses.uniqueLocal(among: others + [tunnel, home]) == [home, tunnel])
        #expect(LocalAddresses.uniqueLocal(among: others) == [])
    }

    @Test("bridges that carry the LAN itself are not skipped", arguments: ["br0", "vmbr0", "bridge0", "br-lan"])
    func bridges(name: String) throws {
        #expect(
            LocalAddresses.preferred(among: [try Self.interface(name, "192.168.1.5")])?.description == "192.168.1.5"
        )
    }

    @Test("loopback, link-local and interfaces without a network are skipped")
    func unusable() throws {
        var loopback = try Self.interface("lo", "192.168.1.1")
        loopback.isLoopback = true
        var unplugged = try Self.interface("eth0", "192.168.1.2")
        unplugged.isRunning = false
        let all = try [
            loopback, unplugged, Self.interface("lo1", "127.0.0.2"), Self.interface("eth1", "169.254.9.9"),
        ]
        #expect(LocalAddresses.preferred(among: all) == nil)
    }

    @Test("the borders of 172.16 to 172.31 are kept")
    func borders() throws {
        let outside = try [Self.interface("eth0", "172.15.0.1"), Self.interface("eth1", "172.32.0.1")]
        let inside = try Self.interface("eth2", "172.31.255.254")
        #expect(LocalAddresses.preferred(among: outside + [inside]) == inside.address)
        #expect(LocalAddresses.preferred(among: outside) == outside[0].address)
    }

    @Test("this machine's loopback interface is found")
    func current() throws {
        let loopback = try #require(NetworkInterface.current().first { $0.address.description == "127.0.0.1" })
        #expect(loopback.isLoopback)
        #expect(loopback.isRunning)
    }

    @Test(
        "hosts on this machine and its networks may be reached without TLS",
        arguments: [
            "localhost", "LOCALHOST", "api.localhost", "127.0.0.1", "127.255.0.1", "10.0.0.1", "172.16.0.1",
            "192.168.1.1", "169.254.1.1", "100.64.0.1", "100.127.255.255", "::1", "[::1]", "fd12:3456::1", "fe80::1",
            "fe80::1%eth0", "[fe80::1%25eth0]", "::ffff:192.168.1.1",
        ]
    )
    func near(host: String) {
        #expect(LocalAddresses.isPrivateOrLoopback(host))
    }

    @Test(
        "every other host may not",
        arguments: [
            "", "example.org", "localhost.example.org", "notlocalhost", "8.8.8.8", "172.32.0.1", "172.15.0.1",
            "192.169.0.1", "100.128.0.1", "100.63.255.255", "0.0.0.0", "2001:db8::1", "::", "::ffff:8.8.8.8", "fec0::1",
            "127.1", "0x7f.0.0.1", "010.0.0.1", "127.0.0.1.", "10.0.0.1.example.org", "127.0.0.1 ", "[127.0.0.1",
        ]
    )
    func far(host: String) {
        #expect(!LocalAddresses.isPrivateOrLoopback(host))
    }

    @Test(
        "only four plain decimal numbers are an IPv4 address",
        arguments: ["1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1..2.3", "+1.2.3.4", "１.2.3.4"]
    )
    func malformed(text: String) {
        #expect(IPv4Address(text) == nil)
    }
}
