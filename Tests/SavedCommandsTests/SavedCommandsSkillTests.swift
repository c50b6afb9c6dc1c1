import CommandServer
import Commands
import Control
import FeatureTesting
import Foundation
import GRDB
import Kernel
import KernelTesting
import LinuxSavedCommands
import Logging
import SavedCommands
import Storage
import Testing

@testable import SavedCommandsHost

/// Real programs of this machine, run for phones that a test plays.
@Suite("Saved commands", .timeLimit(.minutes(4)))
struct SavedCommandsSkillTests {
    private static let logger = Logger(label: "test")

    /// A computer's half over a database that can be opened again.
    private struct Host {
        let skill: SavedCommandsSkill
        let outlet: ScriptedOutlet
        let control: ControlTable

        init(_ database: TemporaryDatabase, time: any TimeSource = .system) throws {
            outlet = ScriptedOutlet()
            outlet.pair([
                OutletDevice(id: Caller.ada.id, name: "Ada's phone", keepsEvents: true),
                OutletDevice(id: Caller.bo.id, name: "Bo's phone", keepsEvents: true),
            ])
            skill = try SavedCommandsSkill(
                store: SavedCommandStore(database: database.open(), logger: logger),
                launcher: LinuxCommandLauncher(asksShell: false),
                outlet: outlet,
                time: time,
                logger: logger
            )
            control = ControlTable(skill.controlRoutes)
        }

        @discardableResult
        func owner(_ method: String, _ params: JSONValue = [:]) async throws -> JSONValue {
            try await control.call(method, params) { _ in }
        }

        /// Saves a line for a shell that Ada's phone may run, and gives its id.
        func save(_ line: String, _ more: [String: JSONValue] = [:], named name: String = "c") async throws -> String {
            let new: [String: JSONValue] = ["name": .string(name), "shell": .string(line)]
            let id = try await owner("savedCommands.add", .object(new.merging(more) { $1 }))["id"]?.stringValue
            try await owner(
                "savedCommands.permit",
                ["command": .string(name), "device": "Ada's phone", "allowed": true]
            )
            return try #require(id)
        }

        func run(_ id: String, _ caller: Caller = .ada) async throws -> CommandRun {
            try CommandRun(wire: try await skill.call("commands.run", ["id": .string(id)], as: caller))
        }

        func output(_ run: CommandRun) async throws -> CommandOutput {
            try CommandOutput(wire: try await skill.call("commands.output", ["run": .string(run.id)]))
        }

        /// The output, once it has a line.
        func line(of run: CommandRun) async throws -> String {
            while true {
                let output = try await output(run)
                if output.text.contains("\n") { return output.text.trimmingCharacters(in: .whitespacesAndNewlines) }
                await Task.yield()
            }
        }

        /// The end of a run, and all that is kept of its output.
        func ended(_ run: CommandRun) async throws -> (end: CommandEnd?, text: String) {
            let peer = ScriptedPeer(skill, outlet: outlet)
            let text = LatestValue("")
            let end = try await SavedCommandsClient(peer).follow(run.id) { part in text.update { $0 += part.text } }
            return (end?.end, text.value)
        }
    }

    private static func host(
        time: any TimeSource = .system,
        _ body: (Host, TemporaryDatabase) async throws -> Void
    ) async throws {
        let database = try TemporaryDatabase(Schema("desktop", [SavedCommandStore.migrations]))
        defer { database.remove() }
        let host = try Host(database, time: time)
        do {
            try await body(host, database)
        } catch {
            await host.skill.close()
            throw error
        }
        await host.skill.close()
    }

    /// Whether a process of this machine runs; one that ended and was not waited for does not.
    private static func isAlive(_ process: String) -> Bool {
        guard let facts = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return facts.split(separator: ")").last?.split(separator: " ").first != "Z"
    }

    private static func untilDead(_ process: String) async { while isAlive(process) { await Task.yield() } }

    @Test("a phone runs a command that it may, reads what it prints on both streams, and learns its status")
    func run() async throws {
        try await Self.host { host, _ in
            let id = try await host.save("echo out; echo err >&2; printf '\\033[31mred\\033[0m\\n'; exit 3")
            let list = try SavedCommandList(wire: try await host.skill.call("commands.list"))
            #expect(list.commands.map(\.name) == ["c"])
            let run = try await host.run(id)
            let (end, text) = try await host.ended(run)
            #expect(end == .exited(3))
            #expect(text == "out\nerr\nred\n")
            let runs = try CommandRunList(wire: try await host.skill.call("commands.runs"))
            #expect(runs.runs.map(\.end) == [.exited(3)])
            #expect(host.outlet.events.allSatisfy { $0.device == Caller.ada.id })
        }
    }

