import Clipboard
import CommandClient
import Commands
import Kernel
import KernelTesting
import Logging
import Sealing
import Signaling
import SignalingTesting
import Synchronization
import SystemInfo
import Terminal
import Testing
import Transport

@testable import TandemDesktop

@Suite("The door for phones in the clear", .timeLimit(.minutes(4)))
struct ClearDoorTests {
    private static let computer = "9f0c6a1be2d34775a1c0ffee00d15ea5"
    private static let phone = "did:key:z6MkExampleDocumentedPhone"

    /// What happened, in order.
    private final class Notes<Element: Sendable>: Sendable {
        private let elements = Mutex<[Element]>([])
        var all: [Element] { elements.withLock(\.self) }
        func add(_ element: Element) { elements.withLock { $0.append(element) } }
    }

    /// What takes the commands of a computer with our features.
    private static func hands(
        _ answer: @escaping @Sendable (CommandRequest) async -> CommandResponse
    ) -> ClearDoor.Hands {
        let methods = SystemMethods.all + ClipboardMethods.all + TerminalMethods.all
        return ClearDoor.Hands(
            answer: { request, _, _ in await answer(request) },
            cancel: { _, _, _ in },
            methods: MethodCatalogue(methods),
            policy: RemoteCallPolicy(methods)
        )
    }

    /// A door at a relay in memory, that answers each command with its parameters.
    private final class Scene: Sendable {
        let relay = InMemoryRelay(.documented)
        let clock = ManualClock()
        let door: ClearDoor
        let computer: InMemorySignalClient
        let phone: InMemorySignalClient
        let asked = Notes<CommandRequest>()
        private let messages: AsyncStream<SignalEvent>
        private let task: Task<Void, Never>

        init(startsDoor: Bool = true) async throws {
            computer = relay.client()
            phone = relay.client()
            messages = phone.messages()
            let known = try DID(ClearDoorTests.phone)
            let asked = asked
            door = ClearDoor(
                isKnown: { $0 == known },
                time: clock,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            await door.open(at: [.init(client: computer, kind: .lan)])
            let hands = ClearDoorTests.hands { request in
                asked.add(request)
                return CommandResponse(id: request.id, outcome: .success(request.params))
            }
            task = Task { [door] in await door.run(phones: AsyncStream { $0.yield([known]) }, hands: hands) }
            try await phone.start(as: ClearDoorTests.phone, device: SignalDevice(category: .mobile))
            if startsDoor { try await computer.start(as: ClearDoorTests.computer) }
        }

        deinit { task.cancel() }

        func ask(_ method: String, _ params: JSONValue = [:], id: JSONValue) async throws {
            let envelope: JSONValue = [
                "type": "chainlesschain:command:request",
                "payload": ["id": id, "method": .string(method), "params": params],
            ]
            try await phone.send(SignalMessage(to: ClearDoorTests.computer, payload: envelope))
        }

        /// The next payload that reaches the phone.
        func payload() async throws -> JSONValue {
            for await case .message(let message) in messages { return message.payload }
            throw CancellationError()
        }
    }

    @Test("keys are typed in the order they came in, though they carry no number")
    func order() async throws {
        let scene = try await Scene()
        for index in Int64(0)..<50 {
            try await scene.ask("terminal.stdin", ["n": .integer(index)], id: .integer(index))
        }
        for _ in 0..<50 { _ = try await scene.payload() }
        #expect(scene.asked.all.map { $0.params["n"]?.integerValue } == (0..<50).map(Int64.init))
    }

    @Test("a command that a server kept while the computer was away is answered as too late, unless it may wait")
    func kept() async throws {
        let scene = try await Scene(startsDoor: false)
        try await scene.ask("system.getStatus", id: "late")
        try await scene.ask("clipboard.set", ["content": "x"], id: "waits")
        try await scene.computer.start(as: Self.computer)
        let answers = [try await scene.payload(), try await scene.payload()]
        let late = try #require(answers.first { $0["payload"]?["id"] == "late" })
        #expect(late["payload"]?["code"] == -32002)
        let done = try #require(answers.first { $0["payload"]?["id"] == "waits" })
        #expect(done["payload"]?["result"] == ["content": "x"])
        #expect(scene.asked.all.map(\.method) == ["clipboard.set"])
    }

    @Test("an answer makes a contact of a paired phone and none of a stranger")
    func contacts() async throws {
        let scene = try await Scene()
        let stranger = scene.relay.client()
        var answers = stranger.messages().makeAsyncIterator()
        try await stranger.start(as: Identity().did.text, device: SignalDevice(category: .mobile))
        let request: JSONValue = [
            "type": "chainlesschain:command:request",
            "payload": ["id": 1, "method": "system.ping", "params": [:]],
        ]
        try await stranger.send(SignalMessage(to: Self.computer, payload: request))
        var isAnswered = false
        while !isAnswered, let event = await answers.next() {
            if case .message = event { isAnswered = true }
        }
        #expect(scene.computer.sent.map(\.makesContact) == [false])
        try await scene.ask("system.ping", id: 1)
        _ = try await scene.payload()
        #expect(scene.computer.sent.map(\.makesContact) == [false, true])
    }

