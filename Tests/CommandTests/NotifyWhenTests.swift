import Control
import Foundation
import Glibc
import Kernel
import Notifications
import Testing

@testable import TandemCommands

/// One at a time: a program that runs in the place of this process gets this process's signals.
@Suite("Telling how a command ended", .serialized, .timeLimit(.minutes(4)))
struct NotifyWhenTests {
    /// What the computer was asked to tell.
    private func run(
        _ words: [String],
        status: Int32 = 0
    ) async throws -> (output: String, sent: [JSONValue]) {
        try await PreparedRole.run({ _ in ["success": true, "notificationId": "n-1"] }) { state, role in
            let console = TestConsole()
            let at = words.firstIndex(of: "--") ?? words.endIndex
            #expect(await console.run(["notify-when"] + words[..<at] + ["--state", state] + words[at...]) == status)
            #expect(console.error == "")
            let sent = role.requests.filter { $0.params["method"] == "notification.send" }
            return (console.output, sent.compactMap { $0.params["params"] })
        }
    }

    /// The same by the program itself, as a process of its own: it is the one that gets signals.
    private func runProgram(
        _ script: String,
        status: Int32 = 0,
        _ meanwhile: @escaping @Sendable (_ process: pid_t) async -> Void
    ) async throws -> [JSONValue] {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "tandem")
        return try await PreparedRole.run({ _ in ["success": true, "notificationId": "n-1"] }) { state, role in
            let process = Process()
            process.executableURL = program
            process.arguments = ["notify-when", "--state", state, "--", "sh", "-c", script]
            let ended = AsyncStream<Int32> { continuation in
                process.terminationHandler = {
                    continuation.yield($0.terminationReason == .exit ? $0.terminationStatus : -$0.terminationStatus)
                    continuation.finish()
                }
            }
            try process.run()
            await meanwhile(process.processIdentifier)
            #expect(await ended.first { _ in true } == status)
            return role.requests.filter { $0.params["method"] == "notification.send" }.compactMap {
                $0.params["params"]
            }
        }
    }

    /// Two pipes by name, by which a test and its command wait for each other.
    private struct Meeting {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nw-\(UUID().uuidString.prefix(8))")
        var up: String { folder.path + "/up" }
        var go: String { folder.path + "/go" }

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for path in [up, go] { try #require(mkfifo(path, 0o600) == 0) }
        }

        /// Returns once the command has written that it runs.
        func isUp() async -> String {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [up] in
                    let file = FileHandle(forReadingAtPath: up)
                    let data = (try? file?.readToEnd()) ?? Data()
                    continuation.resume(returning: String(decoding: data, as: UTF8.self))
                }
            }
        }

        /// Lets the command go on.
        func goOn() async {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [go] in
                    let file = FileHandle(forWritingAtPath: go)
                    try? file?.write(contentsOf: Data("go\n".utf8))
                    try? file?.close()
                    continuation.resume()
                }
            }
        }

        /// A left-over in the temporary folder does no harm.
        func end() { try? FileManager.default.removeItem(at: folder) }
    }

    @Test(
        "a signal is the command's: its status is passed on, and what ended it is told",
        arguments: [
            ("echo up > $UP; exec sleep 60", SIGINT, 130, "signal", "2", "Ended by signal 2"),
            ("echo up > $UP; exec sleep 60", SIGTERM, 143, "signal", "15", "Ended by signal 15"),
            (
                "trap 'kill $!; exit 5' INT; sleep 60 & echo up > $UP; wait $!", SIGINT, 5, "exit code", "5",
                "Failed with status 5"
            ),
            ("trap 'kill $!; exit 0' TERM; sleep 60 & echo up > $UP; wait $!", SIGTERM, 0, "exit code", "0", "Done"),
        ] as [(String, Int32, Int32, String, JSONValue, String)]
    )
    func signals(
        script: String,
        signal: Int32,
        status: Int32,
        member: String,
        value: JSONValue,
        sentence: String
    ) async throws {
        let meeting = try Meeting()
        defer { meeting.end() }
        // Tests that run in the background of a shell are started with this ignored, which the command would inherit.
        let before = Glibc.signal(signal, SIG_DFL)
        defer { _ = Glibc.signal(signal, before) }
        let sent = try await runProgram(script.replacing("$UP", with: meeting.up), status: status) { process in
            #expect(await meeting.isUp() == "up\n")
            // To the program alone, as a service manager or a person with `kill` does.
            _ = kill(process, signal)
        }
        #expect(sent.count == 1)
        #expect(sent.first?["data"]?[member] == value)
        #expect(sent.first?["priority"] == (status == 0 ? "normal" : "high"))
        #expect(sent.first?["body"]?.stringValue?.hasPrefix(sentence) == true)
    }

    @Test("a command that ignores a signal goes on, and so does this one; its own end is what is told")
    func ignoring() async throws {
        let meeting = try Meeting()
        defer { meeting.end() }
        let script = """
            trap '' TERM INT HUP; echo up > \(meeting.up); read line < \(meeting.go); test "$line" = go; exit $?
            """
        let sent = try await runProgram(script) { process in
            #expect(await meeting.isUp() == "up\n")
            for signal in [SIGTERM, SIGINT, SIGHUP] { _ = kill(process, signal) }
            await meeting.goOn()
        }
        #expect(sent.first?["data"]?["exit code"] == "0")
    }

    @Test("a command reads this one's input and writes where it writes, also where neither is a terminal")
    func streams() async throws {
        let script = """
            for fd in 0 1 2; do test "$(readlink /proc/$$/fd/$fd)" = "$(readlink /proc/$PPID/fd/$fd)" || exit 1$fd; done
            """
        let (output, sent) = try await run(["--", "sh", "-c", script])
        #expect(output == "")
        #expect(sent.first?["data"]?["exit code"] == "0")
    }

    @Test("signals are this process's own again once the command has ended")
    func restored() async throws {
        var before = sigaction()
        var after = sigaction()
        sigaction(SIGUSR2, nil, &before)
        _ = try await run(["--", "true"])
        #expect(await TestConsole().run("notify-when", "--", "no-such-program-anywhere") == 127)
        sigaction(SIGUSR2, nil, &after)
        let isSame = (after.__sigaction_handler.sa_handler == nil) == (before.__sigaction_handler.sa_handler == nil)
        #expect(isSame)
        #expect(after.sa_flags == before.sa_flags)
    }

    @Test(
        "a command's end is told, and its status is passed on",
        arguments: [
            ("exit 0", 0, "normal", "exit code", "0"), ("exit 3", 3, "high", "exit code", "3"),
            ("kill -TERM $$", 143, "high", "signal", "15"),
        ] as [(String, Int32, JSONValue, String, JSONValue)]
    )
    func notifyWhen(script: String, status: Int32, priority: JSONValue, member: String, value: JSONValue) async throws {
        let (output, sent) = try await run(
            ["--title", "Tests", "--key", "k", "--", "sh", "-c", script],
            status: status
        )
        #expect(output == "")
        let params = sent.first
        #expect(params?["title"] == "Tests" && params?["key"] == "k" && params?["priority"] == priority)
        #expect(params?["data"]?[member] == value)
        // The title stands for the command, whose arguments may hold a password.
        #expect(params?["data"]?["command"] == nil)
    }

    @Test("where no computer runs, that is said and the status stays; a program that is not there is 127")
    func nowhere() async throws {
        let console = TestConsole()
        #expect(await console.run("notify-when", "--state", "/nonexistent/state", "--", "sh", "-c", "exit 4") == 4)
        #expect(console.error.contains("Nothing was told of its end"))
        let other = TestConsole()
        #expect(await other.run("notify-when", "--", "no-such-program-anywhere") == 127)
        #expect(other.error.contains("There is no program no-such-program-anywhere"))
    }

    @Test("how long it took is said in two units")
    func durations() {
        #expect(CommandReport.words(.milliseconds(1240)) == "1.2 s")
        #expect(CommandReport.words(.seconds(192)) == "3 min 12 s")
        #expect(CommandReport.words(.seconds(7384)) == "2 h 3 min")
    }
}