    @Test(
        "it has nothing to read, the owner's home as its folder or the one that was named, and no shell where none was asked for"
    )
    func surroundings() async throws {
        try await Self.host { host, database in
            let id = try await host.save("cat; pwd; echo \"$PWD $TERM\"", ["folder": .string("/usr")])
            let (end, text) = try await host.ended(try await host.run(id))
            #expect(end == .exited(0))
            #expect(text == "/usr\n/usr dumb\n")
            try await host.owner(
                "savedCommands.change",
                ["command": "c", "arguments": ["echo", "$HOME; id", "`id`"], "folder": ""]
            )
            let (_, printed) = try await host.ended(try await host.run(id))
            #expect(printed == "$HOME; id `id`\n")
        }
    }

    @Test(
        "another phone neither sees, runs, reads nor stops what it was not allowed, and is told no more than that it is unknown"
    )
    func others() async throws {
        try await Self.host { host, _ in
            let id = try await host.save("echo $$; exec sleep 600")
            let run = try await host.run(id)
            _ = try await host.line(of: run)
            let list = try SavedCommandList(wire: try await host.skill.call("commands.list", as: .bo))
            #expect(list.commands.isEmpty)
            let runs = try CommandRunList(wire: try await host.skill.call("commands.runs", as: .bo))
            #expect(runs.runs.isEmpty)
            for (method, name, value) in [
                ("commands.run", "id", id), ("commands.output", "run", run.id), ("commands.stop", "run", run.id),
            ] {
                let refusal = try await host.skill.refusal(method, [name: .string(value)], as: .bo)
                #expect(refusal?.code == FailureCode.notFound)
            }
            let none = try await host.skill.refusal("commands.run", ["id": "0"], as: .bo)
            #expect(none == (try await host.skill.refusal("commands.run", ["id": .string(id)], as: .bo)))
        }
    }

    @Test("a command that asks is refused without a yes, and one that runs is not begun a second time")
    func confirmed() async throws {
        try await Self.host { host, _ in
            let id = try await host.save("echo a; exec sleep 600", ["confirm": true])
            let refusal = try await host.skill.refusal("commands.run", ["id": .string(id)])
            #expect(refusal?.code == FailureCode.badParameters)
            let yes: JSONValue = ["id": .string(id), "confirmed": true]
            let run = try CommandRun(wire: try await host.skill.call("commands.run", yes))
            #expect(try await host.skill.refusal("commands.run", yes)?.code == FailureCode.busy)
            _ = try await host.skill.call("commands.stop", ["run": .string(run.id)])
            #expect(try await host.ended(run).end == .stopped)
            // Stopping what has ended changes nothing.
            _ = try await host.skill.call("commands.stop", ["run": .string(run.id)])
            #expect(try await host.ended(run).end == .stopped)
        }
    }

    @Test("a right that is taken back ends the run and the children of its program before that returns")
    func rightEnds() async throws {
        try await Self.host { host, _ in
            let id = try await host.save("sleep 600 & echo $!; trap '' TERM; wait; wait")
            let run = try await host.run(id)
            let child = try await host.line(of: run)
            #expect(Self.isAlive(child))
            #expect(await host.skill.activities().map(\.detail) == ["c"])
            await host.skill.revoke([.savedCommands], of: Caller.bo.id, keeping: [])
            #expect(Self.isAlive(child))
            await host.skill.revoke([.savedCommands], of: Caller.ada.id, keeping: [])
            #expect(await host.skill.activities().isEmpty)
            await Self.untilDead(child)
            #expect(try await host.ended(run).end == .rightEnded)
        }
    }

    @Test("taking one command back from a phone, removing it, and the owner's stop each end its run and say so")
    func owner() async throws {
        try await Self.host { host, _ in
            let id = try await host.save("echo a; exec sleep 600")
            let first = try await host.run(id)
            let permit: JSONValue = ["command": "c", "device": "Ada's phone", "allowed": false]
            #expect(try await host.owner("savedCommands.permit", permit)["phones"] == [])
            #expect(try await host.ended(first).end == .rightEnded)
            try await host.owner("savedCommands.permit", ["command": "c", "device": "Ada's phone", "allowed": true])
            let second = try await host.run(id)
            try await host.owner("savedCommands.stop", ["run": .string(second.id)])
            #expect(try await host.ended(second).end == .stopped)
            let third = try await host.run(id)
            // A change is for the next run.
            let changed = try await host.owner(
                "savedCommands.change",
                ["command": "c", "shell": "echo b", "name": "d"]
            )
            #expect(changed["running"] == 1)
            #expect(try await host.owner("savedCommands.remove", ["command": "d"])["running"] == 1)
            #expect(try await host.ended(third).end == .stopped)
            let refusal = try await host.skill.refusal("commands.run", ["id": .string(id)])
            #expect(refusal?.code == FailureCode.notFound)
            let runs = try await host.owner("savedCommands.runs")["runs"]?.arrayValue ?? []
            #expect(runs.map { $0["deviceName"] } == ["Ada's phone", "Ada's phone", "Ada's phone"])
        }
    }

