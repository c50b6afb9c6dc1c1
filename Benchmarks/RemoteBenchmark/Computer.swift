import Foundation
import Kernel
import Logging
import Pairing
import TandemPhone

/// `tandem desktop` in a process of its own, and a phone in this one that is paired with it.
struct Computer: Sendable {
    let phone: Phone
    let record: PairedDesktop
    let process: Int32
    /// What it shares.
    let shared: URL
    /// The phone's own files.
    let local: URL

    static func with(
        tandem: String,
        folder: URL,
        usesSessionOnly: Bool,
        _ body: @escaping @Sendable (Computer) async throws -> Void
    ) async throws {
        let (shared, local, state) = (
            folder.appending(path: "shared"), folder.appending(path: "local"), folder.appending(path: "desktop")
        )
        for folder in [shared, local] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        if usesSessionOnly {
            try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
            try Data(#"{"directFiles":false}"#.utf8).write(to: state.appending(path: "config.json"))
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tandem)
        process.arguments = [
            "desktop", "--state", state.path, "--listen", "127.0.0.1:0", "--yes", "--no-discovery", "--share",
            shared.path, "--json",
            "--log-level", "error",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        guard !output.fileHandleForReading.availableData.isEmpty else {
            throw BenchmarkError.unexpected("the desktop did not start")
        }
        var logger = Logger(label: "benchmark")
        logger.logLevel = .critical
        let phone = try Phone(
            folder: StateFolder(folder.appending(path: "phone")),
            configuration: PhoneConfiguration(device: PairingDeviceInfo(name: "phone", platform: .iOS), version: "1"),
            logger: logger
        )
        let identifier = process.processIdentifier
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await phone.run() }
            let shown = try await Program.run([tandem, "pair", "show", "--no-wait", "--json", "--state", state.path])
            guard let payload = try JSONValue(parsing: Array(shown.utf8))["payload"]?.stringValue else {
                throw BenchmarkError.unexpected("no code")
            }
            let record = try await phone.pairing.pair(with: phone.pairing.read(payload))
            try await Program.run([
                tandem, "devices", "allow", "phone", "terminal", "file", "system", "--state", state.path,
            ])
            _ = try await phone.call("system.ping", [:], on: record)
            try await body(Computer(phone: phone, record: record, process: identifier, shared: shared, local: local))
            group.cancelAll()
        }
    }

    func call(_ method: String, _ params: JSONValue) async throws -> JSONValue {
        try await phone.call(method, params, on: record, timeout: .seconds(60))
    }
}
