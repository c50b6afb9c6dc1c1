import Capabilities
import Commands
import FeatureTesting
import Foundation
import Glibc
import Kernel
import LinuxPower
import Power
import PowerHost
import Testing

@Suite("Lock, sleep and wake", .timeLimit(.minutes(1)))
struct PowerSkillTests {
    /// A socket of this machine that takes what is sent to it.
    private final class Receiver: Sendable {
        let descriptor: Int32
        let port: UInt16

        init() throws {
            let made = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            descriptor = made
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let bound = withUnsafeMutablePointer(to: &place) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(made, address, size) == 0 && getsockname(made, address, &size) == 0
                }
            }
            port = UInt16(bigEndian: place.sin_port)
            try #require(bound)
        }

        deinit { close(descriptor) }

        func datagram() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            return Array(bytes.prefix(max(0, count)))
        }
    }

    private static func access(_ targets: [LinuxPower.Target], folder: String = "/sys/class/net") -> LinuxPower {
        LinuxPower(
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/no/such/bus"],
            interfaceFolder: folder,
            targets: targets
        )
    }

    @Test("a real socket receives the packet of each address that was asked for")
    func wake() async throws {
        let receiver = try Receiver()
        let skill = PowerSkill(Self.access([.init(address: "127.0.0.1", port: receiver.port)]))
        let addresses = try ["52:54:00:12:34:56", "52:54:00:12:34:57"].map { try #require(HardwareAddress($0)) }
        let sent = try await PowerClient(ScriptedPeer(skill)).wake(addresses)
        #expect(sent.packetCount == 2)
        #expect(receiver.datagram() == MagicPacket(for: addresses[0]).bytes)
        #expect(receiver.datagram() == MagicPacket(for: addresses[1]).bytes)
    }

    @Test("without a network nothing is sent, and that is said")
    func noNetwork() async throws {
        let address = try #require(HardwareAddress("52:54:00:12:34:56"))
        await #expect(throws: PowerError.notSent(reason: "it has no network")) {
            try await Self.access([]).wake([MagicPacket(for: address)])
        }
    }

    @Test("a computer without logind says so, and its interfaces all the same")
    func withoutManager() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-net-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }  // a leftover harms nobody
        for (name, type, address, wakeup) in [
            ("eth0", "1", "52:54:00:12:34:56", "enabled"), ("wlan0", "1", "52:54:00:12:34:57", "disabled"),
            ("usb0", "1", "52:54:00:12:34:58", nil), ("lo", "772", "00:00:00:00:00:00", nil),
            ("odd", "1", "zz", nil),
        ] as [(String, String, String, String?)] {
            let place = folder.appending(path: "\(name)/device/power")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data("\(type)\n".utf8).write(to: folder.appending(path: "\(name)/type"))
            try Data("\(address)\n".utf8).write(to: folder.appending(path: "\(name)/address"))
            if let wakeup { try Data("\(wakeup)\n".utf8).write(to: place.appending(path: "wakeup")) }
        }
        // Software alone, as a container's bridge: it has an address and no device.
        try FileManager.default.createDirectory(at: folder.appending(path: "br0"), withIntermediateDirectories: true)
        try Data("1\n".utf8).write(to: folder.appending(path: "br0/type"))
        try Data("52:54:00:12:34:59\n".utf8).write(to: folder.appending(path: "br0/address"))
        let skill = PowerSkill(Self.access([], folder: folder.path))
        let status = try await PowerClient(ScriptedPeer(skill)).status()
        #expect(status.interfaces.map(\.name) == ["eth0", "usb0", "wlan0"])
        #expect(status.interfaces.map(\.isWakeOn) == [true, nil, false])
        #expect(status.lockObstacle?.contains("no manager of sessions") == true)
        #expect(status.sleepObstacle?.contains("no manager of sessions") == true)
        let checks = await skill.checks()
        #expect(checks.map(\.name) == ["Lock", "Sleep", "Wake"])
        #expect(checks.map(\.works) == [false, false, true])
        #expect(checks.map(\.detail).last == "a magic packet wakes it at eth0")
        #expect(try await skill.refusal("power.lock")?.code == FailureCode.unsupported)
        #expect(try await skill.refusal("power.sleep")?.code == FailureCode.unsupported)
    }
}
