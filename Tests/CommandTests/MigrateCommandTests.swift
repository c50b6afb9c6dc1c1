import Control
import Foundation
import Kernel
import Testing

@testable import TandemCommands

@Suite("What tandem migrate says of a phone", .timeLimit(.minutes(4)))
struct MigrateCommandTests {
    private static let end: Int64 = 1_790_000_000_000

    @Test(
        "each standing has a sentence, with what can be done about it",
        arguments: [
            (["state": "active", "isResting": false], "This phone's data did not move to another phone.\n"),
            (
                ["state": "handing-over", "isResting": true, "newPhone": "Ada's\u{1B}[2J"],
                "This phone rests while its data moves to Ada's\\e[2J.\nIf Ada's\\e[2J is gone: tandem migrate keep\n"
            ),
            (
                ["state": "retired", "isResting": true, "newPhone": "New", "undoUntil": .integer(end)],
                "This phone is retired: everything moved to New. Nothing was deleted here.\nUntil \(Output.time(end)) it can be taken back. "
                    + "Undo the move on New first, then: tandem migrate keep\n"
            ),
            (
                ["state": "kept", "isResting": true, "newPhone": "New"],
                "This phone goes on, but its program rests since the move. Start the program again.\n"
            ),
            (
                ["state": "kept", "isResting": false, "newPhone": "New"],
                "This phone goes on after its data moved to New. It rests again where New lives.\n"
            ),
        ] as [(JSONValue, String)]
    )
    func sentences(answer: JSONValue, text: String) async throws {
        for command in ["status", "keep"] {
            try await PreparedRole.run({ _ in answer }) { state, _ in
                let console = TestConsole()
                #expect(await console.run(["migrate", command, "--state", state]) == 0)
                #expect(console.output == text)
                #expect(console.error == "")
            }
        }
    }

    @Test("keeping a phone whose time is over is status 1 with why, and one line of JSON for programs")
    func tooLate() async throws {
        let sentence = "The time to undo the move is over."
        try await PreparedRole.run({ _ in throw ControlError.refused(sentence) }) { state, _ in
            let console = TestConsole()
            #expect(await console.run(["migrate", "keep", "--state", state]) == 1)
            #expect(console.output == "")
            #expect(console.error == "Error: \(sentence)\n")
        }
    }
}
