import ArgumentParser
import Capabilities
import CommandServer
import Control
import Foundation
import GRDB
import Kernel
import Storage
import TandemPhone
import Testing

@testable import TandemCommands

@Suite("Doctor", .timeLimit(.minutes(4)))
struct DoctorTests {
    @Test("a limit below 1024 open files is too low, and it is said how to raise it", arguments: [64, 1023])
    func lowLimit(limit: Int) {
        let detail = "\(limit) files and sockets at once. Raise it: LimitNOFILE= in the unit, or ulimit -Hn."
        let check = DoctorCheck(name: "Open files", works: false, detail: detail)
        let values: [String: JSONValue] = ["count": .integer(Int64(limit))]
        #expect(MachineChecks.openFiles(limit: limit) == check.saying("openFilesFew", values))
    }

    @Test("a limit from 1024 open files on is enough", arguments: [1024, 1_048_576])
    func sufficientLimit(limit: Int) {
        let detail = "\(limit) files and sockets at once"
        let check = DoctorCheck(name: "Open files", works: true, detail: detail)
        let values: [String: JSONValue] = ["count": .integer(Int64(limit))]
        #expect(MachineChecks.openFiles(limit: limit) == check.saying("openFiles", values))
    }

    @Test(
        "services that end with the person's session are said with the command, where they are started so and may not linger"
    )
    func lingering() throws {
        let base = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: base) }
        let wants = base.path + "/config/systemd/user/default.target.wants"
        func check() -> DoctorCheck? {
            Lingering.check(account: "ada", configuration: base.path + "/config", root: base.path)
        }
        for folder in [wants, base.path + "/run/systemd/system", base.path + "/var/lib/systemd/linger"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        #expect(check() == nil)
        let unit = wants + "/tandem-desktop.service"
        try FileManager.default.createSymbolicLink(atPath: unit, withDestinationPath: "/nowhere")
        #expect(check()?.mend == "loginctl enable-linger")
        #expect(check()?.works == false)
        try Data().write(to: base.appending(path: "var/lib/systemd/linger/ada"))
        #expect(check() == nil)
    }

    @Test("only what is needed and broken gives status 1")
    func status() throws {
        let good = DoctorCheck(name: "QR codes", works: true, isNeeded: true, detail: "drawn and read from pictures")
        let missing = DoctorCheck(name: "Camera", works: false, detail: "there is none")
        let broken = DoctorCheck(name: "Settings", works: false, isNeeded: true, detail: "name must be a text")
        try Doctor.conclude([])
        try Doctor.conclude([good, missing, MachineChecks.openFiles(limit: 64)])
        #expect(throws: CommandError.broken(["Settings"])) { try Doctor.conclude([good, broken, missing]) }
        #expect(
            try JSONValue(encoding: DoctorReport([broken, missing])) == [
                "checks": [
                    ["name": "Settings", "works": false, "needed": true, "detail": "name must be a text"],
                    ["name": "Camera", "works": false, "needed": false, "detail": "there is none"],
                ]
            ]
        )
    }

    @Test("a command that mends something stands in a row of its own, unless its sentence names it, and in the JSON")
    func mending() throws {
        let check = DoctorCheck(name: "Discovery", works: false, detail: "no answer", mend: "sudo apt install x\ny")
        #expect(
            DoctorText.text([check], width: nil, style: .off) == """
                Can be added
                  Discovery  no answer
                             type: sudo apt install x\\ny

                Nothing is broken. 1 thing can be added.
                """
        )
        let missing = ToolError.missing(tool: "grim", package: "grim")
        let named = DoctorCheck(name: "Screen", failure: missing)
        #expect(named.mend == "sudo apt install grim")
        #expect(!DoctorText.text([named], width: nil, style: .off).contains("type:"))
        #expect(try JSONValue(encoding: named)["mend"] == "sudo apt install grim")
        // For a page, which says it in its own language.
        #expect(try JSONValue(encoding: named)["reason"] == "toolMissing")
        #expect(try JSONValue(encoding: named)["values"] == ["tool": "grim", "package": "grim"])
        #expect(try JSONValue(encoding: check)["reason"] == nil)
        let none = DoctorCheck(name: "Screen", failure: ToolError.timedOut(tool: "grim", after: .seconds(1)))
        #expect(none.mend == nil)
        #expect(try JSONValue(encoding: none)["mend"] == nil)
    }

    @Test("at 80 columns rows go on below their details, what says the same is one row, and a long name has its own")
    func rows() {
        let session = "The screen needs a graphical session on the computer. Start Tandem from inside the session."
        let checks = [
            DoctorCheck(name: "System", works: true, detail: "2 cores"),
            DoctorCheck(name: "Displays", works: false, detail: session),
            DoctorCheck(name: "Screen", works: false, detail: session),
            DoctorCheck(name: "Notifications of all programs", works: false, detail: "No\u{1B}[2J session."),
        ]
        #expect(
            DoctorText.text(checks, width: 80, style: .off) == """
                Works
                  System  2 cores

                Can be added
                  Displays, Screen  The screen needs a graphical session on the computer. Start
                                    Tandem from inside the session.
                  Notifications of all programs
                                    No\\e[2J session.

                Nothing is broken. 2 things can be added.
                """
        )
        let colours = TestConsole(environment: ["TERM": "xterm"], terminals: [.output])
        #expect(DoctorText.text([checks[0]], width: 80, style: Style(colours)).hasPrefix("\u{1B}[1m\u{1B}[32mWorks"))
        let plain = TestConsole(environment: ["TERM": "xterm", "NO_COLOR": "1"], terminals: [.output])
        #expect(DoctorText.text([checks[0]], width: 80, style: Style(plain)).hasPrefix("Works\n"))
    }

    @Test("what a running desktop says of its servers is not said twice")
    func once() async throws {
        let check: JSONValue = ["name": "Connection to hub", "works": true, "needed": true, "detail": "registered"]
        let hub: JSONValue = ["name": "hub", "registered": true]
        let answers: [String: JSONValue] = [
            "doctor": ["checks": [check]],
            "status": Sample.wire([
                "role": "desktop", "deviceId": "pc-1", "version": "1", "port": 1, "activities": [],
                "hub": "wss://hub.example.net", "servers": [hub],
            ]),
        ]
        let findings = try await PreparedRole.run({ answers[$0.method] ?? .null }) { state, _ in
            try await Doctor.parse(["--state", state]).running()
        }
        #expect(findings.map(\.name) == ["Desktop", "Connection to hub"])
        #expect(findings.last?.detail == "registered")
    }

    /// What `tandem doctor` makes of a running desktop that is registered at its hub, or is not.
    private func findings(registered: Bool) async throws -> [DoctorCheck] {
        let hub: JSONValue = ["name": "hub", "registered": .bool(registered), "reason": "nobody answers"]
        let answers: [String: JSONValue] = [
            "doctor": [
                "checks": [["name": "Clipboard", "works": false, "needed": false, "detail": "Install xclip."]]
            ],
            "status": Sample.wire([
                "role": "desktop", "deviceId": "pc-1", "version": "1", "port": 1, "activities": [],
                "hub": "wss://hub.example.net", "servers": [hub],
            ]),
        ]
        return try await PreparedRole.run({ answers[$0.method] ?? .null }) { state, _ in
            try await Doctor.parse(["--state", state]).running()
        }
    }

    @Test("a tool that the desktop misses is no failure, a hub that it does not reach is one")
    func hub() async throws {
        let without = try await findings(registered: false)
        #expect(
            DoctorText.text(without, width: nil, style: .off) == """
                Works
                  Desktop  running; the following is what it sees

                Can be added
                  Clipboard  Install xclip.

                Broken
                  Connection to hub  wss://hub.example.net: nobody answers

                1 thing is broken. 1 thing can be added.
                """
        )
        #expect(throws: CommandError.broken(["Connection to hub"])) { try Doctor.conclude(without) }
        let with = try await findings(registered: true)
        #expect(with.last?.works == true)
        #expect(with.last?.detail == "wss://hub.example.net: registered")
        try Doctor.conclude(with)
    }

    @Test("a desktop that refuses to answer is a failure, with its sentence")
    func refusing() async throws {
        let findings = try await PreparedRole.run({ _ in throw ControlError.refused("Restart it.") }) { state, _ in
            try await Doctor.parse(["--state", state]).running()
        }
        #expect(findings == [DoctorCheck(name: "Desktop", works: false, isNeeded: true, detail: "Restart it.")])
        #expect(throws: CommandError.broken(["Desktop"])) { try Doctor.conclude(findings) }
    }

    @Test("settings that stop the desktop's start are a failure, and the mistake is named")
    func settings() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        let folder = try StateFolder(url)
        let doctor = try Doctor.parse(["--state", folder.url.path])
        #expect(doctor.settings() == DoctorCheck(name: "Settings", works: true, isNeeded: true, detail: "understood"))
        try Data(#"{"listen":9001}"#.utf8).write(to: folder.configurationURL)
        let finding = doctor.settings()
        let path = folder.configurationURL.path
        #expect(finding.detail == "listen in \(path) must be a text, not 9001.")
        #expect(throws: CommandError.broken(["Settings"])) { try Doctor.conclude([finding]) }
    }

    @Test("a database that is whole, damaged or of a newer version is told apart, and looked at without a change")
    func database() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        let folder = try StateFolder(url)
        let doctor = try Doctor.parse(["--state", folder.url.path])
        #expect(doctor.databases() == [])
        let path = folder.databaseURL.path
        // A phone's: the folder does not say whose it is. Its role has it open.
        let running = try StateDatabase.open(folder.databaseURL, schema: .phone(with: .standard))
        #expect(doctor.databases().map(\.detail) == ["\(path) is whole"])
        try running.write { try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('session-99')") }
        let newer = StateDatabaseError.newer(path: path, identifiers: ["session-99"])
        #expect(doctor.databases().map(\.detail) == ["\(newer)"])
        #expect(throws: CommandError.broken(["Database"])) { try Doctor.conclude(doctor.databases()) }
        try running.write { try $0.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'session-99'") }
        try running.close()
        // Every page behind the first one is overwritten.
        let file = try FileHandle(forUpdating: folder.databaseURL)
        let size = try file.seekToEnd()
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: Data(repeating: 0x41, count: Int(size) - 4096))
        try file.close()
        let damaged = doctor.databases()
        #expect(damaged.map(\.works) == [false])
        #expect(damaged.first?.detail.contains(path) == true)
    }
}
