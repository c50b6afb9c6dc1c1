import CLinux
import Foundation
import Glibc
import LinuxNetwork
import Testing

@Suite("Changes of this machine's addresses", .timeLimit(.minutes(4)))
struct LinuxNetworkWatchTests {
    @Test("a watch that is let go gives its socket back")
    func ends() async throws {
        let before = try Self.netlinkSockets()
        let stream = LinuxNetworkWatch().changes()
        #expect(try Self.netlinkSockets() == before + 1)
        let reader = Task { for await _ in stream {} }
        reader.cancel()
        await reader.value
        // Closed on the watch's own queue.
        while try Self.netlinkSockets() > before { await Task.yield() }
    }

    @Test("what other programs write to the socket is no change")
    func strangers() throws {
        let descriptor = tandem_watch_addresses()
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(tandem_addresses_changed(descriptor) == 0)
    }

    @Test("a socket that is none is an error")
    func closed() {
        #expect(tandem_addresses_changed(-1) == -EBADF)
    }

    /// Sockets of the family that this process has open.
    private static func netlinkSockets() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).count {
            descriptor in
            var address = sockaddr()
            var length = socklen_t(MemoryLayout<sockaddr>.size)
            return getsockname(descriptor, &address, &length) == 0 && address.sa_family == sa_family_t(AF_NETLINK)
        }
    }
}
