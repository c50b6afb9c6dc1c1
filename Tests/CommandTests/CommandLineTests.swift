import ArgumentParser
import Control
import Foundation
import Kernel
import Testing

@testable import TandemCommands

/// Every command there is, as it is typed.
private enum CommandTree {
    static let all: [[String]] = below(Tandem.self, [])
    /// Those with subcommands.
    static let groups: [[String]] = all.filter { path in
        all.contains { $0.count == path.count + 1 && $0.starts(with: path) }
    }
    static let leaves: [[String]] = all.filter { !groups.contains($0) }

    /// The words that a command cannot do without.
    static func words(of path: [String]) -> [String] {
        switch path.joined(separator: " ") {
        case "hub backup", "hub kick", "hub name", "hub release", "hub invitations take-back", "hub users show",
            "hub users suspend",
            "hub users resume", "hub users delete", "account sign-out", "account delete", "account login",
            "hub users end-sessions", "devices show", "devices forget",
            "queue retry", "queue remove", "activity end",
            "files get", "files put", "files discard", "files rm", "files cat", "files info", "files find",
            "files edit", "files mkdir", "call",
            "terminal attach", "terminal end", "bridge token revoke", "threads show", "threads search", "threads post",
            "threads cancel", "notifications send", "notifications read", "notifications delete", "notifications act",
            "commands run", "commands show", "commands add", "commands edit", "commands remove":
            ["x"]
        case "hub moderate close", "ports allow", "ports deny", "ports open", "ports forward", "ports close": ["3"]
        case "chat open", "chat history", "chat save", "chat view", "chat recall", "chat resend", "chat read",
            "chat pin",
            "chat mute", "chat hide", "chat clear", "chat block", "chat add", "chat accept", "chat decline",
            "chat safety",
            "chat verify", "chat search", "chat send", "account export", "account picture":
            ["x"]
        case "chat image", "chat flash", "chat voice", "chat quote", "chat discard", "chat report": ["x", "y"]
        case "chat agree": ["x", "--clear"]
        case "journal show", "journal edit", "journal delete", "journal restore", "journal purge", "journal search",
            "journal import", "journal export", "journal category add", "journal category edit",
            "journal category delete":
            ["x"]
        case "journal attach": ["x", "y"]
        case "migrate export", "migrate restore": ["x"]
        case "migrate send": ["--to", "x"]
        case "journal save": ["x", "-o", "y"]
        case "threads start": ["--agent", "codex", "--folder", "/", "x"]
        case "devices allow", "devices ask", "devices deny": ["terminal"]
        case "files mv", "devices rename", "account new", "commands allow", "commands deny": ["x", "y"]
        case "pair scan": ["--text", "x"]
        default: []
        }
    }

    private static func below(_ type: any ParsableCommand.Type, _ path: [String]) -> [[String]] {
        type.configuration.subcommands.flatMap { child -> [[String]] in
            let path = path + [child._commandName]
            return [path] + below(child, path)
        }
    }
}

@Suite("Every command line", .timeLimit(.minutes(4)))
struct CommandLineTests {
    @Test("the walk over the commands finds them all")
    func tree() {
        #expect(CommandTree.leaves.count > 30)
        #expect(CommandTree.groups.contains(["files"]))
        #expect(CommandTree.leaves.contains(["files", "ls"]))
        #expect(CommandTree.leaves.contains(["status"]))
    }

    @Test("--help prints how to use it, on standard output, with status 0", arguments: CommandTree.all)
    func help(path: [String]) async {
        let console = TestConsole()
        #expect(await console.run(path + ["--help"]) == 0)
        #expect(console.output.contains("USAGE: tandem \(path.joined(separator: " "))"))
        #expect(console.output.contains("OVERVIEW: "))
        #expect(console.error == "")
    }

    @Test("an unknown option is wrong use: status 2, and nothing on standard output", arguments: CommandTree.all)
    func unknownOption(path: [String]) async {
        let console = TestConsole()
        #expect(await console.run(path + CommandTree.words(of: path) + ["--no-such-option"]) == 2)
        #expect(console.output == "")
        #expect(console.error.contains("--no-such-option"))
    }

    @Test("with --json wrong use is one line of JSON", arguments: CommandTree.leaves.filter { $0 != ["man"] })
    func wrongUseAsJSON(path: [String]) async throws {
        let console = TestConsole()
        #expect(await console.run(path + CommandTree.words(of: path) + ["--json", "--no-such-option"]) == 2)
        #expect(console.output == "")
        try expectOneError(console, status: 2) { $0.contains("--no-such-option") }
    }

