import Foundation
import Kernel
import KernelTesting
import Logging
import Synchronization
import Testing

@testable import CommandServer
@testable import Commands
@testable import ScreenHost
@testable import Terminal
@testable import TerminalHost

@Suite("Terminal on the phone", .timeLimit(.minutes(5)))
struct TerminalClientTests {
    /// The way from the computer to the phone, which loses, repeats and exchanges events.
    private final class BadLink: RemoteEventSink {
        private struct State {
            var random: SeededGenerator
            var held: RemoteEvent?
        }

        let events = Broadcaster<RemoteEvent>(capacity: 64)
        private let state: Mutex<State>
        private let badness: Double

        init(seed: UInt64, badness: Double) {
            state = Mutex(State(random: SeededGenerator(seed: seed)))
            self.badness = badness
        }

        func send(_ event: RemoteEvent, to device: String) async throws {
            let arriving: [RemoteEvent] = state.withLock { state in
                // The last one comes: what is lost after it, the next question after a quiet time finds.
                if event.name == "terminal.exit" { return [state.held, event].compactMap(\.self) }
                if state.random.chance(badness) { return [] }
                if state.random.chance(badness) { return [event, event] }
                if state.held == nil, state.random.chance(badness) {
                    state.held = event
                    return []
                }
                defer { state.held = nil }
                return [event, state.held].compactMap(\.self)
            }
            for event in arriving { events.send(event) }
        }
    }

    /// What was shown.
    private final class Screen: Sendable {
        private let shown = Mutex<[TerminalOutput]>([])

        var outputs: [TerminalOutput] { shown.withLock(\.self) }
        var text: String {
            outputs.map { if case .text(let text) = $0 { text } else { "" } }.joined()
        }

        func show(_ output: TerminalOutput) { shown.withLock { $0.append(output) } }
    }

