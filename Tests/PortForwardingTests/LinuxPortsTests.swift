import Foundation
import LinuxPorts
import NIOCore
import PortForwardingHost
import Testing

@testable import PortForwarding

@Suite("The programs that listen on this machine")
struct LinuxPortsTests {
    @Test("a listener of loopback is found with its program, and one that ended is not")
    func own() async throws {
        let channel = try await PortConnection.listen(port: 0) { $0.close(broken: true) }
        let port = try #require(channel.localAddress?.port)
        let program = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8)
            .trimmingCharacters(in: .newlines)
        let found = LinuxPorts().listening().first { $0.port == port }
        #expect(found == ListeningPort(port: port, program: program, isOfTandem: program == "tandem"))
        try await channel.close().get()
        #expect(!LinuxPorts().listening().contains { $0.port == port })
    }

    @Test("another user's listener and one that loopback does not reach are not offered; Tandem's own is known")
    func recorded() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "ports-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let files = FileManager.default
        try files.createDirectory(at: root.appending(path: "proc/net"), withIntermediateDirectories: true)
        try files.createDirectory(at: root.appending(path: "proc/77/fd"), withIntermediateDirectories: true)
        func line(_ address: String, _ state: String, _ user: Int, _ inode: Int) -> String {
            "   0: \(address) 00000000:0000 \(state) 00000000:00000000 00:00000000 00000000 \(user) 0 \(inode) 1 x"
        }
        let four = [
            "head", line("0100007F:0BB8", "0A", 1000, 1), line("00000000:1F90", "0A", 1000, 2),
            line("0100007F:0BB9", "01", 1000, 3), line("0100007F:0BBA", "0A", 0, 4),
            line("0A0A0A0A:0BBB", "0A", 1000, 5), "   broken",
        ]
        let six = ["head", line("00000000000000000000000001000000:0BBC", "0A", 1000, 6)]
        for (path, lines) in [("net/tcp", four), ("net/tcp6", six), ("77/comm", ["tandem"])] {
            let file = root.appending(path: "proc/\(path)")
            try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        }
        try files.createSymbolicLink(
            atPath: root.appending(path: "proc/77/fd/5").path,
            withDestinationPath: "socket:[2]"
        )
        let ports = LinuxPorts(root: root.path, user: 1000)
        #expect(ports.listening().map(\.port) == [3000, 3004, 8080])
        #expect(ports.listening().filter(\.isOfTandem).map(\.port) == [8080])
        #expect(ports.isOfTandem(8080))
        #expect(!ports.isOfTandem(3000))
    }
}
