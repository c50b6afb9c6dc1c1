import ArgumentParser
import AsyncAlgorithms
import Control
import Foundation
import Kernel
import Terminal
import UnixSignals

struct TerminalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "terminal",
        abstract: "Open a terminal on a paired computer; list, attach and end those that run.",
        discussion: """
            Leave the shell with exit, or leave it running with ~. at the start of a line and come back with: tandem terminal \
            attach ID
            A script on stdin ends it: printf 'make\\n' | tandem terminal --in project; the status is the shell's.
            The computer must allow it first: tandem devices allow <phone> terminal
            """,
        subcommands: [Open.self, List.self, Attach.self, End.self],
        defaultSubcommand: Open.self
    )

    struct Open: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Start a shell there and show it here; what is meant without a subcommand."
        )

        @OptionGroup var remote: RemoteOptions
        @Option(
            help: ArgumentHelp("The shell, for example bash. Default: the computer's own choice.", valueName: "name")
        )
        var shell: String?
        @Option(
            name: [.customLong("in")],
            help: ArgumentHelp("The folder to start in. Default: the home folder.", valueName: "folder")
        )
        var folder: String?

        func run() async throws {
            try await TerminalScreen(remote: remote, shell: shell, folder: folder, session: nil).run()
        }
    }

    struct Attach: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a terminal here that runs already.")

        @OptionGroup var remote: RemoteOptions
        @Argument(help: "Its id, from: tandem terminal list") var id: String

        func run() async throws {
            try await TerminalScreen(remote: remote, shell: nil, folder: nil, session: id).run()
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the terminals that run there.")

        @OptionGroup var remote: RemoteOptions

        func run() async throws {
            try await remote.show({ try await TerminalsClient($0).list() }) { terminals in
                guard !terminals.isEmpty else { return "No terminal runs there." }
                return Output.table(["ID", "RUNS", "FOLDER", "LAST LINE"], terminals.map(Self.row))
            }
        }

        private static func row(_ terminal: TerminalEntry) -> [String] {
            let shell = terminal.shell.map { String($0.split(separator: "/").last ?? "") } ?? ""
            let runs = terminal.isAlive ? terminal.program ?? shell : "(\(shell) ended)"
            let texts = [terminal.id, runs, terminal.currentFolder ?? terminal.folder ?? "", terminal.lastLine ?? ""]
            return texts.map { TerminalText.line($0) }
        }
    }

    struct End: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End a terminal, with what runs in it.")

        @OptionGroup var remote: RemoteOptions
        @Argument(help: "Its id, from: tandem terminal list") var id: String

        func run() async throws {
            try await remote.show({ try await TerminalsClient($0).close(id) }) { "Ended \(TerminalText.line(id))." }
        }
    }
}

/// A computer's terminal on this one.
struct TerminalScreen {
    let remote: RemoteOptions
    let shell: String?
    let folder: String?
    /// The id of a terminal that runs already; nil starts one.
    let session: String?

    /// Takes back what a program over there has switched on this terminal and goes on without it: mouse, paste marks, the other screen, a part
    /// that scrolls alone, line drawing, colours, a hidden cursor.
    static let released = """
        \u{18}\u{1B}[?1047l\u{1B}7\u{1B}[r\u{1B}8\u{1B}[4l\u{1B}[?1;5;6;9;1000;1002;1003;1004;1005;1006;1015;2004l\u{1B}[?7;25h\u{1B}>\u{1B}(B\u{0F}\u{1B}[0m\r\n
        """

    /// - Throws: `ExitCode`, the shell's where it is not 0.
    func run() async throws {
        let raw = Running.console.makeRaw()
        defer { raw?.restore() }
        let outcome: TerminalControl.Outcome
        do {
            outcome = try await converse(isRaw: raw != nil)
        } catch {
            raw?.restore()
            throw error
        }
        raw?.restore()
        switch outcome {
        case .detached(let id):
            if raw != nil { try Running.console.write(Data(Self.released.utf8), to: .output) }
            Output.complain("Left running. Come back with: tandem terminal attach \(id)")
        case .exited(_, _, let signal?):
            Output.complain("The shell was ended by signal \(signal).")
            throw ExitCode(Int32(truncatingIfNeeded: 128 + signal))
        case .exited(_, let code, nil): if code != 0 { throw ExitCode(Int32(truncatingIfNeeded: code)) }
        }
    }

    private func converse(isRaw: Bool) async throws -> TerminalControl.Outcome {
        let console = Running.console
        let keys = TypedKeys(watchesEscape: isRaw)
        let activity = TerminalActivity()
        let resizes = await UnixSignalsSequence(trapping: .sigwinch).compactMap { _ in
            // A window too small or too large for a terminal leaves the shell's as it is.
            console.window().flatMap { try? TerminalSize($0) }.map(TerminalControl.Input.resize)
        }
        return try await remote.client.call(
            TerminalControl.open,
            parameters(isRaw: isRaw, size: try console.window().map(TerminalSize.init) ?? .standard),
            input: merge(keys.inputs(beside: activity), resizes).map(\.item)
        ) { item in
            activity.note()
            switch item {
            case .text(let text): try console.write(Data(text.utf8), to: .output)
            case .notice(let notice): Output.complain(notice)
            }
        }
    }

    func parameters(isRaw: Bool, size: TerminalSize) -> TerminalControl.Open {
        TerminalControl.Open(
            device: remote.target.computer,
            shell: shell,
            folder: folder,
            sessionID: session,
            size: size,
            // No person would come back for what a script that was stopped has left running.
            endsWithCaller: !isRaw && session == nil
        )
    }
}

extension TerminalSize {
    /// - Throws: ``TerminalError/invalidDimensions``.
    init(_ window: (columns: Int, rows: Int)) throws(TerminalError) {
        try self.init(columns: Int64(window.columns), rows: Int64(window.rows))
    }
}
