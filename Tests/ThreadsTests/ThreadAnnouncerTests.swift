import CommandServer
import Commands
import Conversations
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Logging
import Testing
import Threads

@testable import ThreadsHost

@Suite("Threads: what is said to people wherever they are", .timeLimit(.minutes(1)))
struct ThreadAnnouncerTests {
    private let home: RolloutHome
    private let announcements = Announcements()
    private let agents = ScriptedAgents()
    private let time = ManualClock()
    private let skill: ThreadsSkill
    private let thread = ThreadReference(agent: .codex, id: RolloutHome.id)

    init() throws {
        home = try RolloutHome()
        skill = ThreadsSkill(
            library: home.library,
            control: agents,
            outlet: ScriptedOutlet(),
            announcements: announcements,
            time: time,
            logger: Logger(label: "test")
        )
        try home.write([
            RolloutHome.meta(RolloutHome.id), RolloutHome.user("Build the engine"),
            RolloutHome.agent("It turns.\n\nAll 12 wheels."),
        ])
    }

    @Test(
        "an agent that finishes says so once, with the beginning of its last message, and replaces what it said before"
    )
    func finished() async throws {
        let said = announcements.stream()
        for state in [AgentState.running, .done, .done, .idle, .running, .failed] {
            await skill.take(.state(thread, state))
        }
        let two = await said.prefix(2).reduce(into: []) { $0.append($1) }
        #expect(
            two[0]
                == Announcement(
                    speaker: "Codex",
                    key: "thread:\(RolloutHome.id)",
                    title: "Build the engine",
                    body: "It turns. All 12 wheels.",
                    data: ["threadId": RolloutHome.id, "source": "codex"]
                )
        )
        #expect(two[1].urgency == .high)
        #expect(two[1].key == two[0].key)
        await skill.close()
    }

    @Test("a turn's beginning and end are told like states, and the last words of one that is done are no reason")
    func turns() async throws {
        let said = announcements.stream()
        let events: [AgentEvent] = [
            .started(thread, parent: nil), .finished(thread, .done, summary: "Words of its own."),
            .state(thread, .done),
            .started(thread, parent: nil), .finished(thread, .failed, summary: "Codex is not signed in."),
        ]
        for event in events { await skill.take(event) }
        let two = await said.prefix(2).reduce(into: []) { $0.append($1) }
        #expect(two.map(\.body) == ["It turns. All 12 wheels.", "Codex is not signed in."])
        await skill.close()
    }

    @Test("a turn that failed is said with its reason rather than with the last message")
    func failed() async throws {
        let said = announcements.stream()
        await skill.take(.state(thread, .running))
        await skill.take(.state(thread, .failed, reason: "Codex is not signed in."))
        let first = await said.prefix(1).reduce(into: []) { $0.append($1) }
        #expect(first.map(\.body) == ["Codex is not signed in."])
        await skill.close()
    }

    @Test("a command that waits to be allowed is said at once, urgently; what ended before is no news")
    func approval() async throws {
        let said = announcements.stream()
        await skill.take(.state(thread, .done))
        await skill.take(
            .opened(
                Approval(
                    id: "a",
                    thread: thread,
                    milliseconds: 0,
                    subject: .command(.init(line: "rm -rf build\n&& make")),
                    options: [.init(id: "no", kind: .decline)]
                )
            )
        )
        let first = await said.prefix(1).reduce(into: []) { $0.append($1) }
        #expect(first.map(\.body) == ["It asks to run: rm -rf build && make"])
        #expect(first.map(\.urgency) == [.high])
        #expect(first.map(\.title) == ["Build the engine"])
        await skill.close()
    }

    @Test("of an agent that another program runs, only an end that stands for ten seconds is said")
    func file() async throws {
        let said = announcements.stream()
        let announcer = ThreadAnnouncer(library: home.library, announcements: announcements, time: time)
        await announcer.note(thread, .running, isOwn: false)
        await announcer.note(thread, .done, isOwn: false)
        await time.sleepers(1)
        time.advance(by: .seconds(5))
        // It was a word in between.
        await announcer.note(thread, .running, isOwn: false)
        time.advance(by: .seconds(5))
        await announcer.note(thread, .failed, isOwn: false)
        await time.sleepers(1)
        time.advance(by: .seconds(10))
        let first = await said.prefix(1).reduce(into: []) { $0.append($1) }
        #expect(first.map(\.urgency) == [.high])
        await announcer.close()
    }
}