    @Test("a word that is no subcommand is wrong use, with the list of subcommands", arguments: CommandTree.groups)
    func unknownSubcommand(path: [String]) async {
        for words in [path + ["nosuch"], path + ["nosuch", "--state", "/x"]] {
            let console = TestConsole()
            #expect(await console.run(words) == 2)
            #expect(
                console.error.hasPrefix(
                    "Error: tandem \(path.joined(separator: " ")) has no subcommand nosuch. It has: "
                )
            )
            for leaf in CommandTree.all where leaf.count == path.count + 1 && leaf.starts(with: path) {
                #expect(console.error.contains(leaf.last ?? "?"))
            }
        }
    }

    @Test(
        "what a command refuses while it runs shows the usage of that command",
        arguments: [
            (["input", "type"], "There is nothing to type."),
            (["clipboard", "set"], "There is nothing to put on the clipboard. To empty it: tandem clipboard clear"),
            (["power", "sleep"], "Nobody can be asked here: give --yes."),
        ]
    )
    func refusedWhileRunning(path: [String], message: String) async throws {
        let console = TestConsole()
        #expect(await console.run(path) == 2)
        let command = "tandem \(path.joined(separator: " "))"
        let lines = console.error.split(separator: "\n")
        #expect(lines.first == "Error: \(message)")
        #expect(lines.dropFirst().first?.hasPrefix("Usage: \(command) ") == true, "\(console.error)")
        #expect(lines.last == "  See '\(command) --help' for more information.")
        #expect(console.output == "")
        let json = TestConsole()
        #expect(await json.run(path + ["--json"]) == 2)
        try expectOneError(json, status: 2) { $0 == message }
    }

    @Test("the program itself lists its commands, too")
    func unknownCommand() async throws {
        let console = TestConsole()
        #expect(await console.run("nosuch", "--json") == 2)
        try expectOneError(console, status: 2) { $0.hasPrefix("tandem has no subcommand nosuch. It has: up, hub, ") }
        #expect(await TestConsole().run("help", "files") == 0)
    }

    @Test("a word after options is no folder to list, unless ls was said")
    func impliedList() async {
        let console = TestConsole()
        #expect(await console.run("files", "--state", "/nonexistent", "nosuch") == 2)
        #expect(console.error.hasPrefix("Error: tandem files has no subcommand nosuch. "))
        let named = TestConsole()
        #expect(await named.run("files", "ls", "--state", "/nonexistent", "nosuch") == 1)
        #expect(named.error.hasPrefix("Error: No phone is running on /nonexistent. "))
    }

    @Test("what does not run is named the same way for a person and for a program")
    func notRunning() async throws {
        let console = TestConsole()
        #expect(await console.run("status", "--state", "/nonexistent") == 1)
        #expect(console.error.hasPrefix("Error: No desktop is running on /nonexistent. "))
        let program = TestConsole()
        #expect(await program.run("status", "--state", "/nonexistent", "--json") == 1)
        try expectOneError(program, status: 1) { $0.hasPrefix("No desktop is running on /nonexistent. ") }
    }

    @Test("without a home folder nothing is done")
    func noHome() async {
        let console = TestConsole(environment: ["HOME": ""])
        #expect(await console.run("status") == 2)
        #expect(console.error.hasPrefix("Error: HOME is empty"))
    }

    @Test("a reader that goes early ends the command as SIGPIPE does, without a word")
    func readerGone() async {
        let console = TestConsole(outputLimit: 10)
        #expect(await console.run("--help") == 141)
        #expect(console.error == "")
    }

    @Test("the version is said")
    func version() async {
        let console = TestConsole()
        #expect(await console.run("--version") == 0)
        #expect(console.output == TandemVersion.current + "\n")
    }

    @Test("an empty clipboard is status 1 with an error, for a person and for a program")
    func emptyClipboard() async throws {
        try await PreparedRole.run({ _ in ["content": "", "type": "empty"] }) { state, _ in
            let console = TestConsole()
            #expect(await console.run("clipboard", "get", "--state", state) == 1)
            #expect(console.output == "")
            #expect(console.error == "Error: The computer's clipboard holds no text.\n")
            let program = TestConsole()
            #expect(await program.run("clipboard", "get", "--state", state, "--json") == 1)
            #expect(program.output == "")
            try expectOneError(program, status: 1) { $0 == "The computer's clipboard holds no text." }
        }
    }

    @Test("a file that is not there is status 1 both ways")
    func noFile() async throws {
        try await PreparedRole.run({ _ in ["success": true, "file": .null] }) { state, _ in
            for json in [[], ["--json"]] {
                let console = TestConsole()
                #expect(await console.run(["files", "info", "nope", "--state", state] + json) == 1)
                #expect(console.output == "")
                #expect(console.error.contains("There is no nope on the computer."))
            }
        }
    }

    @Test("a folder that came in part is status 1 both ways; what was left out is listed, or in the answer")
    func leftOut() async throws {
        let answer: JSONValue = ["files": 1, "bytes": 3, "present": 0, "skipped": ["a is a fifo."], "path": "/b"]
        try await PreparedRole.run({ _ in answer }) { state, _ in
            let console = TestConsole()
            #expect(await console.run("files", "put", "/x", "--state", state) == 1)
            #expect(console.output == "1 file, 3 B, in /b.\n")
            #expect(console.error == "Left out:\n  a is a fifo.\nError: One of them was left out: see above.\n")
            let program = TestConsole()
            #expect(await program.run("files", "put", "/x", "--state", state, "--json") == 1)
            #expect(program.output == answer.canonicalText + "\n")
            try expectOneError(program, status: 1) { $0.contains("left out") }
        }
    }

    @Test("the end of input where a question was asked is no yes")
    func endOfInput() async throws {
        try await PreparedRole.run({ _ in Sample.wire(["name": "Ada"]) }) { state, role in
            let console = TestConsole(terminals: [.input, .error])
            let words = ["devices", "allow", "ada", "terminal", "--unsigned", "--role", "desktop", "--state", state]
            #expect(await console.run(words) == 1)
            #expect(console.error.hasSuffix("Go on? [y/N]\nError: Nothing was changed.\n"))
            #expect(role.requests == [])
            let answered = TestConsole(terminals: [.input, .error], input: ["ye", "s\nmore"])
            #expect(await answered.run(words) == 0)
            #expect(role.requests.map(\.method) == ["devices.allow"])
        }
    }

    @Test(
        "a secret that never comes is wrong use, and nothing is asked of the phone",
        arguments: [["code"], ["scan", "--text", "-"]]
    )
    func noSecret(words: [String]) async throws {
        try await PreparedRole.run({ _ in .null }) { state, role in
            let console = TestConsole(terminals: [.input])
            #expect(
                await console.run(
                    ["pair"] + words + (words == ["code"] ? [] : ["--role", "phone"]) + ["--state", state]
                ) == 2
            )
            #expect(console.output == "")
            #expect(role.requests == [])
            #expect(console.error.contains("The digits on the computer's screen:") == (words == ["code"]))
        }
    }

    @Test("standard input is what is put on the clipboard")
    func clipboardInput() async throws {
        try await PreparedRole.run({ _ in ["ok": true] }) { state, role in
            #expect(await TestConsole(input: ["hel", "lo"]).run("clipboard", "set", "--state", state) == 0)
            #expect(role.requests.first?.params["params"]?["content"] == "hello")
            let nothing = TestConsole()
            #expect(await nothing.run("clipboard", "set", "--state", state) == 2)
            #expect(nothing.error.contains("There is nothing to put on the clipboard."))
        }
    }

    @Test("a picture is not written to a terminal")
    func picture() async throws {
        try await PreparedRole.run({ _ in ["imageBase64": "aGk=", "format": "png"] }) { state, _ in
            let console = TestConsole(terminals: [.output])
            #expect(await console.run("screen", "--state", state) == 2)
            #expect(console.error.contains("Name a file with -o."))
            let pipe = TestConsole()
            #expect(await pipe.run("screen", "--state", state) == 0)
            #expect(pipe.output == "hi")
        }
    }
}

/// One line on standard error: `{"error":{"message":…,"status":…}}`.
func expectOneError(_ console: TestConsole, status: Int64, _ isRight: (String) -> Bool) throws {
    let lines = console.error.split(separator: "\n", omittingEmptySubsequences: true)
    #expect(lines.count == 1, "\(console.error)")
    let error = try JSONValue(parsing: (lines.first ?? "").utf8)["error"]
    #expect(error?["status"]?.integerValue == status)
    #expect(isRight(error?["message"]?.stringValue ?? ""), "\(console.error)")
}
