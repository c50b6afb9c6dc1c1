import Foundation
import Glibc
import Subprocess
import Testing

@Suite("Daemons that killed tests left behind", .timeLimit(.minutes(4)))
struct LeftoverTests {
    /// A process that looks like a daemon to whoever reads its command line. It ends when its pipe gets a line.
    private func runStandIn(
        _ commandLine: String,
        in folder: URL,
        started: AsyncStream<Void>.Continuation
    ) async throws -> TerminationStatus {
        defer { started.finish() }
        // The pipe is open before the start is told: a line that is written into one without a reader is lost, and the wait never ends.
        let script = #"mkfifo "$1/pipe" && exec 3<> "$1/pipe" && echo $$ > "$1/pid" && echo started && read line <&3"#
        let result = try await Subprocess.run(
            .name("sh"),
            arguments: ["-c", script, commandLine, folder.path],
            input: .none,
            output: .sequence,
            error: .combinedWithOutput
        ) { execution in
            var lines = execution.standardOutput.strings().makeAsyncIterator()
            _ = try await lines.next()
            // What follows is seen from outside: a process is reaped only after this has returned.
            started.finish()
        }
        return result.terminationStatus
    }

    @Test(
        "a daemon of an earlier test is ended, and nobody else's is",
        arguments: [
            ("avahi-daemon: running [tandem-test.local]", true), ("avahi-daemon: running [studio.local]", false),
            ("dbus-daemon --config-file=/tmp/tandem-1/bus.conf", true), ("dbus-daemon --system", false),
        ]
    )
    func leftover(commandLine: String, isOurs: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "td-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a test's leftovers harm nobody
        let (started, starting) = AsyncStream.makeStream(of: Void.self)
        async let ended = runStandIn(commandLine, in: folder, started: starting)
        for await _ in started {}
        try await DiscoveryNetwork.endLeftover(folder.appending(path: "pid").path)
        // Ends one that is still there. Without a reader it does not open.
        let pipe = open(folder.appending(path: "pipe").path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        if pipe >= 0 {
            write(pipe, "\n", 1)
            close(pipe)
        }
        let expected: TerminationStatus = isOurs ? .signaled(SIGKILL) : .exited(0)
        #expect(try await ended == expected)
    }
}
