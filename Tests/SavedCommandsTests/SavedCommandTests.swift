import Commands
import Kernel
import SavedCommands
import Testing

@testable import SavedCommandsHost

struct SavedCommandTests {
    @Test("names that could not be typed as one word are refused", arguments: ["", "-x", "a b", "a/b", "ä", "a\nb"])
    func names(name: String) {
        #expect(throws: SavedCommandError.malformedName(name)) {
            try SavedCommand(name: name, program: .arguments(["true"]))
        }
    }

    @Test("a command without a program, with a zero byte, or with an impossible folder or time is refused")
    func refused() {
        #expect(throws: SavedCommandError.noProgram) { try SavedCommand(name: "a", program: .arguments([])) }
        #expect(throws: SavedCommandError.noProgram) { try SavedCommand(name: "a", program: .shell("")) }
        #expect(throws: SavedCommandError.zeroByte) { try SavedCommand(name: "a", program: .shell("true\0rm")) }
        #expect(throws: SavedCommandError.relativeFolder("work")) {
            try SavedCommand(name: "a", program: .shell("true"), folder: "work")
        }
        #expect(throws: SavedCommandError.malformedTimeout(0)) {
            try SavedCommand(name: "a", program: .shell("true"), timeoutSeconds: 0)
        }
    }

    @Test("a phone is told neither the command's text nor its folder nor who may run it")
    func entry() throws {
        let command = try SavedCommand(
            name: "deploy",
            program: .shell("secret-program"),
            folder: "/secret-folder",
            allowedDevices: ["secret-phone"]
        )
        let text = "\(SavedCommandList([command.entry]).wire)"
        #expect(text.contains("deploy"))
        #expect(!text.contains("secret"))
    }

    @Test("a request to run holds an id and nothing of a shell", arguments: ["", "a b", "$(id)", "../x", "a;b"])
    func request(id: String) {
        #expect(throws: RemoteFailure.self) { try RunCommand(wire: RemoteParameters(["id": .string(id)])) }
    }

    @Test(
        "every end of a run survives the wire, also one of a later version",
        arguments: [
            .exited(0), .exited(255), .signalled(9), .timedOut, .stopped, .rightEnded,
            .failedToStart("There is no such program."),
            .unknown("suspended"),
        ] as [CommandEnd]
    )
    func end(_ end: CommandEnd) throws {
        let run = CommandRun(id: "r", command: "c", name: "n", startedAt: 1, endedAt: 2, end: end, printedCount: 3)
        #expect(try CommandRun(wire: run.wire) == run)
    }
}
