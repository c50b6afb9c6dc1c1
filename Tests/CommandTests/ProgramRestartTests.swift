import Foundation
import Testing

@testable import TandemCommands

@Suite("A program that starts itself again", .timeLimit(.minutes(4)))
struct ProgramRestartTests {
    private static let nowhere = "/nonexistent/tandem"

    @Test("it is wanted once somebody asks for it, and no more once the process was told to end")
    func wishes() async throws {
        let restart = ProgramRestart(path: Self.nowhere, arguments: ["tandem"])
        #expect(!restart.isWanted)
        // Nobody asked: it goes on behind the end of its role, and ends.
        try restart.perform()
        restart.ask()
        #expect(restart.isWanted)
        await restart.untilAsked()
        restart.withdraw()
        #expect(!restart.isWanted)
        restart.ask()
        #expect(!restart.isWanted, "the end is the stronger word, whichever came first")
        try restart.perform()
    }

    @Test("where the system starts nothing the program says so, and what to do")
    func notPossible() throws {
        let restart = ProgramRestart(path: Self.nowhere, arguments: ["tandem", "phone"])
        restart.ask()
        let failure = #expect(throws: ProgramRestart.Failure.self) { try restart.perform() }
        #expect(
            failure?.description
                == "This program could not start itself again: no such file or directory. Start it again in the same way."
        )
    }

    @Test("a command that runs in another program, as in this test, does not take its place")
    func inAnotherProgram() {
        Running.$console.withValue(TestConsole()) { #expect(ProgramRestart.ofThisProgram() == nil) }
    }
}
