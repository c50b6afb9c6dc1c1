import CLinux
import Foundation
import Glibc
import Kernel
import Terminal
import TerminalHost
import Testing

@testable import LinuxTerminal

@Suite("Terminals on Linux", .timeLimit(.minutes(5)), .serialized)
struct LinuxTerminalTests {
    private static let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "TANDEM_SECRET": "x", "LINES": "5"]

    /// A shell without the person's own start-up files.
    private func start(
        shell: String = "bash",
        arguments: [String] = ["--noprofile", "--norc", "--noediting", "-i"],
        environment: [String: String] = [:],
        folder: String? = "/",
        size: TerminalSize = .standard
    ) async throws -> any PseudoTerminal {
        let factory = LinuxPseudoTerminalFactory(environment: Self.environment)
        return try await factory.start(
            TerminalRequest(
                shell: shell,
                arguments: arguments,
                environment: ["PS1": "ready$ "].merging(environment) { $1 },
                folder: folder,
                size: size
            )
        )
    }

    /// Everything the terminal says, up to `text`.
    private func output(of terminal: any PseudoTerminal, until text: String) async throws -> String {
        var all: [UInt8] = []
        while let bytes = await terminal.read(upTo: 65536) {
            all += bytes
            let soFar = String(decoding: all, as: UTF8.self)
            if soFar.contains(text) { return soFar }
        }
        throw Missing(text: text, output: String(decoding: all, as: UTF8.self))
    }

    private struct Missing: Error {
        let text: String
        let output: String
    }

    private func rest(of terminal: any PseudoTerminal) async -> String {
        var all: [UInt8] = []
        while let bytes = await terminal.read(upTo: 65536) { all += bytes }
        return String(decoding: all, as: UTF8.self)
    }

    /// What one command writes, in a shell that ends after it.
    private func run(_ command: String, environment: [String: String] = [:], folder: String = "/") async throws
        -> String
    {
        let terminal = try await start(
            arguments: ["--noprofile", "--norc", "-c", command],
            environment: environment,
            folder: folder
        )
        defer { terminal.hangUp() }
        let text = await rest(of: terminal)
        #expect(await terminal.exit() == .exited(code: 0))
        return text
    }

    @Test("a shell has a controlling terminal, and only its three descriptors")
    func controlling() async throws {
        let text = try await run("tty; tty </dev/tty; ls /proc/self/fd | tr '\\n' ' '; ps -o tpgid= -p $$ >/dev/null")
        let lines = text.split(separator: "\r\n")
        #expect(lines.first?.hasPrefix("/dev/pts/") == true)
        #expect(lines.dropFirst().first == lines.first || lines.dropFirst().first == "/dev/tty")
        // The fourth is the folder that ls reads.
        #expect(lines.last == "0 1 2 3 ")
    }

    @Test("a shell starts as a login shell, with the variables a phone's terminal needs and none of this program's")
    func environment() async throws {
        let text = try await run(
            "echo $0 $TERM $COLORTERM $LANG $HOME $USER [$TANDEM_SECRET$LINES] $GIVEN; pwd",
            environment: ["GIVEN": "für dich"],
            folder: "/usr/lib"
        )
        let account = LoginAccount.current(environment: [:])
        #expect(
            text == "-bash xterm-256color truecolor C.UTF-8 \(account.home) \(account.name) [] für dich\r\n/usr/lib\r\n"
        )
    }

    @Test("a shell has the limit of open files that the program was started with, whatever it made of its own")
    func descriptorLimit() async throws {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        try #require(getrlimit(resource, &limit) == 0)
        let before = limit.rlim_cur
        let first = tandem_terminal_first_limit()
        limit.rlim_cur = rlim_t(first - 1)
        try #require(setrlimit(resource, &limit) == 0)
        defer {
            limit.rlim_cur = before
            #expect(setrlimit(resource, &limit) == 0)
        }
        // The shell runs before it has its limit, so it looks again for a moment.
        let seen = try await run(
            "for i in $(seq 200); do n=$(ulimit -Sn); [ $n = \(first) ] && break; sleep 0.01; done; echo $n"
        )
        #expect(seen.contains("\(first)"))
    }

    @Test("a shell has its person's umask and home, not those of a program that keeps its files to itself")
    func personsOwn() async throws {
        let inherited = ["HOME": "/usr", "PATH": "/usr/bin:/bin"]
        let factory = LinuxPseudoTerminalFactory(environment: inherited, mask: 0o027)
        let terminal = try await factory.start(
            TerminalRequest(shell: "bash", arguments: ["-c", "umask; echo $HOME; pwd"])
        )
        defer { terminal.hangUp() }
        #expect(await rest(of: terminal) == "0027\r\n/usr\r\n/usr\r\n")
    }

    @Test("Ctrl-C ends a program with status 130, and the shell stays")
    func interrupt() async throws {
        let terminal = try await start()
        defer { terminal.hangUp() }
        _ = try await output(of: terminal, until: "ready$ ")
        try terminal.write(Array("(trap 'exit 130' INT; echo begun; while :; do sleep 0.01; done)\r".utf8))
        _ = try await output(of: terminal, until: "\nbegun")
        try terminal.write([3])
        _ = try await output(of: terminal, until: "ready$ ")
        try terminal.write(Array("echo status $?\r".utf8))
        let text = try await output(of: terminal, until: "status 130")
        #expect(text.contains("status 130"))
    }

    @Test("jobs can be stopped and brought back")
    func jobs() async throws {
        let terminal = try await start()
        defer { terminal.hangUp() }
        _ = try await output(of: terminal, until: "ready$ ")
        try terminal.write(Array("cat\r".utf8))
        try terminal.write(Array("echoed\r".utf8))
        _ = try await output(of: terminal, until: "echoed\r\nechoed\r\n")
        try terminal.write([26])
        _ = try await output(of: terminal, until: "ready$ ")
        try terminal.write(Array("fg\r".utf8))
        _ = try await output(of: terminal, until: "cat\r\n")
        try terminal.write(Array("again\r".utf8))
        _ = try await output(of: terminal, until: "again\r\nagain\r\n")
        try terminal.write([4])
        _ = try await output(of: terminal, until: "ready$ ")
        try terminal.write(Array("echo after $?\r".utf8))
        #expect(try await output(of: terminal, until: "after 0").contains("after 0"))
    }

    @Test("the size is there from the start, and a program is told when it changes")
    func size() async throws {
        let script = "stty size; trap 'stty size; exit' WINCH; echo set; while :; do sleep 0.01; done"
        let terminal = try await start(
            arguments: ["--noprofile", "--norc", "-c", script],
            size: TerminalSize(columns: 97, rows: 31)
        )
        defer { terminal.hangUp() }
        #expect(try await output(of: terminal, until: "set\r\n") == "31 97\r\nset\r\n")
        terminal.resize(to: try TerminalSize(columns: 1000, rows: 1))
        #expect(await rest(of: terminal) == "1 1000\r\n")
    }

    @Test("an exit code and a signal come as what they are")
    func exits() async throws {
        for (command, expected) in [
            ("exit 7", TerminalExit.exited(code: 7)), ("kill -TERM $$", .killed(signal: 15)),
            ("true", .exited(code: 0)),
        ] {
            let terminal = try await start(arguments: ["--noprofile", "--norc", "-c", command])
            #expect(await terminal.exit() == expected)
            #expect(await rest(of: terminal) == "")
            terminal.hangUp()
        }
    }

    @Test("hanging up ends the shell with SIGHUP; one that ignores it is ended by force")
    func hangUp() async throws {
        let polite = try await start()
        _ = try await output(of: polite, until: "ready$ ")
        polite.hangUp()
        #expect(await polite.exit() == .killed(signal: 1))
        #expect(await polite.read(upTo: 100) == nil)
        #expect(throws: TerminalError.sessionNotAlive) { try polite.write([1]) }

        let stubborn = try await start(
            arguments: ["--noprofile", "--norc", "-c", "trap '' HUP; echo begun; while :; do sleep 0.01; done"]
        )
        _ = try await output(of: stubborn, until: "begun")
        stubborn.hangUp()
        stubborn.kill()
        #expect(await stubborn.exit() == .killed(signal: 9))
    }

    @Test("a shell that ignored signals at its start would not be interrupted: it starts with all of them as usual")
    func signals() async throws {
        signal(SIGPIPE, SIG_IGN)
        let text = try await run("grep SigBlk /proc/self/status; grep SigIgn /proc/self/status | cut -f 2")
        let lines = text.split(separator: "\r\n")
        #expect(lines.first == "SigBlk:\t0000000000000000")
        // 32 and 33 are the C library's own, which it lets nobody touch.
        let ignored = try #require(lines.last.flatMap { UInt64($0, radix: 16) })
        #expect(ignored & ~0x1_8000_0000 == 0)
    }

    @Test("a shell or a folder that cannot be used is refused by name, and nothing is left open")
    func refused() async throws {
        let factory = LinuxPseudoTerminalFactory(environment: Self.environment)
        for shell in ["nosuchshell", "/bin/nosuchshell", "/bin/cat", "../bin/bash", "bash -c id", "bin/sh"] {
            await #expect(throws: TerminalError.shellNotAllowed) {
                try await factory.start(TerminalRequest(shell: shell))
            }
        }
        for folder in ["/nosuch", "/etc/passwd", "relative", "~nobody"] {
            await #expect(throws: TerminalError.folderMissing(folder)) {
                try await factory.start(TerminalRequest(shell: "sh", folder: folder))
            }
        }
    }

    @Test("shells are found by name or path, the login shell by naming none")
    func catalogue() throws {
        let catalogue = ShellCatalogue(listed: ["/bin/sh", "/gone/zsh"], login: "/bin/bash")
        #expect(catalogue.path(of: nil) == "/bin/bash")
        #expect(catalogue.path(of: "sh") == "/bin/sh")
        #expect(catalogue.path(of: "/bin/bash") == "/bin/bash")
        #expect(catalogue.path(of: "/gone/zsh") == nil)
        #expect(catalogue.path(of: "cmd") == nil)
        #expect(ShellCatalogue(listed: [], login: "/bin/sh").path(of: "bash") == "/bin/bash")
    }

    @Test("the shells that are here are named once each, the login shell first")
    func shellNames() async throws {
        let names = ShellCatalogue(listed: ["/bin/sh", "/usr/bin/sh", "/gone/other"], login: "/bin/bash").names
        #expect(names.first == "bash")
        #expect(names.contains("sh"))
        #expect(!names.contains("other"))
        #expect(Set(names).count == names.count)
        let here = try #require(await LinuxPseudoTerminalFactory(environment: Self.environment).shells())
        #expect(here.contains("bash"))
    }

    @Test("a terminal says which program has it and where that works, and nothing once it is closed")
    func foreground() async throws {
        let terminal = try await start()
        defer { terminal.hangUp() }
        _ = try await output(of: terminal, until: "ready$ ")
        #expect(terminal.foreground == TerminalForeground(program: "bash", folder: "/"))
        try terminal.write(Array("cd /usr/lib && sh -c 'echo in-$((1+1)); read line'\n".utf8))
        _ = try await output(of: terminal, until: "in-2")
        #expect(terminal.foreground == TerminalForeground(program: "sh", folder: "/usr/lib"))
        terminal.hangUp()
        #expect(terminal.foreground == nil)
    }

    /// In a process of its own: other tests open descriptors meanwhile.
    @Test("twenty-one sessions in a row leave no descriptor and no child behind")
    func leaks() async {
        await #expect(processExitsWith: .success) {
            let tests = LinuxTerminalTests()
            func descriptors() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            }
            _ = try await tests.run("true")
            let before = try descriptors()
            var started: [Int32] = []
            for _ in 0..<21 {
                let terminal = try await tests.start(arguments: ["--noprofile", "--norc", "-c", "echo here"])
                started.append(terminal.processID)
                _ = await tests.rest(of: terminal)
                _ = await terminal.exit()
                terminal.hangUp()
            }
            // Sources let go of their descriptors on queues of their own.
            var after = try descriptors()
            for _ in 0..<10_000 where after > before {
                await Task.yield()
                after = try descriptors()
            }
            #expect(after <= before)
            #expect(try LinuxTerminalTests.shells(of: started) == [])
        }
    }

    /// Which of these processes are still there, running or waiting to be reaped. Every thread starts children of its own, so the
    /// children of one thread say little; other tests have children meanwhile, so all children say too much.
    private static func shells(of processes: [Int32]) throws -> [Int32] {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        let children = threads.flatMap { thread -> [Int32] in
            // A thread that ended meanwhile has handed its children to another.
            let text = try? String(contentsOfFile: "/proc/self/task/\(thread)/children", encoding: .utf8)
            return (text ?? "").split(separator: " ").compactMap { Int32($0) }
        }
        return processes.filter { children.contains($0) || kill($0, 0) == 0 }
    }

    @Test("whoever does not read makes the program wait; nothing is lost")
    func backpressure() async throws {
        let terminal = try await start(arguments: ["--noprofile", "--norc", "-c", "stty -opost; seq 1 200000"])
        defer { terminal.hangUp() }
        let text = await rest(of: terminal)
        #expect(text == (1...200_000).map { "\($0)\n" }.joined())
    }

    @Test("what a program does not read is kept up to a bound, and then refused")
    func unread() async throws {
        let terminal = try await start(
            arguments: ["--noprofile", "--norc", "-c", "stty raw -echo; echo begun; exec sleep 1000"]
        )
        defer { terminal.hangUp() }
        _ = try await output(of: terminal, until: "begun")
        let block = [UInt8](repeating: 120, count: 64 * 1024)
        var refusal: TerminalError?
        for _ in 0..<20 where refusal == nil {
            do throws(TerminalError) { try terminal.write(block) } catch { refusal = error }
        }
        #expect(refusal == .inputFull)
    }

    @Test("a paste larger than the terminal's buffer arrives whole and in order")
    func paste() async throws {
        let terminal = try await start(
            arguments: ["--noprofile", "--norc", "-c", "stty raw -echo; echo begun; head -c 200000"]
        )
        defer { terminal.hangUp() }
        _ = try await output(of: terminal, until: "begun\n")
        let text = String((0..<50_000).map { "\($0)," }.joined().prefix(200_000))
        try terminal.write(Array(text.utf8))
        #expect(await rest(of: terminal) == text)
    }
}
