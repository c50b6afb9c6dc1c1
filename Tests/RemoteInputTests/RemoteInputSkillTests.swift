import Capabilities
import Control
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Logging
import RemoteInput
import Rights
import Testing

@testable import CommandServer
@testable import Commands
@testable import RemoteInputHost

@Suite("Remote input", .timeLimit(.minutes(5)))
struct RemoteInputSkillTests {
    private let clock = ManualClock()
    private let outlet = ScriptedOutlet()
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    private func skill(_ input: ScriptedInput) throws -> RemoteInputSkill {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let ids = IDs()
        return RemoteInputSkill(
            access: input,
            outlet: outlet,
            time: clock,
            folder: { [folder] in folder },
            logger: Logger(label: "test"),
            makeID: { ids.next() }
        )
    }

    private final class IDs: Sendable {
        private let count = LatestValue(0)

        func next() -> String {
            count.update { $0 += 1 }
            return "s\(count.value)"
        }
    }

    private func open(_ skill: RemoteInputSkill, as caller: Caller = .ada, takeOver: Bool = false) async throws
        -> JSONValue
    { try await skill.call("input.open", ["takeOver": .bool(takeOver)], as: caller) }

    private func send(
        _ skill: RemoteInputSkill,
        _ session: String = "s1",
        first: Int64,
        _ events: [JSONValue],
        as caller: Caller = .ada
    ) async throws -> JSONValue {
        try await skill.call(
            "input.send",
            ["sessionId": .string(session), "first": .integer(first), "events": .array(events)],
            as: caller
        )
    }

