import Foundation
import Kernel
import Testing

@Suite("Words of a command on one line", .timeLimit(.minutes(4)))
struct ShellWordsTests {
    @Test("a shell reads the line back as the same words")
    func shell() throws {
        let words = ["plain", "a b", "", "it's", "$HOME", "`id`", "a\\b", "--x=1,2", "*", "two\nlines", "\"", "é", "~"]
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "printf '%s\\0' \(ShellWords.line(words))"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let said = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(
            said.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
                String(decoding: $0, as: UTF8.self)
            } == words
        )
    }

    @Test("a command is a line or its words, and nothing that would leave one out")
    func commands() {
        #expect(ShellWords.line(of: "ls -la") == "ls -la")
        #expect(ShellWords.line(of: ["bash", "-lc", "ls -la"]) == "bash -lc 'ls -la'")
        for nothing: JSONValue in ["", [], ["rm", 1], 7, .null, [:]] { #expect(ShellWords.line(of: nothing) == nil) }
    }
}
