import CommandServer
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Synchronization
import Testing

@testable import Commands
@testable import Terminal
@testable import TerminalHost

@Suite("Terminal on the phone", .timeLimit(.minutes(5)))
struct TerminalClientTests {
    /// The state of a link that loses, repeats and exchanges events.
    private struct BadLink {
        var random: SeededGenerator
        var held: RemoteEvent?
    }

    /// The way from the computer to the phone, which loses, repeats and exchanges events.
    ///
    /// - Parameter badness: The part of the events that each of these happens to, 0...1.
    private static func badLink(seed: UInt64, badness: Double) -> ScriptedOutlet {
        let state = Mutex(BadLink(random: SeededGenerator(seed: seed)))
        return ScriptedOutlet(capacity: 64) { sent in
            let event = sent.event
            return state.withLock { state -> [RemoteEvent] in
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

    private func computer(
        _ terminals: FakeTerminals,
        _ link: ScriptedOutlet = ScriptedOutlet(),
        _ clock: any TimeSource = ManualClock()
    ) -> ScriptedPeer {
        let skill = TerminalSkill(factory: terminals, outlet: link, time: clock, makeID: { "s-1" })
        return ScriptedPeer(skill, as: TerminalFixture.caller(TerminalFixture.ada), outlet: link)
    }

    private func client(_ peer: any Peer, isNew: Bool, _ clock: any TimeSource, id: String = "s-1")
        -> TerminalClient
    {
        TerminalClient(sessionID: id, isNew: isNew, peer: peer, time: clock)
    }

    @Test(
        "output comes whole, in order and once over a link that loses, repeats and exchanges events",
        arguments: 1...12
    )
    func badLink(seed: UInt64) async throws {
        let clock = ManualClock()
        let terminals = FakeTerminals()
        let link = Self.badLink(seed: seed, badness: seed == 1 ? 0 : 0.2)
        let peer = computer(terminals, link, clock)
        let screen = Screen()
        let id = try await TerminalsClient(peer).create(TerminalRequest()).sessionID
        let client = client(peer, isNew: true, clock, id: id)
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
        var (taken, turns) = (0, 0)
        while !Task.isCancelled, terminal.taken < expected.utf8.count {
            await Task.yield()
            // Time moves only while nothing else does: a busy machine is not a phone that has gone. What holds the flood up then is a
            // lost last event, after which the phone asks when it was quiet for long enough.
            (taken, turns) = terminal.taken == taken ? (taken, turns + 1) : (terminal.taken, 0)
            if turns > 20 { clock.advance(by: .milliseconds(1)) }
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
        let peer = computer(terminals, ScriptedOutlet(), clock)
        _ = try await peer.call(TerminalMethods.create, TerminalMethods.Create(TerminalRequest()))
        let terminal = try #require(terminals.terminal(0))
        let text = (0..<100_000).map { "\($0)\n" }.joined()
        terminal.say(text)
        while !Task.isCancelled, terminal.taken < text.utf8.count { await Task.yield() }
        terminal.end(.exited(code: 0))
        let screen = Screen()
        let client = client(peer, isNew: true, clock)
        try await client.run { screen.show($0) }
        #expect(screen.outputs.first == .truncated)
        #expect(screen.outputs.filter { $0 == .truncated }.count == 1)
        #expect(text.hasSuffix(screen.text) && screen.text.utf8.count > 200 * 1024)
        #expect(screen.outputs.last == .exited(code: 0, signal: nil))

        // Somebody who takes over wants the newest, and no mark.
        let other = Screen()
        let takeover = self.client(peer, isNew: false, clock)
        try await takeover.run { other.show($0) }
        #expect(!other.outputs.contains(.truncated))
        #expect(screen.text.hasSuffix(other.text) && other.text.utf8.count > 200 * 1024)
    }

    @Test("a window is told another's size, and has its own again when that one is gone")
    func sizes() async throws {
        let clock = ManualClock()
        let terminals = FakeTerminals()
        let peer = computer(terminals, ScriptedOutlet(), clock)
        let (wide, narrow) = (try TerminalSize(columns: 140, rows: 40), try TerminalSize(columns: 45, rows: 30))
        _ = try await TerminalsClient(peer).create(TerminalRequest(size: wide), viewerID: "desk")
        let terminal = try #require(terminals.terminal(0))
        let desk = TerminalClient(sessionID: "s-1", isNew: true, size: wide, peer: peer, time: clock, inputID: "desk")
        let phone = TerminalClient(sessionID: "s-1", isNew: false, peer: peer, time: clock, inputID: "phone")
        let (desks, phones) = (Screen(), Screen())
        let hasCaughtUp = LatestValue(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await desk.run { desks.show($0) } }
            group.addTask { try await phone.run(caughtUp: { hasCaughtUp.set(true) }) { phones.show($0) } }
            for await isReady in hasCaughtUp.values() where isReady { break }
            phone.resize(to: narrow)
            await clock.sleeper(for: TerminalClient.resizeDelay)
            clock.advance(by: TerminalClient.resizeDelay)
            // The phone asked for it, so it is told nothing new.
            while !Task.isCancelled, desks.outputs.last != .resized(narrow) { await Task.yield() }
            try await desk.type(Array("l".utf8))
            while !Task.isCancelled, phones.outputs.last != .resized(wide) || desks.outputs.last != .resized(wide) {
                await Task.yield()
            }
            phone.resize(to: narrow)
            await clock.sleeper(for: TerminalClient.resizeDelay)
            clock.advance(by: TerminalClient.resizeDelay)
            while !Task.isCancelled, desks.outputs.last != .resized(narrow) { await Task.yield() }
            try await phone.leave()
            while !Task.isCancelled, desks.outputs.last != .resized(wide) { await Task.yield() }
            group.cancelAll()
        }
        #expect(terminal.sizes == [narrow, wide, narrow, wide])
    }

    @Test("a screen that begins in the middle is brought to what was switched before, and so is one that lost a part")
    func state() async throws {
        let clock = ManualClock()
        let terminals = FakeTerminals()
        let peer = computer(terminals, ScriptedOutlet(), clock)
        _ = try await peer.call(TerminalMethods.create, TerminalMethods.Create(TerminalRequest()))
        let terminal = try #require(terminals.terminal(0))
        let text =
            "\u{1B}[?1049h\u{1B}[?1002;1006h\u{1B}]2;my program\u{07}" + String(repeating: "frame\r\n", count: 100_000)
        terminal.say(text)
        while !Task.isCancelled, terminal.taken < text.utf8.count { await Task.yield() }
        terminal.end(.exited(code: 0))
        for isNew in [false, true] {
            let screen = Screen()
            try await client(peer, isNew: isNew, clock).run { screen.show($0) }
            let outputs = screen.outputs.filter { $0 != .truncated }
            #expect(screen.outputs.contains(.truncated) == isNew)
            guard case .state(let state)? = outputs.first else {
                Issue.record("the state does not come first")
                continue
            }
            for part in ["\u{1B}[?1049h", "\u{1B}[?1002h", "\u{1B}[?1006h", "\u{1B}]2;my program\u{07}"] {
                #expect(state.contains(part))
            }
        }
    }

    @Test("typing arrives once and in order, although calls and answers are lost")
    func typing() async throws {
        let clock = ImmediateClock()
        let terminals = FakeTerminals()
        let sound = computer(terminals)
        let random = Mutex(SeededGenerator(seed: 3))
        // Its link loses calls and answers.
        let lossy = ScriptedPeer { call in
            let lost = random.withLock { (call: $0.chance(0.2), answer: $0.chance(0.2)) }
            if lost.call { throw RemoteError.timeout(id: "1", method: call.method, after: call.timeout) }
            let answer = try await sound.call(call.method, call.params, timeout: call.timeout)
            if lost.answer { throw RemoteError.notConnected }
            return answer
        }
        _ = try await TerminalsClient(sound).create(TerminalRequest())
        let terminal = try #require(terminals.terminal(0))
        let typing = TerminalTyping(sessionID: "s-1", inputID: "i", peer: lossy, time: clock)
        let text = (0..<500).map { "key é \($0)\r" }.joined()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await typing.run() }
            for byte in text.utf8 {
                try await typing.type([byte])
                if byte.isMultiple(of: 7) { await Task.yield() }
            }
            while !Task.isCancelled, terminal.typed.utf8.count < text.utf8.count { await Task.yield() }
            group.cancelAll()
        }
        #expect(terminal.typed == text)
    }

    @Test("a computer of another program is sent a piece once, also where its answer does not come")
    func typingUnnumbered() async throws {
        let peer = ScriptedPeer(isSealed: false) { call in
            if call.number == 2 { throw RemoteError.timeout(id: "1", method: call.method, after: call.timeout) }
            return ["ok": true]
        }
        let typing = TerminalTyping(sessionID: "s-1", inputID: "i", peer: peer, time: ImmediateClock())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await typing.run() }
            for (index, key) in ["a", "b", "c", "d"].enumerated() {
                try await typing.type(Array(key.utf8))
                _ = await peer.called(index + 1)
            }
            group.cancelAll()
        }
        #expect(peer.calls.map { $0.params["data"]?.stringValue } == ["a", "b", "c", "d"])
    }

    @Test("what has no room waits, and is typed as soon as the computer takes what came before, however much it is")
    func typingAll() async throws {
        let isAnswering = LatestValue(false)
        let taken = Mutex<[Int64: String]>([:])
        let peer = ScriptedPeer { call in
            for await isAnswering in isAnswering.values() where isAnswering {
                taken.withLock { $0[call.params["inputSeq"]?.integerValue ?? -1] = call.params["data"]?.stringValue }
                return ["ok": true]
            }
            throw CancellationError()
        }
        @Sendable func typed() -> String {
            taken.withLock { taken in taken.keys.sorted().map { taken[$0] ?? "" }.joined() }
        }
        let typing = TerminalTyping(sessionID: "s-1", inputID: "i", peer: peer, time: ManualClock())
        let text = (0..<60_000).map { "é\($0)\n" }.joined()
        #expect(
            text.utf8.count > TerminalTyping.waitingLimit + TerminalTyping.inFlightLimit * TerminalTyping.pieceLimit
        )
        let isTyped = LatestValue(false)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await typing.run() }
            group.addTask {
                try await typing.typeAll(Array(text.utf8))
                isTyped.set(true)
            }
            while !Task.isCancelled,
                await typing.waiting.utf8.count + TerminalTyping.pieceLimit <= TerminalTyping.waitingLimit
            {
                await Task.yield()
            }
            #expect(!isTyped.value)
            isAnswering.set(true)
            for await isOver in isTyped.values() where isOver { break }
            while !Task.isCancelled, typed().utf8.count < text.utf8.count { await Task.yield() }
            group.cancelAll()
        }
        #expect(typed() == text)
    }

    @Test("waiting for room ends with the caller")
    func typingAllCancelled() async throws {
        // Without a run nothing is taken.
        let typing = TerminalTyping(sessionID: "s-1", inputID: "i", peer: ScriptedPeer(), time: ManualClock())
        try await typing.type(Array(repeating: 0x20, count: TerminalTyping.waitingLimit))
        let waiting = Task { try await typing.typeAll([0x20]) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test("a terminal that is gone ends the client with its sentence")
    func gone() async throws {
        let peer = computer(FakeTerminals())
        let client = client(peer, isNew: false, ManualClock(), id: "s-9")
        await #expect(throws: TerminalError.sessionNotFound) { try await client.run { _ in } }
        await #expect(throws: TerminalError.sessionNotFound) { try await client.close() }
    }

    @Test("a computer that is reached again is asked for what was missed, without waiting for a quiet time")
    func reached() async throws {
        let terminals = FakeTerminals()
        let clock = ManualClock()
        // Everything that the computer tells is lost.
        let link = Self.badLink(seed: 1, badness: 1)
        let peer = computer(terminals, link, clock)
        let client = try await TerminalsClient(peer).open(TerminalRequest())
        let terminal = try #require(terminals.terminal(0))
        let screen = Screen()
        async let run: Void = client.run { screen.show($0) }
        while !Task.isCancelled, !peer.calls.contains(where: { $0.method == "terminal.list" }) { await Task.yield() }
        peer.setReachable(false)
        terminal.say("missed")
        while !Task.isCancelled, terminal.taken < 6 { await Task.yield() }
        while screen.text.isEmpty {
            peer.setReachable(false)
            await Task.yield()
            peer.setReachable(true)
            for _ in 0..<100 { await Task.yield() }
        }
        #expect(screen.text == "missed")
        terminal.end(.exited(code: 0))
        try await run
    }

    @Test("terminals are listed without being sent what they write, and ended by their ids")
    func terminals() async throws {
        let terminals = FakeTerminals()
        let peer = computer(terminals)
        let client = TerminalsClient(peer)
        #expect(try await client.list() == [])
        let created = try await client.create(TerminalRequest(shell: "bash", folder: "~"))
        #expect(created.shell == "/bin/bash" && created.folder == "/home/ada" && created.processID == 4321)
        let entry = try #require(try await client.list().first)
        #expect(entry.id == created.sessionID && entry.isAlive && entry.lastSeq == 0)
        #expect(peer.calls.last?.params == ["subscribe": false])
        #expect(peer.calls.first { $0.method == "terminal.create" }?.params["acknowledges"] == true)
        try await client.close(created.sessionID)
        #expect(terminals.terminal(0)?.isHungUp == true)
        await #expect(throws: TerminalError.sessionNotFound) { try await client.close(created.sessionID) }
    }

    @Test(
        "a computer that answers nonsense ends the client with that, or is not believed",
        arguments: [
            ("terminal.list", ["sessions": "none"]),
            ("terminal.list", 7),
            ("terminal.history", ["chunks": [["seq": 9_223_372_036_854_775_807, "data": "x"]]]),
            ("terminal.history", ["chunks": [["seq": -1, "data": "x"]]]),
            ("terminal.history", ["chunks": [["seq": 1]]]),
            ("terminal.history", [:]),
        ] as [(String, JSONValue)]
    )
    func nonsense(method: String, answer: JSONValue) async throws {
        let list: JSONValue = ["sessions": [["id": "s-1", "alive": true, "lastSeq": 3]]]
        let peer = ScriptedPeer(isSealed: false) { call in
            switch call.method {
            case method: answer
            case "terminal.list": list
            default: ["ok": true]
            }
        }
        let client = client(peer, isNew: true, ManualClock())
        await #expect(throws: RemoteError.malformedResult) { try await client.run { _ in } }
    }

    @Test("output with a number that it cannot have, or without a text, is not shown")
    func impossibleEvents() async throws {
        func output(_ seq: JSONValue, _ data: JSONValue = "bad") -> RemoteEvent {
            RemoteEvent("terminal.stdout", ["sessionId": "s-1", "seq": seq, "data": data])
        }
        let told = [
            output(.integer(.max)), output(0), output(-5), output("1"), output(1, 5), output(1, "good"),
            RemoteEvent("terminal.stdout", ["sessionId": "s-2", "seq": 2, "data": "other"]),
            RemoteEvent("terminal.exit", ["sessionId": "s-1", "exitCode": "x", "signal": "SIGHUP"]),
        ]
        let peer = ScriptedPeer(isSealed: false) { call in
            switch call.method {
            case "terminal.list": ["sessions": [["id": "s-1"]]]
            case "terminal.history": ["chunks": []]
            default: ["ok": true]
            }
        } events: {
            AsyncStream { stream in for event in told { stream.yield(event) } }
        }
        let screen = Screen()
        try await client(peer, isNew: true, ManualClock()).run { screen.show($0) }
        #expect(screen.outputs == [.text("good"), .exited(code: 0, signal: nil)])
    }

    @Test("many changes of the size become one call")
    func resize() async throws {
        let clock = ManualClock()
        let terminals = FakeTerminals()
        let peer = computer(terminals, ScriptedOutlet(), clock)
        let id = try await TerminalsClient(peer).create(TerminalRequest()).sessionID
        let client = client(peer, isNew: true, clock, id: id)
        let terminal = try #require(terminals.terminal(0))
        for columns in 100...150 { client.resize(to: try TerminalSize(columns: Int64(columns), rows: 30)) }
        async let run: Void = client.run { _ in }
        await clock.sleeper(for: TerminalClient.resizeDelay)
        clock.advance(by: TerminalClient.resizeDelay)
        while !Task.isCancelled, terminal.sizes.isEmpty { await Task.yield() }
        terminal.end(.exited(code: 0))
        try await run
        #expect(terminal.sizes == [try TerminalSize(columns: 150, rows: 30)])
    }

    @Test("a computer that is away is waited for, and one that refuses is not")
    func passingErrors() {
        struct Away: ClassifiedError {
            let isAbsence: Bool
            var facts: FailureFacts { .kind(.away, isAbsence: isAbsence) }
            let description = "It is away."
        }
        #expect(RemoteError.isPassing(Away(isAbsence: true)))
        #expect(RemoteError.isPassing(RemoteError.notConnected))
        #expect(!RemoteError.isPassing(Away(isAbsence: false)))
        #expect(!RemoteError.isPassing(RemoteError.notPaired))
    }
}