    @Test("events are done in order, once, and what is held is let go of at the end, the last first")
    func events() async throws {
        let input = ScriptedInput()
        let skill = try skill(input)
        let opened = try await open(skill)
        #expect(
            opened == [
                "state": "open", "sessionId": "s1", "way": "x11", "text": true, "stopKey": "Ctrl+Alt+Escape",
                "silence": 15,
            ]
        )
        let device = try #require(input.devices.first)
        #expect(device.phone == "Ada's phone")
        let events: [JSONValue] = [
            ["type": "move", "dx": .number(1.5), "dy": -2], ["type": "position", "x": 10, "y": 20, "display": 1],
            ["type": "position", "x": 9000, "y": -5], ["type": "key", "key": "Control", "press": "down"],
            ["type": "button", "press": "down"], ["type": "blink", "eye": 1], ["type": "text", "text": "é\r\n\u{7}😀"],
        ]
        #expect(try await send(skill, first: 1, events) == ["last": 7, "unknown": 1])
        // The same batch again, as a repeat that was sent twice: only what follows is new.
        #expect(try await send(skill, first: 1, events + [["type": "wheel", "dx": 0, "dy": 1]])["last"] == 8)
        let whole = InputArea(x: 0, y: 0, width: 1200, height: 600)
        let done: [InputAction] = [
            .move(dx: 1.5, dy: -2), .place(x: 10, y: 20, whole: whole), .place(x: 1199, y: 0, whole: whole),
            .key(.named(.control), isDown: true), .button(.left, isDown: true), .text("é\n😀"), .wheel(dx: 0, dy: 1),
        ]
        #expect(device.actions == done)
        _ = try await skill.call("input.close", ["sessionId": "s1"])
        #expect(
            device.actions == done + [.button(.left, isDown: false), .key(.named(.control), isDown: false)]
        )
        #expect(device.isClosed)
        #expect(outlet.events.isEmpty)
        let over = try await skill.refusal("input.send", ["sessionId": "s1", "first": 9, "events": []])
        #expect(over?.code == FailureCode.badParameters)
    }

    @Test("a phone is told that the person at the computer is asked, and that the pointer goes to no place")
    func asked() async throws {
        let input = ScriptedInput(asks: true)
        let skill = try skill(input)
        let opened = try await open(skill)
        #expect(
            opened == [
                "state": "open", "sessionId": "s1", "way": "portal", "text": true, "silence": 15, "places": false,
            ]
        )
        #expect(
            try InputOpened(wire: opened)
                == .open(
                    InputSessionFacts(
                        sessionID: "s1",
                        way: "portal",
                        typesText: true,
                        stopKey: nil,
                        silence: 15,
                        places: false
                    )
                )
        )
        let told = await outlet.arrived(1)
        #expect(told.first == RemoteEvent(.inputAsked, ["seconds": 60]))
        let place: JSONValue = ["type": "position", "x": 1, "y": 1]
        let failure = try await skill.refusal("input.send", ["sessionId": "s1", "first": 1, "events": [place]])
        #expect(failure?.code == FailureCode.badParameters)
        #expect(failure?.message.contains("step by step") == true)
        await skill.close()
    }

    @Test(
        "a batch with an event that does not fit does nothing, and names what does not",
        arguments: [
            (["type": "move", "dx": "far", "dy": 0], "dx"), (["type": "move", "dx": .number(1e9), "dy": 0], "dx"),
            (["type": "button", "button": "seventh"], "button"), (["type": "key", "key": "Launch"], "key"),
            (["type": "key", "key": "\u{1b}"], "key"), (["type": "key", "key": "a", "press": "hard"], "press"),
            (["type": "text", "text": ""], "text"), (["type": "wheel", "dx": 0, "dy": 101], "dy"), ([:], "type"),
        ] as [(JSONValue, String)]
    )
    func malformed(event: JSONValue, name: String) async throws {
        let input = ScriptedInput()
        let skill = try skill(input)
        _ = try await open(skill)
        let failure = try await skill.refusal(
            "input.send",
            ["sessionId": "s1", "first": 1, "events": [["type": "key", "key": "a"], event]]
        )
        #expect(failure?.code == FailureCode.badParameters)
        #expect(failure?.message.contains(" \(name) ") == true)
        #expect(input.devices.first?.actions == [])
    }

    @Test("too many events, too much text and a gap in the numbers are refused")
    func bounds() async throws {
        let input = ScriptedInput()
        let skill = try skill(input)
        _ = try await open(skill)
        let key: JSONValue = ["type": "key", "key": "a"]
        let many = JSONValue.array(Array(repeating: key, count: 257))
        let text: JSONValue = ["type": "text", "text": .string(String(repeating: "x", count: 4096))]
        for (first, events) in [(1, many), (1, .array(Array(repeating: text, count: 5))), (3, [key])] {
            let failure = try await skill.refusal(
                "input.send",
                ["sessionId": "s1", "first": .integer(Int64(first)), "events": events]
            )
            #expect(failure?.code == FailureCode.badParameters)
        }
        #expect(input.devices.first?.actions == [])
    }

    @Test("a second phone is told who has it, takes over by asking, and the first is told")
    func second() async throws {
        let input = ScriptedInput()
        let skill = try skill(input)
        _ = try await open(skill)
        _ = try await send(skill, first: 1, [["type": "key", "key": "Shift", "press": "down"]])
        #expect(try await open(skill, as: .bo) == ["state": "held", "by": "Ada's phone"])
        #expect(try await open(skill, as: .bo, takeOver: true)["sessionId"] == "s2")
        let told = await outlet.arrived(1)
        #expect(told.first.flatMap { InputEnd($0) } == InputEnd(sessionID: "s1", cause: .taken, by: "Bo's phone"))
        #expect(
            input.devices.first?.actions == [
                .key(.named(.shift), isDown: true), .key(.named(.shift), isDown: false),
            ]
        )
        #expect(input.devices.first?.isClosed == true)
        // The session is Bo's now, and nobody else's.
        #expect(try await skill.refusal("input.send", ["sessionId": "s2", "first": 1, "events": []]) != nil)
        _ = try await skill.call("input.close", ["sessionId": "s2"])
        #expect(input.devices.last?.isClosed == false)
    }

    @Test("a right that is taken back ends it at once, and lets go of what is held")
    func revoked() async throws {
        let input = ScriptedInput()
        let skill = try skill(input)
        _ = try await open(skill)
        _ = try await send(skill, first: 1, [["type": "button", "press": "down"]])
        #expect(await skill.activities().map(\.id) == ["screen-control:s1"])
        await skill.revoke([.screenControl], of: Caller.bo.id, keeping: [])
        #expect(input.devices.first?.isClosed == false)
        await skill.revoke([.screenControl], of: Caller.ada.id, keeping: [])
        #expect(input.devices.first?.actions == [.button(.left, isDown: true), .button(.left, isDown: false)])
        #expect(input.devices.first?.isClosed == true)
        #expect(await skill.activities().isEmpty)
        #expect(try await skill.refusal("input.send", ["sessionId": "s1", "first": 2, "events": []]) != nil)
    }

    @Test("the person at the computer ends it by a key, and the phone is told by whom")
    func key() async throws {
        let input = ScriptedInput()
        let skill = try skill(input)
        _ = try await open(skill)
        input.devices.first?.ended(.key)
        let told = await outlet.arrived(1)
        #expect(told.first?.name == "input.ended")
        #expect(told.first.flatMap { InputEnd($0) }?.cause == .key)
        #expect(input.devices.first?.isClosed == true)
        // What ends later is another one's session.
        _ = try await open(skill)
        input.devices.first?.ended(.failed)
        await skill.close()
        #expect(outlet.events.last.flatMap { InputEnd($0.event) }?.cause == .stopped)
        #expect(outlet.events.count == 2)
    }

    @Test("`tandem input stop` ends it, and says whose it was")
    func stop() async throws {
        let input = ScriptedInput()
        let skill = try skill(input)
        let table = ControlTable(skill.controlRoutes)
        #expect(try await table.call(InputControl.stop).phone == nil)
        _ = try await open(skill)
        #expect(try await table.call(InputControl.state).phone == "Ada's phone")
        #expect(try await table.call(InputControl.stop).phone == "Ada's phone")
        #expect(await outlet.arrived(1).first.flatMap { InputEnd($0) }?.cause == .owner)
        #expect(try await table.call(InputControl.state).phone == nil)
    }

    @Test("a phone that is heard no more holds nothing after three seconds, and has no control after fifteen")
    func silence() async throws {
        let input = ScriptedInput()
        let skill = try skill(input)
        _ = try await open(skill)
        _ = try await send(skill, first: 1, [["type": "key", "key": "a", "press": "down"]])
        let told = Task { [outlet] in await outlet.arrived(1) }
        for _ in 0..<15 {
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
        }
        #expect(await told.value.first.flatMap { InputEnd($0) }?.cause == .silence)
        #expect(
            input.devices.first?.actions == [
                .key(.character("a"), isDown: true), .key(.character("a"), isDown: false),
            ]
        )
        #expect(input.devices.first?.isClosed == true)
    }

    @Test("where it is not possible, the phone gets the sentence that says why")
    func impossible() async throws {
        let skill = try skill(ScriptedInput(failure: .impossible(reason: "There is no screen.")))
        let failure = try await skill.refusal("input.open")
        #expect(failure?.code == FailureCode.unsupported)
        #expect(failure?.message == "There is no screen.")
        #expect(await skill.checks().first?.works == false)
        #expect(try await ControlTable(skill.controlRoutes).call(InputControl.state).reason == "There is no screen.")
    }

    @Test("a program that starts after one that was killed lets go of what that one held, once")
    func killed() async throws {
        let killed = try skill(ScriptedInput())
        _ = try await open(killed)
        // The same folder, as the next program finds it.
        let input = ScriptedInput()
        await (try skill(input)).run()
        #expect(input.hasRecovered)
        let later = ScriptedInput()
        await (try skill(later)).run()
        #expect(!later.hasRecovered)
    }
}
