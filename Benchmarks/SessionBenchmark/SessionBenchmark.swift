import ArgumentParser
import BenchmarkReport
import Foundation
import Kernel
import Logging
import Pairing
import Sealing
import Signaling
import SignalingServer
import SystemInfoHost
import TandemDesktop
import TandemPhone

@main
struct SessionBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session-benchmark",
        abstract: "Times pairing and sealed round trips between a computer and a phone on loopback, both of them real."
    )

    @Option(help: "Pairings to time, at least 20.") var pairings = 100
    @Option(help: "Round trips to time, at least 100.") var roundTrips = 5000

    func validate() throws {
        guard pairings >= 20, roundTrips >= 100 else { throw ValidationError("Too few to speak of a percentile.") }
    }

    func run() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "sb-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }
        var logger = Logger(label: "benchmark")
        logger.logLevel = .critical
        let desktop = try Self.desktop(root.appending(path: "d"), logger)
        let phone = try Phone(
            folder: StateFolder(root.appending(path: "p")),
            configuration: PhoneConfiguration(device: PairingDeviceInfo(name: "phone", platform: .iOS), version: "1"),
            logger: logger
        )
        let (pairings, roundTrips) = (pairings, roundTrips)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await desktop.run() }
            group.addTask { try await phone.run() }
            let port = try await desktop.boundPort()
            let paired = try await Self.time(pairings: pairings, desktop, phone)
            let sealed = try await Self.time(roundTrips: roundTrips, desktop, phone)
            let plain = try await Self.timePlain(roundTrips: roundTrips, port: port, logger)
            print(Row.header)
            print(Row.of("QR scanned to paired, ms", paired, goal: "p95 < 150", isMet: paired.percentile(95) < 150))
            print(Row.of("sealed system.ping, ms", sealed, goal: "p99 < 2", isMet: sealed.percentile(99) < 2))
            print(Row.of("plain frame to oneself, ms", plain, goal: "", isMet: nil))
            print(String(format: "sealed over plain, p50: %.1fx", sealed.percentile(50) / plain.percentile(50)))
            group.cancelAll()
        }
    }

    private static func desktop(_ folder: URL, _ logger: Logger) throws -> Desktop {
        var server = SignalingServerConfiguration()
        server.address = "127.0.0.1"
        server.port = 0
        // One client stands for a crowd here.
        server.limits.socketMessages = .unlimited
        return try Desktop(
            folder: StateFolder(folder),
            configuration: DesktopConfiguration(
                device: PairingDeviceInfo(name: "computer", platform: .linux, version: "1"),
                version: "1",
                server: server,
                acceptsEverybody: true,
                features: [SystemSkill.maker(information: nil)]
            ),
            logger: logger
        )
    }

    /// From the code's text in the phone's hands to the record on its disk; forgetting in between is not timed.
    private static func time(pairings count: Int, _ desktop: Desktop, _ phone: Phone) async throws -> Sample {
        var sample = Sample()
        for _ in 0..<count {
            let text = try await desktop.pairing.makeCode().qrText
            var computer: PairedDesktop?
            try await sample.measure {
                computer = try await phone.pairing.pair(with: phone.pairing.read(text))
            }
            guard let computer else { continue }
            _ = try await phone.call("system.ping", [:], on: computer)
            try await phone.pairing.forget(computer.pcPeerID)
            while !desktop.pairedPhones().isEmpty { await Task.yield() }
        }
        return sample
    }

    private static func time(roundTrips count: Int, _ desktop: Desktop, _ phone: Phone) async throws -> Sample {
        let text = try await desktop.pairing.makeCode().qrText
        let computer = try await phone.pairing.pair(with: phone.pairing.read(text))
        for _ in 0..<200 { _ = try await phone.call("system.ping", [:], on: computer) }
        var sample = Sample()
        for _ in 0..<count {
            try await sample.measure { _ = try await phone.call("system.ping", [:], on: computer) }
        }
        return sample
    }

    /// The same server and client without a session: one frame to oneself, through the relay and back.
    private static func timePlain(roundTrips count: Int, port: Int, _ logger: Logger) async throws -> Sample {
        guard let url = URL(string: "ws://127.0.0.1:\(port)") else { return Sample() }
        let identity = Identity()
        let client = WebSocketSignalClient(identity: identity, logger: logger)
        var messages = client.messages().makeAsyncIterator()
        try await client.maintain(url, as: identity.did.text, device: SignalDevice(category: .mobile))
        for await state in client.states() where state.presence != nil { break }
        var sample = Sample()
        for _ in 0..<count {
            try await sample.measure {
                try await client.send(SignalMessage(to: identity.did.text, payload: ["type": "echo"]))
                while let event = await messages.next() {
                    if case .message = event { break }
                }
            }
        }
        await client.disconnect()
        return sample
    }
}

extension Sample {
    /// Adds the milliseconds that `work` takes.
    fileprivate mutating func measure(_ work: () async throws -> Void) async throws {
        let start = ContinuousClock.now
        try await work()
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        values.append(Double(seconds) * 1e3 + Double(attoseconds) / 1e15)
    }

}

private enum Row {
    static let header = Self.line("", "p50", "p95", "p99", "goal", "met")

    static func of(_ name: String, _ sample: Sample, goal: String, isMet: Bool?) -> String {
        let cells = [50.0, 95, 99].map { String(format: "%.2f", sample.percentile($0)) }
        return line(name, cells[0], cells[1], cells[2], goal, isMet.map { $0 ? "yes" : "NO" } ?? "")
    }

    static func line(_ name: String, _ cells: String...) -> String {
        name.padding(toLength: 28, withPad: " ", startingAt: 0)
            + cells.map { $0.padding(toLength: 12, withPad: " ", startingAt: 0) }.joined()
    }
}
