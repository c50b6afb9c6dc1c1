import ArgumentParser
import Kernel
import Testing

@testable import tandem

@Suite("What the terminal command asks for", .timeLimit(.minutes(4)))
struct TerminalCommandTests {
    private func parameters(_ typed: [String], isRaw: Bool) throws -> JSONValue {
        try TerminalCommand.parse(typed).parameters(isRaw: isRaw, size: (columns: 80, rows: 24))
    }

    @Test("a shell that a script opened ends with the script")
    func script() throws {
        #expect(
            try parameters(["--in", "project", "--shell", "bash", "--to", "desk"], isRaw: false) == [
                "device": "desk", "shell": "bash", "cwd": "project", "sessionId": .null, "cols": 80, "rows": 24,
                "endsWithCaller": true,
            ]
        )
    }

    @Test("a person's shell stays when the window is closed")
    func person() throws {
        #expect(
            try parameters([], isRaw: true) == [
                "device": .null, "shell": .null, "cwd": .null, "sessionId": .null, "cols": 80, "rows": 24,
                "endsWithCaller": false,
            ]
        )
    }

    @Test("a shell that ran before stays also when a script looks at it", arguments: [true, false])
    func attached(isRaw: Bool) throws {
        let parameters = try parameters(["--attach", "s-1"], isRaw: isRaw)
        #expect(parameters["sessionId"] == "s-1")
        #expect(parameters["endsWithCaller"] == false)
    }
}
