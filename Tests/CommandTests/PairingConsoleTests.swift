import Control
import Foundation
import Kernel
import Testing

@testable import TandemCommands

@Suite("A code on a terminal", .timeLimit(.minutes(4)))
struct PairingConsoleTests {
    @Test("where nothing runs, pair show says so and ends")
    func notRunning() async {
        let console = TestConsole(terminals: [.output])
        #expect(await console.run("pair", "show", "--state", "/nonexistent/state") == 1)
        #expect(console.error.hasPrefix("Error: No desktop is running on /nonexistent/state."))
    }

    @Test("a role that refuses while the code is shown ends it with its reason")
    func refused() async throws {
        try await PreparedRole.run({ request in
            guard request.method != "status" else { return ["role": "desktop"] }
            throw ControlError.refused("The code cannot be shown any longer.")
        }) { state, _ in
            let console = TestConsole(terminals: [.output])
            #expect(await console.run("pair", "show", "--state", state) == 1)
            #expect(console.error == "Error: The code cannot be shown any longer.\n")
        }
    }
}
