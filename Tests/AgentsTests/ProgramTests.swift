import Agents
import Foundation
import Kernel
import KernelTesting
import LinuxAgents
import Testing

@Suite("Agents' programs on Linux", .timeLimit(.minutes(2)))
struct ProgramTests {
    private let launcher = LinuxAgentLauncher(
        environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "TANDEM_TOKEN": "s", "CLAUDECODE": "1"],
        mask: 0o022,
        asksShell: false
    )

    private func output(_ command: [String], folder: String? = "/") async throws -> (String, AgentExit) {
        let process = try await launcher.launch(AgentLaunch(command: command, folder: folder))
        var bytes: [UInt8] = []
        while let more = await process.read(upTo: 1024) { bytes += more }
        process.end()
        return (String(decoding: bytes, as: UTF8.self), await process.exit())
    }

    @Test("a program has the environment of a login, its folder, its umask and a session of its own")
    func environment() async throws {
        let (text, exit) = try await output(
            ["sh", "-c", "env; echo folder=$(pwd); echo mask=$(umask); ps -o sid= -p $$; echo $$"],
            folder: "/usr"
        )
        let lines = text.split(separator: "\n").map(String.init)
        #expect(exit == .exited(code: 0))
        #expect(lines.contains("HOME=/tmp"))
        #expect(lines.contains("PWD=/usr"))
        #expect(lines.contains("TERM=dumb"))
        #expect(lines.contains("folder=/usr"))
        #expect(lines.contains("mask=0022"))
        #expect(!text.contains("TANDEM_") && !text.contains("CLAUDECODE"))
        let numbers = lines.suffix(2).map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(numbers.first == numbers.last)
    }

    @Test("what is missing is told apart")
    func missing() async throws {
        await #expect(throws: AgentLaunchError.missing) {
            try await launcher.launch(AgentLaunch(command: ["no-such-agent-program"]))
        }
        await #expect(throws: AgentLaunchError.missing) {
            try await launcher.launch(AgentLaunch(command: ["/etc/passwd"]))
        }
        await #expect(throws: AgentLaunchError.missing) { try await launcher.launch(AgentLaunch(command: [])) }
        await #expect(throws: AgentLaunchError.folderMissing("/no/such")) {
            try await launcher.launch(AgentLaunch(command: ["true"], folder: "/no/such"))
        }
        await #expect(throws: AgentLaunchError.system(reason: "a NUL in its arguments")) {
            try await launcher.launch(AgentLaunch(command: ["true", "a\0b"]))
        }
        #expect(await launcher.path(of: "sh")?.hasSuffix("/sh") == true)
        #expect(await launcher.path(of: "") == nil)
    }

    @Test("a login shell is asked for its PATH")
    func loginPath() async throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "tandem-home-\(UUID().uuidString)")
        let bin = home.appending(path: "tools/bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        let profile = "echo noise\nexport PATH=\"$HOME/tools/bin:$PATH\"\n"
        for name in [".profile", ".bash_profile", ".zprofile"] {
            try Data(profile.utf8).write(to: home.appending(path: name))
        }
        let program = bin.appending(path: "my-agent")
        try Data("#!/bin/sh\necho \"$PATH\"\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let launcher = LinuxAgentLauncher(environment: ["PATH": "/usr/bin:/bin", "HOME": home.path])
        #expect(await launcher.path(of: "my-agent") == program.path)
    }

    @Test("writing to a program that has closed its input harms nothing")
    func brokenPipe() async throws {
        let process = try await launcher.launch(
            AgentLaunch(command: ["sh", "-c", "exec 0<&-; echo ready; sleep 1000"])
        )
        #expect(await process.read(upTo: 100) == Array("ready\n".utf8))
        // A program that another test is starting may hold the other end for a moment longer.
        while !Task.isCancelled, process.write([UInt8](repeating: 0x61, count: 1 << 10)) { await Task.yield() }
        process.kill()
        #expect(await process.exit() == .killed(signal: 9))
        #expect(await process.read(upTo: 100) == nil)
        #expect(!process.write([1]))
    }

    @Test("what a program leaves unread is bounded")
    func unread() async throws {
        let process = try await launcher.launch(AgentLaunch(command: ["sleep", "1000"]))
        var taken = 0
        while taken < 100, process.write([UInt8](repeating: 0x61, count: 1 << 20)) { taken += 1 }
        #expect((4...5).contains(taken))
        process.end()
        #expect(await process.exit() == .killed(signal: 15))
    }

    @Test("a flood of complaints does not stop a program; its end is kept")
    func complaints() async throws {
        let process = try await launcher.launch(
            AgentLaunch(command: [
                "sh", "-c", "head -c 4000000 /dev/zero | tr '\\0' 'y' >&2; echo last words >&2; echo done",
            ])
        )
        var bytes: [UInt8] = []
        while let more = await process.read(upTo: 1024) { bytes += more }
        #expect(bytes == Array("done\n".utf8))
        _ = await process.exit()
        #expect(process.lastWords.hasSuffix("last words\n"))
        #expect(process.lastWords.utf8.count <= 8 << 10)
    }

    @Test("a program that does not end when asked is ended by force, with all that it started")
    func group() async throws {
        let launcher = LinuxAgentLauncher(
            environment: ["PATH": "/usr/bin:/bin", "HOME": "/tmp"],
            asksShell: false,
            time: ImmediateClock()
        )
        let process = try await launcher.launch(
            AgentLaunch(command: ["sh", "-c", "trap '' TERM; sleep 1000 & echo $!; while :; do sleep 1000; done"])
        )
        let text = String(decoding: await process.read(upTo: 100) ?? [], as: UTF8.self)
        let child = try #require(Int64(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(isThere(child))
        process.end()
        #expect(await process.exit() == .killed(signal: 9))
        while await process.read(upTo: 100) != nil {}
        #expect(hasEnded(child))
    }

    @Test("output of a program that has ended is read to its end, although another holds the pipe")
    func leftOver() async throws {
        // The child leaves the group, so that it outlives its parent and keeps the pipe open.
        let process = try await launcher.launch(
            AgentLaunch(command: ["sh", "-c", "setsid sleep 3 & echo all of it; exit 5"])
        )
        #expect(await process.exit() == .exited(code: 5))
        #expect(await process.read(upTo: 100) == Array("all of it\n".utf8))
        #expect(await process.read(upTo: 100) == nil)
    }
}
