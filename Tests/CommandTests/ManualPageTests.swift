import Foundation
import Kernel
import Testing

@testable import TandemCommands

@Suite("The manual page and the help", .timeLimit(.minutes(4)))
struct ManualPageTests {
    private static func page() throws -> [String] {
        try ManualPage.text(of: CommandDescription.ofProgram(), date: Date(timeIntervalSince1970: 0))
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The commands that are shown, with their words.
    private static func commands(_ command: CommandDescription, _ path: [String] = []) -> [(
        path: [String], CommandDescription
    )] {
        let path = path + [command.commandName]
        let children = (command.subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
        return [(path, command)] + children.flatMap { commands($0, path) }
    }

    @Test("it begins as every manual page does")
    func head() throws {
        let page = try Self.page()
        #expect(page.prefix(3) == [".Dd January 1, 1970", ".Dt TANDEM 1", ".Os Tandem \(TandemVersion.current)"])
        #expect(
            page.filter { $0.hasPrefix(".Sh ") }.map { $0.dropFirst(4) } == [
                "NAME", "SYNOPSIS", "DESCRIPTION", "COMMON OPTIONS", "COMMANDS", "EXAMPLES", "ENVIRONMENT", "FILES",
                "EXIT STATUS",
            ]
        )
    }

    @Test("every command and every option of it is described")
    func complete() throws {
        let page = try Self.page()
        let commands = try #require(page.firstIndex(of: ".Sh COMMANDS"))
        // Described once, for all commands that take it with the same meaning.
        func isShared(_ name: String, _ abstract: String?) -> Bool {
            // One name may stand there twice, with two meanings.
            page.indices.prefix(commands).contains { item in
                page[item].hasPrefix(".It ") && page[item].contains("\\&\(name)")
                    && page[item + 1] == ManualPage.text(abstract ?? "")
            }
        }
        for (path, command) in Self.commands(try CommandDescription.ofProgram()).dropFirst() {
            let heading = ".Ss \(path.joined(separator: " "))"
            let start = try #require(page.firstIndex(of: heading), "\(heading)")
            let end = page[(start + 1)...].firstIndex { $0.hasPrefix(".Ss ") || $0.hasPrefix(".Sh ") } ?? page.endIndex
            let section = page[start..<end]
            for argument in command.arguments ?? [] where argument.kind != .positional {
                let names = (argument.names ?? []).map(\.name)
                guard !names.contains(where: ["help", "version", "state", "json"].contains) else { continue }
                for name in names where !isShared(name, argument.abstract) {
                    #expect(
                        section.contains { $0.hasPrefix(".It ") && $0.contains("\\&\(name)") },
                        "\(heading) \(name)"
                    )
                }
            }
        }
    }

    @Test("no line is a request by accident, lists and displays are closed")
    func wellFormed() throws {
        let known: Set = [
            "Dd", "Dt", "Os", "Sh", "Ss", "Nm", "Nd", "Ar", "Op", "Pp", "Bl", "It", "El", "Bd", "Ed", "Fl", "Ic", "Ev",
            "Pa", "Ql", "br", "Dl",
        ]
        var open: [String] = []
        for line in try Self.page() {
            #expect(!line.hasPrefix("'") && !line.isEmpty && !line.hasSuffix(" "), "\(line)")
            guard line.hasPrefix(".") else { continue }
            let macro = String(line.dropFirst().prefix { $0 != " " })
            #expect(known.contains(macro), "\(line)")
            if ["Bl", "Bd"].contains(macro) { open.append(macro == "Bl" ? "El" : "Ed") }
            if ["El", "Ed"].contains(macro) { #expect(open.popLast() == macro) }
        }
        #expect(open == [])
    }

    @Test("what could be a request or an escape is text")
    func escapes() {
        #expect(ManualPage.text(".Sh x") == "\\&.Sh x")
        #expect(ManualPage.text("'a\\nb") == "\\&'a\\enb")
        #expect(ManualPage.text("a.b…") == "a.b\\[u2026]")
    }

    @Test("tandem man prints it, and no list shows that command")
    func command() async throws {
        let console = TestConsole()
        #expect(await console.run("man") == 0)
        #expect(console.output.hasPrefix(".Dd "))
        #expect(try !Self.page().contains(".Ss tandem man"))
    }

    @Test(
        "groff reads it without a warning",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff"))
    )
    func groff() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString).1")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data((Self.page().joined(separator: "\n") + "\n").utf8).write(to: file)
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/groff")
        process.arguments = ["-mandoc", "-Tutf8", "-ww", "-z", file.path]
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(String(decoding: said, as: UTF8.self) == "")
        #expect(process.terminationStatus == 0)
    }

    @Test("every option says what it is for, and calls its value by what it is")
    func help() throws {
        // Where the option's own name is what its value is.
        let sayingIt: Set = ["role", "name", "level", "format", "preset"]
        for (path, command) in Self.commands(try CommandDescription.ofProgram()) {
            for argument in command.arguments ?? [] {
                let name = argument.names?.last?.name ?? argument.valueName ?? ""
                #expect(argument.abstract?.isEmpty == false, "\(path) \(name)")
                guard argument.kind == .option, !sayingIt.contains(name) else { continue }
                #expect(argument.valueName != name, "\(path) --\(name)")
            }
        }
        let run = try #require(
            Self.commands(try CommandDescription.ofProgram()).first { $0.path == ["tandem", "hub", "run"] }
        )
        let listen = run.1.arguments?.first { $0.names?.first?.name == "listen" }
        #expect(listen?.abstract?.contains("Default: 0.0.0.0:9001.") == true)
    }
}
