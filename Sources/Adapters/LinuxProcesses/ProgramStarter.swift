import CLinux
import Dispatch
import Foundation
import Glibc
package import Kernel
import LinuxTerminal
import Synchronization

/// A program to start.
package struct ProgramStart: Hashable, Sendable {
    /// The program, by its path or by a name on the PATH of a login, and its arguments.
    package var command: [String]
    /// Added to the environment of a login.
    package var environment: [String: String]
    /// Where it starts; nil: the person's home.
    package var folder: String?
    /// Whether its errors come with its output, in the order in which it writes them.
    package var mergesErrors: Bool

    package init(
        command: [String],
        environment: [String: String] = [:],
        folder: String? = nil,
        mergesErrors: Bool = false
    ) {
        self.command = command
        self.environment = environment
        self.folder = folder
        self.mergesErrors = mergesErrors
    }
}

/// Why a program could not be started.
package enum ProgramStartError: Error, Hashable, Sendable {
    /// It is not on the PATH, or no program is at its path.
    case missing
    case folderMissing(String)
    case system(reason: String)
}

/// Starts programs with the environment of a login of the person, each as the leader of a session of its own.
package final class ProgramStarter: Sendable {
    /// How long a login shell may take to say its PATH. Some people's profiles start much.
    private static let shellLimit = Duration.seconds(10)
    private static let pathLimit = 32 << 10
    /// How long an answer is believed: people install programs while this one runs.
    private static let searchLifetime = Duration.seconds(600)

    private let inherited: [String: String]
    private let mask: UInt32?
    private let asksShell: Bool
    private let dropped: [String]
    private let label: String
    private let time: any TimeSource
    private let search = Mutex<(task: Task<[String], Never>, at: ContinuousClock.Instant)?>(nil)

    /// - Parameters:
    ///   - environment: In place of this program's own.
    ///   - mask: The programs' umask, where this program's own is stricter than its person's.
    ///   - asksShell: Whether the person's login shell is asked for its PATH: a service's own is shorter.
    ///   - dropped: Variables that no program is given unless its start names them.
    ///   - label: Of the queues on which programs are read.
    package init(
        environment: [String: String]? = nil,
        mask: UInt32? = nil,
        asksShell: Bool = true,
        dropping dropped: [String] = [],
        label: String,
        time: any TimeSource = .system
    ) {
        inherited = environment ?? ProcessInfo.processInfo.environment
        self.mask = mask
        self.asksShell = asksShell
        self.dropped = dropped
        self.label = label
        self.time = time
    }

    /// Where a program is; nil where it is not installed.
    package func path(of program: String) async -> String? {
        guard !program.isEmpty else { return nil }
        guard !program.contains("/") else { return Self.isProgram(program) ? program : nil }
        return await folders().lazy.map { "\($0)/\(program)" }.first(where: Self.isProgram)
    }

    package func start(_ start: ProgramStart) async throws(ProgramStartError) -> ChildProcess {
        guard let name = start.command.first, let program = await path(of: name) else { throw .missing }
        var folders = await folders()
        // A script's interpreter often lies beside it and nowhere on the PATH.
        let own = URL(filePath: program).deletingLastPathComponent().path(percentEncoded: false)
        let trimmed = own.count > 1 && own.hasSuffix("/") ? String(own.dropLast()) : own
        if !folders.contains(trimmed) { folders.append(trimmed) }
        return try self.start(program, start, path: folders.joined(separator: ":"))
    }

    // MARK: The PATH

    /// The folders of programs: those of a login, then those that installers use and forget to add.
    private func folders() async -> [String] {
        let now = time.now
        let task = search.withLock { search in
            if let search, now - search.at < Self.searchLifetime { return search.task }
            let task = Task { await self.findFolders() }
            search = (task, now)
            return task
        }
        return await task.value
    }

    private func findFolders() async -> [String] {
        let account = LoginAccount.current(environment: inherited)
        let given = inherited["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        let login = asksShell ? await loginPath(account.shell, given) ?? given : given
        let usual = [".local/bin", ".npm-global/bin", ".claude/local", ".bun/bin", ".cargo/bin", ".volta/bin"]
        var folders: [String] = []
        let all =
            login.split(separator: ":").map(String.init) + usual.map { "\(account.home)/\($0)" } + ["/usr/local/bin"]
        for folder in all where folder.hasPrefix("/") && !folders.contains(folder) { folders.append(folder) }
        return folders
    }

    /// The `PATH` of an interactive login shell, because version managers add their folders only there. Between marks, since a profile may print
    /// something.
    private func loginPath(_ shell: String, _ given: String) async -> String? {
        let mark = "tandem-path-mark"
        let probe = ProgramStart(command: [shell, "-l", "-i", "-c", "printf '\\n\(mark)%s\(mark)\\n' \"$PATH\""])
        guard Self.isProgram(shell), let process = try? start(shell, probe, path: given) else { return nil }
        let deadline = time.now + Self.shellLimit
        let timer = Task { [time] in if await time.pause(until: deadline) { process.kill() } }
        defer { timer.cancel() }
        var bytes: [UInt8] = []
        while bytes.count < Self.pathLimit, let more = await process.read(upTo: 4096) { bytes += more }
        process.end()
        _ = await process.ended()
        let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: mark)
        guard parts.count == 3, !parts[1].isEmpty else { return nil }
        return parts[1]
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    // MARK: Starting

    private func start(
        _ program: String,
        _ start: ProgramStart,
        path: String
    ) throws(ProgramStartError) -> ChildProcess {
        let account = LoginAccount.current(environment: inherited)
        let folder = start.folder ?? (ChildStart.isFolder(account.home) ? account.home : "/")
        guard ChildStart.isFolder(folder) else { throw .folderMissing(folder) }
        var added = start.environment
        if added["PATH"] == nil { added["PATH"] = path }
        added["PWD"] = folder
        // Nothing here is a terminal.
        added["TERM"] = added["TERM"] ?? "dumb"
        var environment = LoginEnvironment.make(
            inherited: inherited,
            account: account,
            shell: account.shell,
            added: added
        )
        for name in dropped where start.environment[name] == nil { environment[name] = nil }
        let variables = environment.map { "\($0.key)=\($0.value)" }
        return try spawn(program, start, variables, in: folder)
    }

    private func spawn(
        _ program: String,
        _ start: ProgramStart,
        _ environment: [String],
        in folder: String
    ) throws(ProgramStartError) -> ChildProcess {
        let arguments = start.command
        guard !(arguments + environment + [folder]).contains(where: { $0.utf8.contains(0) }) else {
            throw .system(reason: "a NUL in its arguments")
        }
        var pipes: [[Int32]] = []
        func closeAll() { for end in pipes.joined() { close(end) } }
        // The program has the end to read of its input, and the ends to write of the others.
        for programsEnd: Int32 in start.mergesErrors ? [0, 1] : [0, 1, 1] {
            var ends: [Int32] = [-1, -1]
            let code = tandem_pipe_open(&ends, programsEnd)
            guard code == 0 else {
                closeAll()
                throw .system(reason: String(cString: strerror(code)))
            }
            pipes.append(ends)
        }
        let errors = start.mergesErrors ? nil : pipes[2]
        let programsEnds = [pipes[0][0], pipes[1][1], errors?[1] ?? pipes[1][1]]
        var id: pid_t = 0
        let code = ChildStart.withPointers(arguments) { arguments in
            ChildStart.withPointers(environment) { environment in
                let mask = mask.map(Int32.init) ?? -1
                return tandem_process_spawn(programsEnds, program, &arguments, &environment, folder, mask, &id)
            }
        }
        guard code == 0 else {
            closeAll()
            throw .system(reason: String(cString: strerror(code)))
        }
        for end in Set(programsEnds) { close(end) }
        let process = ChildStart.watch(id, orEndingGroup: true)
        guard process >= 0 else {
            for end in [pipes[0][1], pipes[1][0], errors?[0]].compactMap(\.self) { close(end) }
            throw .system(reason: String(cString: strerror(-process)))
        }
        return ChildProcess(
            id,
            process: process,
            pipes: (input: pipes[0][1], output: pipes[1][0], errors: errors?[0]),
            time: time,
            queue: DispatchQueue(label: label)
        )
    }
}