    @Test(
        "an event goes to a phone that is there, before it has asked anything and after it came back, and not to one that has left"
    )
    func events() async throws {
        let scene = try await Scene()
        let did = try DID(Self.phone)
        let event = RemoteEvent("clipboard.changed", ["type": "text"])
        while !Task.isCancelled, await scene.door.path(to: did) == nil { await Task.yield() }
        try await scene.door.send(event, to: did)
        #expect(try await scene.payload() == event.envelope)
        try await scene.ask("system.ping", id: 1)
        _ = try await scene.payload()
        try await scene.door.send(event, to: did)
        #expect(try await scene.payload() == event.envelope)
        await scene.phone.disconnect()
        while !Task.isCancelled, await scene.door.path(to: did) != nil { await Task.yield() }
        await #expect(throws: RemoteError.notConnected) { try await scene.door.send(event, to: did) }
        try await scene.phone.start(as: Self.phone, device: SignalDevice(category: .mobile))
        while !Task.isCancelled, await scene.door.path(to: did) == nil { await Task.yield() }
        try await scene.door.send(event, to: did)
        #expect(try await scene.payload() == event.envelope)
    }

    @Test("a phone is sent a mebibyte of events a second, and of more that wait the rest is refused")
    func pace() async throws {
        let scene = try await Scene()
        let did = try DID(Self.phone)
        try await scene.ask("system.ping", id: 1)
        _ = try await scene.payload()
        let event = RemoteEvent("terminal.stdout", ["data": .string(String(repeating: "x", count: 200 * 1024))])
        try await scene.door.send(event, to: did)
        let sent = Notes<Void>()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<(ClearDoor.eventLimit + 1) {
                group.addTask {
                    do {
                        try await scene.door.send(event, to: did)
                        sent.add(())
                        return true
                    } catch {
                        return error as? RemoteError != .tooManyWaiting(limit: ClearDoor.eventLimit)
                    }
                }
            }
            // One is refused at once, and the others wait for their turn.
            #expect(await group.next() == false)
            await scene.clock.sleepers(ClearDoor.eventLimit)
            #expect(sent.all.isEmpty)
            scene.clock.advance(by: .seconds(60))
            while let isFine = await group.next() { #expect(isFine) }
        }
        #expect(sent.all.count == ClearDoor.eventLimit)
    }

    @Test("more keys than may wait are refused as busy, and the phone hears of each")
    func bounded() async throws {
        let relay = InMemoryRelay(.documented)
        let computer = relay.client()
        let phone = relay.client()
        let messages = phone.messages()
        let known = try DID(Self.phone)
        let gate = AsyncStream.makeStream(of: Void.self)
        let opened = Mutex<AsyncStream<Void>?>(gate.stream)
        let door = ClearDoor(
            isKnown: { $0 == known },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        await door.open(at: [.init(client: computer, kind: .lan)])
        let hands = Self.hands { request in
            // The first one stands until the test lets go.
            if let stream = opened.withLock({ stream in
                defer { stream = nil }
                return stream
            }) {
                for await _ in stream {}
            }
            return CommandResponse(id: request.id, outcome: .success([:]))
        }
        let task = Task { await door.run(phones: AsyncStream { $0.yield([known]) }, hands: hands) }
        defer { task.cancel() }
        try await computer.start(as: Self.computer)
        try await phone.start(as: Self.phone, device: SignalDevice(category: .mobile))
        let count = ClearDoor.waitingLimit + 10
        for index in 0..<count {
            let request: JSONValue = [
                "type": "chainlesschain:command:request",
                "payload": ["id": .integer(Int64(index)), "method": "terminal.stdin", "params": [:]],
            ]
            try await phone.send(SignalMessage(to: Self.computer, payload: request))
        }
        var answers: [JSONValue] = []
        for await case .message(let message) in messages {
            answers.append(message.payload)
            // All but the one that runs and those that wait behind it.
            if answers.count == count - ClearDoor.waitingLimit - 1 { gate.continuation.finish() }
            if answers.count == count { break }
        }
        let refused = answers.filter { $0["payload"]?["code"] == -32005 }
        // The first may still wait for its turn while the others come.
        #expect((count - ClearDoor.waitingLimit - 1...count - ClearDoor.waitingLimit).contains(refused.count))
    }
}
