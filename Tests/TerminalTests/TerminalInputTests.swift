import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Testing

@testable import Commands
@testable import Terminal
@testable import TerminalHost

@Suite("Terminal input", .timeLimit(.minutes(5)))
struct TerminalInputTests {
    private func params(_ data: String, _ seq: Int64, id: String = "i") -> JSONValue {
        ["sessionId": "s-1", "data": .string(data), "inputSeq": .integer(seq), "inputId": .string(id)]
    }

    @Test("numbered pieces are typed in order, however they arrive")
    func order() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seq in (1...40).reversed() {
                group.addTask { try await fixture.call("terminal.stdin", params("\(seq),", Int64(seq))) }
            }
            try await group.waitForAll()
        }
        #expect(terminal.typed == (1...40).map { "\($0)," }.joined())
    }

    @Test("a piece that comes again is answered and not typed again")
    func repeated() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        for seq: Int64 in [1, 2, 1, 2, 3] {
            #expect(try await fixture.call("terminal.stdin", params("\(seq)", seq)) == ["ok": true])
        }
        #expect(terminal.typed == "123")
    }

    @Test("two attachments number their own pieces; one without numbers is typed as it comes")
    func attachments() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        try await fixture.call("terminal.stdin", params("a", 1, id: "one"))
        try await fixture.call("terminal.stdin", params("b", 1, id: "two"))
        try await fixture.call("terminal.stdin", params("c", 1, id: "one"), from: TerminalFixture.bo)
        try await fixture.call("terminal.stdin", ["sessionId": "s-1", "data": "d"])
        #expect(terminal.typed == "abcd")
    }

    @Test("a piece whose predecessor never comes is refused after a while")
    func missing() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        async let second = fixture.outcome("terminal.stdin", params("b", 2))
        await fixture.clock.sleeper(for: TerminalSession.inputPatience)
        fixture.clock.advance(by: TerminalSession.inputPatience)
        let answer = await second
        #expect(answer == .failure(RemoteFailure(code: -32602, message: "input_out_of_order")))
        try await fixture.call("terminal.stdin", params("a", 1))
        try await fixture.call("terminal.stdin", params("b", 2))
        #expect(terminal.typed == "ab")
    }

    @Test("while the program reads nothing, pieces are refused together and can be sent again in order")
    func full() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        terminal.setFull(true)
        async let second = fixture.outcome("terminal.stdin", params("b", 2))
        await fixture.clock.sleeper(for: TerminalSession.inputPatience)
        let refusal = RemoteFailure(code: -32005, message: "input_buffer_full")
        await #expect(throws: refusal) { try await fixture.call("terminal.stdin", params("a", 1)) }
        let answer = await second
        #expect(answer == .failure(refusal))
        terminal.setFull(false)
        try await fixture.call("terminal.stdin", params("a", 1))
        try await fixture.call("terminal.stdin", params("b", 2))
        #expect(terminal.typed == "ab")
    }

    @Test("pieces far ahead are refused, so that a phone cannot make the computer keep them")
    func tooFar() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        let big = String(repeating: "x", count: 60_000)
        await #expect(throws: RemoteFailure(code: -32005, message: "input_buffer_full")) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seq in 2...10 {
                    group.addTask { try await fixture.call("terminal.stdin", params(big, Int64(seq))) }
                }
                // The fifth that waits is over the bound. The end of the shell is for the others, also for one that comes only then.
                defer { terminal.end(.exited(code: 0)) }
                try await group.next()
            }
        }
    }

    @Test("when the shell ends, whoever waits is told")
    func ended() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        async let second = fixture.outcome("terminal.stdin", params("b", 2))
        await fixture.clock.sleeper(for: TerminalSession.inputPatience)
        terminal.end(.exited(code: 0))
        let answer = await second
        #expect(answer == .failure(RemoteFailure(code: -32602, message: "session_not_alive")))
    }
}
