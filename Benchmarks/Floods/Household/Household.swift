import Foundation
import Kernel

/// A computer and its paired phone, with or without a hub between them.
final class Household {
    enum Target: String, CaseIterable {
        /// The server inside the computer's program, which the phone reaches over the LAN.
        case computer
        /// A hub of its own; the phone reaches the computer through it only.
        case hub
        /// The same behind a reverse proxy that it trusts: there the limits for one address hold, which loopback is exempt from.
        case proxied

        var title: String {
            switch self {
            case .computer: "a computer's own server"
            case .hub: "a hub"
            case .proxied: "a hub behind a proxy"
            }
        }
    }

    let target: Target
    let computer: Program
    private let hub: Program?
    let phone: Program

    init(_ target: Target, tandem: String, work: String) throws {
        self.target = target
        let shared = "\(work)/shared"
        try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: true)
        func start(_ role: String, _ arguments: [String]) throws(FloodError) -> Program {
            try Program(tandem, role: role, work: work, name: "\(target.rawValue)-\(role)", arguments: arguments)
        }
        var relay: [String] = []
        switch target {
        case .computer: hub = nil
        case .hub, .proxied:
            let proxies = target == .proxied ? ["--trusted-proxy", "127.0.0.0/8"] : []
            let started = try start("hub", ["--listen", "127.0.0.1:0"] + proxies)
            relay = ["--hub", "ws://127.0.0.1:\(started.port)"]
            hub = started
        }
        let atHome = ["--listen", "127.0.0.1:0", "--yes", "--no-discovery", "--share", shared]
        // Nothing listens on port 9, so that only the way over the hub is left.
        let away = hub == nil ? [] : ["--advertise", "ws://127.0.0.1:9"]
        computer = try start("desktop", atHome + relay + away)
        phone = try start("phone", ["--no-discovery"] + relay)
        try pair()
        try checkPath()
    }

    /// The program whose server is flooded.
    var server: Program { hub ?? computer }

    /// What strangers make work, so far: the server's program, and the computer behind a hub, to which frames are passed on.
    func processorSeconds() throws -> Double {
        try computer.processorSeconds() + (hub?.processorSeconds() ?? 0)
    }

    /// The id under which the computer is reached.
    var computerID: String { computer.announcement["deviceId"]?.stringValue ?? "" }

    /// - Returns: The text of a code that the computer shows.
    func showCode() throws -> String {
        try ControlSocket(folder: computer.folder).ask("pair.show")["payload"]?.stringValue ?? ""
    }

    func scan(_ code: String, seconds: Int = 30) throws {
        _ = try ControlSocket(folder: phone.folder).ask("pair.scan", ["text": .string(code)], seconds: seconds)
    }

    private func pair() throws {
        do {
            try scan(showCode())
        } catch let error as FloodError {
            throw FloodError.notPaired(reason: error.description)
        }
    }

    private func checkPath() throws {
        let control = try ControlSocket(folder: phone.folder)
        let expected = hub == nil ? "lan" : "relay"
        var path = ""
        for _ in 0..<100 {
            _ = try? control.ask("call", ["method": "system.ping"])  // the path is what counts
            path = try control.ask("devices.list")["devices"]?.arrayValue?.first?["path"]?.stringValue ?? "none"
            if path == expected { return }
            usleep(50_000)
        }
        throw FloodError.wrongPath(expected: expected, actual: path)
    }

    func stop() {
        for program in [phone, computer, hub].compactMap(\.self) { program.stop() }
    }
}
