import Commands
import FeatureTesting
import LinuxTerminal
import Rights
import Synchronization
import Terminal
import TerminalHost
import Testing

@Suite("A real shell, from the phone", .timeLimit(.minutes(5)), .serialized)
struct RemoteTerminalTests {
    private final class Screen: Sendable {
        private let shown = Mutex<(text: String, others: [TerminalOutput])>(("", []))

        var text: String { shown.withLock(\.text) }
        var others: [TerminalOutput] { shown.withLock(\.others) }

        func show(_ output: TerminalOutput) {
            shown.withLock { shown in
                if case .text(let text) = output { shown.text += text } else { shown.others.append(output) }
            }
        }
    }

    /// Types `command` into a new bash and shows everything until the shell ends.
    private func session(_ command: String) async throws -> Screen {
        let outlet = ScriptedOutlet()
        let caller = Caller(id: "did:key:z6MkAda", name: "phone", proof: .session, rights: [.terminal])
        let skill = TerminalSkill(
            factory: LinuxPseudoTerminalFactory(environment: ["HOME": "/", "PATH": "/usr/bin:/bin"]),
            outlet: outlet
        )
        let screen = Screen()
        let peer = ScriptedPeer(skill, as: caller, outlet: outlet)
        let client = try await TerminalsClient(peer).open(
            TerminalRequest(shell: "sh", environment: ["PS1": "$ "], folder: "/tmp")
        )
        try await client.type(Array("stty -echo -opost; \(command)\r".utf8))
        try await client.run { screen.show($0) }
        await skill.close()
        return screen
    }

    @Test("a flood arrives whole, and the exit code after it")
    func flood() async throws {
        let screen = try await session("seq 1 300000; exit 3")
        #expect(screen.text.hasSuffix((1...300_000).map { "\($0)\n" }.joined()))
        #expect(screen.others == [.exited(code: 3, signal: nil)])
    }

    @Test("characters of many bytes stay whole through every buffer")
    func characters() async throws {
        let line = "Grüße €uro 😀 漢字\n"
        let screen = try await session("yes '\(line.dropLast())' | head -n 30000; kill -KILL $$")
        #expect(screen.text.hasSuffix(String(repeating: line, count: 30_000)))
        #expect(screen.others == [.exited(code: 137, signal: 9)])
    }
}
