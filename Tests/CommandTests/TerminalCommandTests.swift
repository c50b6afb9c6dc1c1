import ArgumentParser
import Terminal
import Testing

@testable import TandemCommands

@Suite("What the terminal command asks for", .timeLimit(.minutes(4)))
struct TerminalCommandTests {
    private func parameters(_ typed: [String], isRaw: Bool) throws -> TerminalControl.Open {
        let open = try TerminalCommand.Open.parse(typed)
        return TerminalScreen(remote: open.remote, shell: open.shell, folder: open.folder, session: nil)
            .parameters(isRaw: isRaw, size: .standard)
    }

    @Test("a shell that a script opened ends with the script")
    func script() throws {
        #expect(
            try parameters(["--in", "project", "--shell", "bash", "--computer", "desk"], isRaw: false)
                == TerminalControl.Open(device: "desk", shell: "bash", folder: "project", endsWithCaller: true)
        )
    }

    @Test("a person's shell stays when the window is closed")
    func person() throws {
        #expect(
            try parameters([], isRaw: true) == TerminalControl.Open(endsWithCaller: false)
        )
    }

    @Test("a shell that ran before stays also when a script looks at it", arguments: [true, false])
    func attached(isRaw: Bool) throws {
        let attach = try TerminalCommand.Attach.parse(["s-1"])
        let parameters = TerminalScreen(remote: attach.remote, shell: nil, folder: nil, session: attach.id)
            .parameters(isRaw: isRaw, size: .standard)
        #expect(parameters.sessionID == "s-1")
        #expect(parameters.endsWithCaller == false)
    }
}
