import Dispatch
import Foundation
import Glibc
package import Kernel
import LinuxBus
package import Power
package import PowerHost

/// Locking and sleeping by logind on the system's bus, addresses from the kernel, and magic packets over UDP.
package struct LinuxPower: PowerAccess {
    /// Where packets are sent; nil in ``init(environment:interfaceFolder:targets:time:)`` for every network's broadcast address.
    package struct Target: Hashable, Sendable {
        /// An IPv4 address in numbers.
        package let address: String
        package let port: UInt16

        package init(address: String, port: UInt16) {
            self.address = address
            self.port = port
        }
    }

    private static let service = "org.freedesktop.login1"
    private static let manager = "/org/freedesktop/login1"
    private static let systemBus = "unix:path=/run/dbus/system_bus_socket"
    /// A text from logind: names of sessions and paths.
    private static let textLimit = 256
    /// Ethernet, wireless too. Source: the kernel's `if_arp.h`, `ARPHRD_ETHER`.
    private static let ethernet = "1"

    private let environment: [String: String]
    private let interfaceFolder: String
    private let targets: [Target]?
    private let time: any TimeSource

    /// - Parameters:
    ///   - environment: Of this program: the session's id, and the system bus where it is another one.
    ///   - interfaceFolder: Where the kernel tells of network interfaces.
    ///   - targets: Nil: every network's broadcast address.
    package init(
        environment: [String: String],
        interfaceFolder: String = "/sys/class/net",
        targets: [Target]? = nil,
        time: any TimeSource = .system
    ) {
        self.environment = environment
        self.interfaceFolder = interfaceFolder
        self.targets = targets
        self.time = time
    }

    // MARK: logind

    package func lockObstacle() async -> String? {
        do {
            try await withBus { _ = try await session($0) }
            return nil
        } catch {
            return "\(Self.error(error))"
        }
    }

    package func sleepObstacle() async -> String? {
        do {
            try await withBus { try await checkSleep($0) }
            return nil
        } catch {
            return "\(Self.error(error))"
        }
    }

    package func lock() async throws(PowerError) {
        do {
            try await withBus { bus in
                let session = try await session(bus)
                try await bus.call(Self.request("LockSession", [.text(session)]))
            }
        } catch {
            throw Self.error(error)
        }
    }

    package func sleep() async throws(PowerError) {
        do {
            try await withBus { bus in
                try await checkSleep(bus)
                // False: no dialog for a password, which nobody might be there to answer.
                try await bus.call(Self.request("Suspend", [.flag(false)]))
            }
        } catch {
            throw Self.error(error)
        }
    }

    private func checkSleep(_ bus: BusConnection) async throws {
        let answer = try await bus.call(Self.request("CanSuspend")) { $0.text(limit: Self.textLimit) }
        switch answer {
        case "yes": return
        case "challenge", "no": throw PowerError.notPermitted
        default: throw PowerError.cannotSleep
        }
    }

    /// The id of the session to lock: the one that this program was started in, else the first of the user that has a screen.
    private func session(_ bus: BusConnection) async throws -> String {
        let uid = getuid()
        let all = try await bus.call(Self.request("ListSessions")) { $0.sessions(limit: 256) }
        // One over the network has no screen to lock.
        let sessions = all.filter { $0.user == uid && !$0.seat.isEmpty }
        let own = sessions.first { $0.id == environment["XDG_SESSION_ID"] }
        guard let session = own ?? sessions.first else { throw PowerError.noSession }
        return session.id
    }

    private func withBus<Value: Sendable>(_ body: (BusConnection) async throws -> Value) async throws -> Value {
        let bus = BusConnection(
            queue: DispatchQueue(label: "tandem.logind"),
            time: time,
            handle: { _ in },
            ended: { _ in }
        )
        defer { bus.close() }
        let address = environment["DBUS_SYSTEM_BUS_ADDRESS"].flatMap { $0.isEmpty ? nil : $0 } ?? Self.systemBus
        do {
            try await bus.open(address)
        } catch BusError.unreachable(let reason) {
            throw PowerError.noManager(reason: reason)
        }
        return try await body(bus)
    }

    private static func request(_ member: String, _ arguments: [BusArgument] = []) -> BusRequest {
        BusRequest(
            destination: service,
            path: manager,
            interface: "org.freedesktop.login1.Manager",
            member: member,
            arguments
        )
    }

    private static func error(_ error: any Error) -> PowerError {
        switch error {
        case let error as PowerError: return error
        case BusError.unreachable(let reason): return .noManager(reason: reason)
        case BusError.noService, BusError.noSession:
            return .noManager(reason: "no such service")
        case BusError.foreignBus: return .notPermitted
        case BusError.timedOut: return .refused(reason: "logind does not answer")
        case BusError.refused(let reason):
            let isPermission = ["authenticat", "Access denied", "not authorized", "Permission denied"]
                .contains { reason.localizedCaseInsensitiveContains($0) }
            return isPermission ? .notPermitted : .refused(reason: reason)
        default: return .refused(reason: "\(error)")
        }
    }

    // MARK: Interfaces

    package func interfaces() async -> [PowerStatus.Interface] {
        // The kernel's own files: reading them waits for no disk.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: interfaceFolder)) ?? []
        let found = names.sorted().compactMap { name -> PowerStatus.Interface? in
            let folder = "\(interfaceFolder)/\(name)"
            // What is made of software (bridges, containers, tunnels) has no device and wakes nothing.
            guard FileManager.default.fileExists(atPath: "\(folder)/device"), text("\(folder)/type") == Self.ethernet,
                let address = text("\(folder)/address").flatMap({ HardwareAddress($0) })
            else { return nil }
            let isWakeOn: Bool? =
                switch text("\(folder)/device/power/wakeup") {
                case "enabled": true
                case "disabled": false
                default: nil
                }
            return PowerStatus.Interface(name: name, address: address, isWakeOn: isWakeOn)
        }
        return Array(found.prefix(WakeLimits.addresses))
    }

    private func text(_ path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path), let bytes = try? file.read(upToCount: 64) else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // MARK: Packets

    package func wake(_ packets: [MagicPacket]) async throws(PowerError) -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .notSent(reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_BROADCAST, &yes, socklen_t(MemoryLayout<Int32>.size))
        var count = 0
        var failure: Int32 = 0
        for target in targets ?? Self.broadcasts() {
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_port = target.port.bigEndian
            guard inet_pton(AF_INET, target.address, &place.sin_addr) == 1 else { continue }
            for packet in packets {
                let bytes = packet.bytes
                let sent = withUnsafePointer(to: &place) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                        sendto(
                            descriptor,
                            bytes,
                            bytes.count,
                            Int32(MSG_DONTWAIT),
                            address,
                            socklen_t(MemoryLayout<sockaddr_in>.size)
                        )
                    }
                }
                if sent == bytes.count { count += 1 } else { failure = errno }
            }
        }
        guard count > 0 else {
            throw .notSent(reason: failure == 0 ? "it has no network" : String(cString: strerror(failure)))
        }
        return count
    }

    /// The broadcast address of each network that is up.
    private static func broadcasts() -> [Target] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var addresses: [String] = []
        var next = first
        while let entry = next {
            next = entry.pointee.ifa_next
            let flags = Int32(bitPattern: entry.pointee.ifa_flags)
            let wanted = Int32(IFF_UP) | Int32(IFF_BROADCAST)
            guard flags & wanted == wanted, let own = entry.pointee.ifa_addr, own.pointee.sa_family == AF_INET,
                let broadcast = entry.pointee.ifa_ifu.ifu_broadaddr
            else { continue }
            var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
            broadcast.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { place in
                _ = inet_ntop(AF_INET, &place.pointee.sin_addr, &text, socklen_t(INET_ADDRSTRLEN))
            }
            let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            addresses.append(String(decoding: bytes, as: UTF8.self))
        }
        return Array(Set(addresses)).sorted().map { Target(address: $0, port: UInt16(MagicPacket.port)) }
    }
}