    private func router(_ terminals: FakeTerminals, _ sink: any RemoteEventSink, _ clock: any Clock<Duration>)
        -> CommandRouter
    {
        let skill = TerminalSkill(factory: terminals, sink: sink, clock: clock, makeID: { "s-1" })
        return CommandRouter(
            methods: skill.methods,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
    }

    private func ask(_ router: CommandRouter) -> TerminalInvoke {
        { method, params in
            let request = CommandRequest(id: UUID().uuidString, method: method, params: params)
            return try await router.answer(request, from: TerminalFixture.caller(TerminalFixture.ada)).outcome.get()
        }
    }

    @Test(
        "output comes whole, in order and once over a link that loses, repeats and exchanges events",
        arguments: 1...12
    )
    func badLink(seed: UInt64) async throws {
        let clock = ManualClock()
        let terminals = FakeTerminals()
        let link = BadLink(seed: seed, badness: seed == 1 ? 0 : 0.2)
        let invoke = ask(router(terminals, link, clock))
        let screen = Screen()
        let id = try await TerminalClient.create(TerminalRequest(), invoke: invoke)
        let client = TerminalClient(sessionID: id, isNew: true, clock: clock, invoke: invoke) {
            link.events.subscribe()
        }
        let terminal = try #require(terminals.terminal(0))
        var expected = ""
        var random = SeededGenerator(seed: seed)
        for line in 0..<3000 {
            let text = "\(line) \(String(repeating: "é", count: Int.random(in: 0...300, using: &random)))\r\n"
            expected += text
            terminal.say(text)
        }
        async let run: Void = client.run { output in
            screen.show(output)
            await Task.yield()
        }
        while terminal.taken < expected.utf8.count {
            await Task.yield()
            // Nothing but a lost last event holds the flood up: the phone asks after a quiet time.
            clock.advance(by: .milliseconds(1))
        }
        terminal.end(.exited(code: 5))
        try await run
        #expect(screen.outputs.last == .exited(code: 5, signal: nil))
        #expect(!screen.outputs.contains(.truncated))
        #expect(screen.text == expected)
    }

    @Test("what nobody has any more is marked once, and the rest shown")
    func truncated() async throws {
        let clock = ManualClock()
        let terminals = FakeTerminals()
        let link = BadLink(seed: 1, badness: 0)
        let router = router(terminals, link, clock)
        let invoke = ask(router)
        _ = try await invoke("terminal.create", [:])
        let terminal = try #require(terminals.terminal(0))
        let text = (0..<100_000).map { "\($0)\n" }.joined()
        terminal.say(text)
        while terminal.taken < text.utf8.count { await Task.yield() }
        terminal.end(.exited(code: 0))
        let screen = Screen()
        let client = TerminalClient(sessionID: "s-1", isNew: true, clock: clock, invoke: invoke) {
            link.events.subscribe()
        }
        try await client.run { screen.show($0) }
        #expect(screen.outputs.first == .truncated)
        #expect(screen.outputs.filter { $0 == .truncated }.count == 1)
        #expect(text.hasSuffix(screen.text) && screen.text.utf8.count > 200 * 1024)
        #expect(screen.outputs.last == .exited(code: 0, signal: nil))

        // Somebody who takes over wants the newest, and no mark.
        let other = Screen()
        let takeover = TerminalClient(sessionID: "s-1", isNew: false, clock: clock, invoke: invoke) {
            link.events.subscribe()
        }
        try await takeover.run { other.show($0) }
        #expect(!other.outputs.contains(.truncated))
        #expect(screen.text.hasSuffix(other.text) && other.text.utf8.count > 200 * 1024)
    }

    @Test("typing arrives once and in order, although calls and answers are lost")
    func typing() async throws {
        let clock = ImmediateClock()
        let terminals = FakeTerminals()
        let link = BadLink(seed: 1, badness: 0)
        let sound = ask(router(terminals, link, ManualClock()))
        let random = Mutex(SeededGenerator(seed: 3))
        let lossy: TerminalInvoke = { method, params in
            let (before, after) = random.withLock { ($0.chance(0.2), $0.chance(0.2)) }
            if before { throw RemoteError.timeout(id: "1", method: method, after: .seconds(30)) }
            let answer = try await sound(method, params)
            if after { throw RemoteError.notConnected }
            return answer
        }
        _ = try await sound("terminal.create", [:])
        let terminal = try #require(terminals.terminal(0))
        let typing = TerminalTyping(sessionID: "s-1", inputID: "i", invoke: lossy, clock: clock)
        let text = (0..<500).map { "key é \($0)\r" }.joined()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await typing.run() }
            for byte in text.utf8 {
                try await typing.type([byte])
                if byte.isMultiple(of: 7) { await Task.yield() }
            }
            while terminal.typed.utf8.count < text.utf8.count { await Task.yield() }
            group.cancelAll()
        }
        #expect(terminal.typed == text)
    }

    @Test("a terminal that is gone ends the client with its sentence")
    func gone() async throws {
        let invoke = ask(router(FakeTerminals(), BadLink(seed: 1, badness: 0), ManualClock()))
        let client = TerminalClient(sessionID: "s-9", isNew: false, clock: ManualClock(), invoke: invoke) {
            AsyncStream { _ in }
        }
        await #expect(throws: TerminalError.sessionNotFound) { try await client.run { _ in } }
        await #expect(throws: TerminalError.sessionNotFound) { try await client.close() }
    }

    @Test("many changes of the size become one call")
    func resize() async throws {
        let clock = ManualClock()
        let terminals = FakeTerminals()
        let link = BadLink(seed: 1, badness: 0)
        let invoke = ask(router(terminals, link, clock))
        let id = try await TerminalClient.create(TerminalRequest(), invoke: invoke)
        let client = TerminalClient(sessionID: id, isNew: true, clock: clock, invoke: invoke) {
            link.events.subscribe()
        }
        let terminal = try #require(terminals.terminal(0))
        for columns in 100...150 { client.resize(to: try TerminalSize(columns: Int64(columns), rows: 30)) }
        async let run: Void = client.run { _ in }
        await clock.sleeper(for: TerminalClient.resizeDelay)
        clock.advance(by: TerminalClient.resizeDelay)
        while terminal.sizes.isEmpty { await Task.yield() }
        terminal.end(.exited(code: 0))
        try await run
        #expect(terminal.sizes == [try TerminalSize(columns: 150, rows: 30)])
    }

    @Test("a computer that is away is waited for, and one that refuses is not")
    func passingErrors() {
        struct Away: AbsenceError { let isAbsence: Bool }
        #expect(RemoteError.isPassing(Away(isAbsence: true)))
        #expect(RemoteError.isPassing(RemoteError.notConnected))
        #expect(!RemoteError.isPassing(Away(isAbsence: false)))
        #expect(!RemoteError.isPassing(RemoteError.notPaired))
    }
}
