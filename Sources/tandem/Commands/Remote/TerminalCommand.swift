import ArgumentParser
import AsyncAlgorithms
import Control
import Foundation
import Kernel
import UnixSignals

struct TerminalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "terminal",
        abstract: "Open a terminal on a paired computer.",
        discussion: """
            Leave the shell with exit, or leave it running with ~. at the start of a line and come back with --attach.
            A script on stdin ends it: printf 'make\n' | tandem terminal --in project; the status is the shell's.
            The computer must allow it first: tandem devices allow <phone> terminal
            """
    )

    @OptionGroup var remote: RemoteOptions
    @Option(help: "The shell, for example bash. Left out: the computer's own choice.") var shell: String?
    @Option(name: [.customLong("in")], help: "The folder to start in.") var folder: String?
    @Option(help: "Take over a terminal that runs, by its id.") var attach: String?
    @Flag(help: "List the terminals that run.") var list = false
    @Option(help: "End the terminal with this id.") var end: String?

    func validate() throws {
        guard [list, attach != nil, end != nil].count(where: \.self) <= 1 else {
            throw ValidationError("Choose one of --list, --attach and --end.")
        }
    }

    func run() async throws {
        if list { return try await printSessions() }
        if let end {
            let answer = try await remote.call("terminal.close", ["sessionId": .string(end)])
            return Output.result(answer, as: remote.global.json) { _ in "Ended \(end)." }
        }
        let raw = RawTerminal()
        defer { raw?.restore() }
        let outcome: JSONValue
        do {
            outcome = try await converse(isRaw: raw != nil)
        } catch {
            raw?.restore()
            throw error
        }
        raw?.restore()
        if outcome["detached"]?.boolValue == true {
            let id = outcome["sessionId"]?.stringValue ?? ""
            return Output.complain("Left running. Come back with: tandem terminal --attach \(id)")
        }
        if let signal = outcome["signal"]?.integerValue {
            Output.complain("The shell was ended by signal \(signal).")
            throw ExitCode(Int32(truncatingIfNeeded: 128 + signal))
        }
        let status = outcome["exitCode"]?.integerValue ?? 0
        if status != 0 { throw ExitCode(Int32(truncatingIfNeeded: status)) }
    }

    private func converse(isRaw: Bool) async throws -> JSONValue {
        let size = RawTerminal.size() ?? (80, 24)
        let keys = TypedKeys(watchesEscape: isRaw)
        let activity = TerminalActivity()
        let resizes = await UnixSignalsSequence(trapping: .sigwinch).compactMap { _ -> JSONValue? in
            guard let size = RawTerminal.size() else { return nil }
            return ["resize": [.integer(Int64(size.columns)), .integer(Int64(size.rows))]]
        }
        return try await remote.client.call(
            "terminal.open",
            parameters(isRaw: isRaw, size: size),
            input: merge(keys.inputs(beside: activity), resizes)
        ) { item in
            activity.note()
            if let text = item["text"]?.stringValue {
                try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
            } else if let notice = item["notice"]?.stringValue {
                Output.complain(notice)
            }
        }
    }

    func parameters(isRaw: Bool, size: (columns: Int, rows: Int)) -> JSONValue {
        [
            "device": remote.device, "shell": shell.map(JSONValue.string) ?? .null,
            "cwd": folder.map(JSONValue.string) ?? .null, "sessionId": attach.map(JSONValue.string) ?? .null,
            "cols": .integer(Int64(size.columns)), "rows": .integer(Int64(size.rows)),
            // Nobody would come back for what a script that was stopped has left running.
            "endsWithCaller": .bool(!isRaw && attach == nil),
        ]
    }

    private func printSessions() async throws {
        let answer = try await remote.call("terminal.list")
        Output.result(answer, as: remote.global.json) { answer in
            let sessions = answer["sessions"]?.arrayValue ?? []
            guard !sessions.isEmpty else { return "No terminal runs there." }
            return Output.table(
                ["ID", "SHELL", "FOLDER", "ALIVE"],
                sessions.map { session in
                    [
                        session["id"]?.stringValue ?? "", session["shell"]?.stringValue ?? "",
                        session["cwd"]?.stringValue ?? "", session["alive"]?.boolValue == true ? "yes" : "no",
                    ]
                }
            )
        }
    }
}
