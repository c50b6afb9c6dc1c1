import ArgumentParser
import Control
import Foundation
import Kernel
import Testing

@testable import TandemCommands

@Suite("Doctor", .timeLimit(.minutes(4)))
struct DoctorTests {
    @Test("a limit below 1024 open files is too low, and it is said how to raise it", arguments: [64, 1023])
    func lowLimit(limit: Int) {
        let detail = "\(limit) files and sockets at once. Raise it: LimitNOFILE= in the unit, or ulimit -Hn."
        #expect(Doctor.openFiles(limit: limit) == Finding(name: "Open files", works: false, detail: detail))
    }

    @Test("a limit from 1024 open files on is enough", arguments: [1024, 1_048_576])
    func sufficientLimit(limit: Int) {
        let detail = "\(limit) files and sockets at once"
        #expect(Doctor.openFiles(limit: limit) == Finding(name: "Open files", works: true, detail: detail))
    }

    @Test("only what is needed and broken gives status 1")
    func status() throws {
        let good = Finding(name: "QR codes", works: true, isNeeded: true, detail: "drawn and read from pictures")
        let missing = Finding(name: "Camera", works: false, detail: "there is none")
        let broken = Finding(name: "Settings", works: false, isNeeded: true, detail: "name must be a text")
        try Doctor.conclude([])
        try Doctor.conclude([good, missing, Doctor.openFiles(limit: 64)])
        #expect(throws: CommandError.broken(["Settings"])) { try Doctor.conclude([good, broken, missing]) }
        #expect(missing.line == "missing  Camera: there is none")
        #expect(broken.line == "BROKEN   Settings: name must be a text")
        #expect(broken.json["needed"] == true)
        #expect(missing.json["needed"] == false)
    }

    /// What `tandem doctor` makes of a running desktop that is registered at its hub, or is not.
    private func findings(registered: Bool) async throws -> [Finding] {
        let hub: JSONValue = ["name": "hub", "registered": .bool(registered), "reason": "nobody answers"]
        let answers: [String: JSONValue] = [
            "doctor": ["checks": [["name": "Clipboard", "works": false, "detail": "Install xclip."]]],
            "status": ["hub": "wss://hub.example.net", "servers": [hub]],
        ]
        return try await PreparedRole.run({ answers[$0.method] ?? .null }) { state, _ in
            try await Doctor.parse(["--state", state]).running()
        }
    }

    @Test("a tool that the desktop misses is no failure, a hub that it does not reach is one")
    func hub() async throws {
        let without = try await findings(registered: false)
        #expect(
            without.map(\.line) == [
                "ok       Desktop: running; the following is what it sees", "missing  Clipboard: Install xclip.",
                "BROKEN   Connection to hub: wss://hub.example.net: nobody answers",
            ]
        )
        #expect(throws: CommandError.broken(["Connection to hub"])) { try Doctor.conclude(without) }
        let with = try await findings(registered: true)
        #expect(with.last?.line == "ok       Connection to hub: wss://hub.example.net: registered")
        try Doctor.conclude(with)
    }

    @Test("a desktop that refuses to answer is a failure, with its sentence")
    func refusing() async throws {
        let findings = try await PreparedRole.run({ _ in throw ControlError.refused("Restart it.") }) { state, _ in
            try await Doctor.parse(["--state", state]).running()
        }
        #expect(findings.map(\.line) == ["BROKEN   Desktop: Restart it."])
        #expect(throws: CommandError.broken(["Desktop"])) { try Doctor.conclude(findings) }
    }

    @Test("settings that stop the desktop's start are a failure, and the mistake is named")
    func settings() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        let folder = try StateFolder(url)
        let doctor = try Doctor.parse(["--state", folder.url.path])
        #expect(doctor.settings().line == "ok       Settings: understood")
        try Data(#"{"listen":9001}"#.utf8).write(to: folder.configurationURL)
        let finding = doctor.settings()
        let path = folder.configurationURL.path
        #expect(finding.line == "BROKEN   Settings: listen in \(path) must be a text, not 9001.")
        #expect(throws: CommandError.broken(["Settings"])) { try Doctor.conclude([finding]) }
    }
}
