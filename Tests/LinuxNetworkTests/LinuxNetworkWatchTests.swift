import CLinux
import Foundation
import Glibc
import LinuxNetwork
import Testing

@Suite("Changes of this machine's addresses", .serialized, .timeLimit(.minutes(4)))
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
        while !Task.isCancelled, try Self.netlinkSockets() > before { await Task.yield() }
    }

    @Test("a socket to which nothing came has no change")
    func nothing() throws {
        let descriptor = tandem_watch_addresses()
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(tandem_addresses_changed(descriptor) == 0)
    }

    @Test("a socket that is none is an error")
    func closed() {
        #expect(tandem_addresses_changed(-1) == -EBADF)
    }

    /// Sockets that this process has open to hear of something: listing addresses opens one of the family for a moment, too.
    private static func netlinkSockets() throws -> Int {
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init)
        return open.count { descriptor in
            // sockaddr_nl: family, padding, process and groups.
            var name = [UInt32](repeating: 0, count: 3)
            var length = socklen_t(12)
            let result = name.withUnsafeMutableBytes { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) { getsockname(descriptor, $0.baseAddress, &length) }
            }
            return result == 0 && length == 12 && name[0] & 0xFFFF == UInt32(AF_NETLINK) && name[2] != 0
        }
    }
}