    @Test("a command ends after its time")
    func timeout() async throws {
        let clock = ManualClock()
        try await Self.host(time: clock) { host, _ in
            let id = try await host.save("echo a; exec sleep 600", ["timeout": 5])
            let run = try await host.run(id)
            await clock.sleeper(for: .seconds(5))
            clock.advance(by: .seconds(5))
            while try await host.output(run).isComplete == false { await Task.yield() }
            #expect(try await host.output(run).run?.end == .timedOut)
        }
    }

    @Test("a missing program and a missing folder are told as the run's end, with a sentence")
    func missing() async throws {
        try await Self.host { host, _ in
            let id = try await host.save("true", ["folder": "/no/such"])
            guard case .failedToStart(let sentence)? = try await host.run(id).end else {
                Issue.record("it ran")
                return
            }
            #expect(sentence.contains("/no/such"))
            try await host.owner(
                "savedCommands.change",
                ["command": "c", "arguments": ["no-such-program"], "folder": ""]
            )
            guard case .failedToStart(let other)? = try await host.run(id).end else {
                Issue.record("it ran")
                return
            }
            #expect(other.contains("no-such-program"))
        }
    }

    @Test("commands and runs are there after a restart; a run that was under way is told as ended with the program")
    func restart() async throws {
        try await Self.host { host, database in
            let id = try await host.save("echo a; exec sleep 600")
            let run = try await host.run(id)
            // As after a kill: the first program never says that it ended.
            let next = try Host(database)
            #expect(try SavedCommandList(wire: try await next.skill.call("commands.list")).commands.map(\.id) == [id])
            let runs = try CommandRunList(wire: try await next.skill.call("commands.runs")).runs
            #expect(runs.map(\.id) == [run.id])
            #expect(runs.map(\.end) == [.hostEnded])
            let output = try await next.output(run)
            #expect(output.isComplete && output.text.isEmpty)
            await next.skill.close()
        }
    }

    @Test("the end of the computer's program ends what runs and keeps that")
    func close() async throws {
        try await Self.host { host, database in
            let id = try await host.save("sleep 600 & echo $!; wait")
            let run = try await host.run(id)
            let child = try await host.line(of: run)
            await host.skill.close()
            await Self.untilDead(child)
            let kept = try await host.owner("savedCommands.runs")["runs"]?.arrayValue?.first
            #expect(kept?["end"]?["how"] == "hostEnded")
            #expect(try await host.skill.refusal("commands.run", ["id": .string(id)])?.code == FailureCode.busy)
        }
    }

    @Test("a program that prints without end is bounded: the last part is kept, and its place told")
    func flood() async throws {
        try await Self.host { host, _ in
            let id = try await host.save("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo end")
            let run = try await host.run(id)
            while try await host.output(run).run?.end == nil { await Task.yield() }
            let first = try await host.output(run)
            #expect(first.offset == 3_000_005 - Int64(SavedCommandLimits.output))
            #expect(first.run?.printedCount == 3_000_005)
            #expect(first.text.utf8.count == SavedCommandLimits.outputPart)
            #expect(try await host.ended(run).text.hasSuffix("x\nend\n"))
        }
    }

    @Test("names are one command's, phones are paired ones, and a damaged row spoils no other")
    func damaged() async throws {
        try await Self.host { host, database in
            _ = try await host.save("true")
            await #expect(throws: SavedCommandError.nameTaken("c")) {
                try await host.owner("savedCommands.add", ["name": "c", "shell": "false"])
            }
            await #expect(throws: SavedCommandError.noPhone("Eve")) {
                try await host.owner("savedCommands.permit", ["command": "c", "device": "Eve", "allowed": true])
            }
            await #expect(throws: SavedCommandError.noCommand("x")) {
                try await host.owner("savedCommands.remove", ["command": "x"])
            }
            try await database.open().write { database in
                try database.execute(sql: "INSERT INTO savedCommand (id, body) VALUES ('0', '{}')")
            }
            let next = try Host(database)
            let list = try await next.owner("savedCommands.list")["commands"]?.arrayValue ?? []
            #expect(list.map { $0["name"] } == ["c"])
            await next.skill.close()
        }
    }
}
