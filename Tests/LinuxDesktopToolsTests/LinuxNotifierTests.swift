import CommandServer
import Foundation
import LinuxDesktopTools
import Testing

@Suite("Notifications of the desktop", .timeLimit(.minutes(4)))
struct LinuxNotifierTests {
    /// A folder with a program in the place of notify-send, which notes what it was started with.
    private func notified(_ script: String, _ body: (LinuxNotifier) async throws -> Void) async throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-notify-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = folder.appending(path: "notify-send")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        try await body(
            LinuxNotifier(environment: ["PATH": "\(folder.path):/usr/bin:/bin", "SAID": folder.path + "/said"])
        )
        let said = try? String(contentsOf: folder.appending(path: "said"), encoding: .utf8)
        return (said ?? "").split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("the program gets the texts as texts: no option, no markup, no control characters")
    func texts() async throws {
        let said = try await notified(#"printf '%s\0' "$@" >"$SAID""#) {
            try await $0.notify("--urgency=critical\u{1B}[31m", "<b>Ada & Bo</b>\nagain")
        }
        #expect(
            said == [
                "--app-name=Tandem", "--", #"--urgency=critical\e[31m"#, #"&lt;b&gt;Ada &amp; Bo&lt;/b&gt;\nagain"#, "",
            ]
        )
    }

    @Test("a desktop that shows none is an error with the program's own words")
    func failure() async throws {
        let said = try await notified("echo 'no service' >&2; exit 1") { notifier in
            await #expect(throws: ToolError.failed(tool: "notify-send", reason: "no service")) {
                try await notifier.notify("a", "b")
            }
        }
        #expect(said == [""])
    }

    @Test("doctor names the package of what is missing")
    func missing() {
        let checks = LinuxNotifier.checks(environment: ["PATH": "/nonexistent"])
        #expect(checks.map(\.works) == [false])
        #expect(checks.first?.detail.contains("libnotify-bin") == true)
    }
}
