import NIOCore
import Testing
import Transport

@Suite("Addresses of machines", .timeLimit(.minutes(1)))
struct NetworkAddressTests {
    @Test(
        "an address has one text and one key of limits, however it was written",
        arguments: [
            ("192.0.2.7", "192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.7"),
            ("2001:DB8::1:2", "2001:db8:0:0:0:0:1:2", "2001:db8:0:0::/64"),
            ("fe80::1%eth0", "fe80:0:0:0:0:0:0:1", "fe80:0:0:0::/64"), ("::1", "0:0:0:0:0:0:0:1", "0:0:0:0::/64"),
        ]
    )
    func texts(written: String, text: String, key: String) throws {
        let address = try #require(NetworkAddress(text: written))
        #expect(address.text == text)
        #expect(address.limitKey == key)
        #expect(NetworkAddress(text: address.text) == address)
    }

    @Test(
        "what is no address in numbers is none",
        arguments: ["", "localhost", "127.1", "010.0.0.1", "[::1]", "::1::"]
    )
    func none(text: String) {
        #expect(NetworkAddress(text: text) == nil)
    }

    @Test(
        "how far an address reaches",
        arguments: [
            ("127.1.2.3", .loopback), ("::1", .loopback), ("::ffff:127.0.0.1", .loopback), ("10.0.0.7", .local),
            ("::ffff:10.0.0.7", .local), ("169.254.3.4", .local), ("100.64.0.9", .local), ("fd00::2", .local),
            ("fe80::1", .local), ("0.0.0.0", .unspecified), ("::", .unspecified), ("::ffff:0.0.0.0", .unspecified),
            ("203.0.113.7", .everywhere), ("2001:db8::1", .everywhere), ("::2", .everywhere),
        ] as [(String, NetworkScope.Reach)]
    )
    func scopes(text: String, reach: NetworkScope.Reach) throws {
        let address = try #require(NetworkAddress(text: text))
        #expect(address.scope.reach == reach)
        #expect(address.isLoopback == (reach == .loopback))
        #expect(NetworkScope(literal: text)?.reach == reach)
    }

    @Test("the address of a socket; one in the file system has none")
    func sockets() throws {
        let address = try SocketAddress(ipAddress: "::ffff:192.0.2.7", port: 9001)
        #expect(NetworkAddress(address) == NetworkAddress(text: "192.0.2.7"))
        let file = try SocketAddress(unixDomainSocketPath: "/run/tandem")
        #expect(NetworkAddress(file) == nil)
    }
}
