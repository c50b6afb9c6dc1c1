import AgentHistory
import CommandServer
import Commands
import Conversations
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Logging
import Rights
import Synchronization
import Testing
import ThreadIndex
import Threads

@testable import ThreadsHost

/// A computer whose program is ended and begun anew, and whose events are lost, doubled and late as a seed says. Its threads lie on the disk.
private final class FlakyComputer: Peer {
    let id = "did:key:z6MkHome"
    let isSealed = true
    private let library: FileLibrary
    private let outlet = ScriptedOutlet()
    private let skill: Mutex<ThreadsSkill>
    private let running: Mutex<Task<Void, Never>>
    private let reach = Broadcaster<Bool>()
    private let events_ = Broadcaster<RemoteEvent>()
    private let passing: Mutex<Task<Void, Never>?> = Mutex(nil)

    init(_ library: FileLibrary, seed: UInt64) {
        self.library = library
        let first = Self.make(library, outlet)
        skill = Mutex(first)
        running = Mutex(Task { await first.run() })
        let told = outlet.stream(to: Caller.reader.id)
        passing.withLock { passing in
            passing = Task { [events_] in
                var random = SeededGenerator(seed: seed)
                for await event in told {
                    let copies = [0, 1, 1, 1, 2].randomElement(using: &random) ?? 1
                    for _ in 0..<copies { events_.send(event) }
                }
            }
        }
    }

    private static func make(_ library: FileLibrary, _ outlet: ScriptedOutlet) -> ThreadsSkill {
        ThreadsSkill(
            library: library,
            control: ScriptedAgents(),
            outlet: outlet,
            time: ManualClock(),
            logger: Logger(label: "test")
        )
    }

    /// The program ends and is begun anew: it knows of no subscription.
    func restart() async {
        reach.send(false)
        let next = Self.make(library, outlet)
        let last = skill.withLock { skill in
            defer { skill = next }
            return skill
        }
        let task = running.withLock { running in
            defer { running = Task { await next.run() } }
            return running
        }
        task.cancel()
        await last.close()
        await task.value
        reach.send(true)
    }

    /// The disk says that the thread grew.
    func grew() async {
        await skill.withLock(\.self).take(.grown(ThreadReference(agent: .codex, id: RolloutHome.id)))
    }

    func end() async {
        passing.withLock { $0?.cancel() }
        running.withLock(\.self).cancel()
        await skill.withLock(\.self).close()
    }

    func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        try await skill.withLock(\.self).call(method, params, as: .reader)
    }

    func events() async throws -> AsyncStream<RemoteEvent> { events_.subscribe() }
    func reachability() async throws -> AsyncStream<Bool> { reach.subscribe() }
}

/// What a phone's program keeps while it runs: it is ended and begun anew too, with the cursor that it had written down.
private actor Phone {
    private let computer: FlakyComputer
    private var reader: ThreadReader
    private(set) var ids: [String] = []
    private var task: Task<Void, Never>?
    private let clock = ManualClock()

    init(_ computer: FlakyComputer, _ thread: ThreadReference) {
        self.computer = computer
        reader = ThreadReader(thread)
    }

    func start() {
        let following = ThreadFollowing(time: clock)
        let topic = ThreadFollowing.Topic(reader.thread, after: reader.cursor ?? .start)
        if reader.cursor == nil { reader = ThreadReader(reader.thread, after: .start) }
        task = Task { [computer] in
            try? await following.follow(topic, of: computer) { try await self.take($0) }
            await following.close()
        }
    }

    func stop() async {
        task?.cancel()
        await task?.value
    }

    /// A word of the time that a subscription is renewed at: what no event told comes now.
    func renew() async {
        await clock.sleepers(1)
        clock.advance(by: .seconds(31))
    }

    private func take(_ item: JSONValue) async throws {
        if let first = item["subscribed"] { return try await take(try ThreadPage(wire: first), after: reader.cursor) }
        guard let members = item.objectValue, let name = members["event"]?.stringValue else { return }
        switch reader.take(RemoteEvent(name, members)) {
        case .add(let items): ids += items.map(\.id)
        case .replace(let items): ids = items.map(\.id)
        case .ask: try await readOn()
        case .nothing: break
        }
    }

    private func take(_ page: ThreadPage, after asked: ConversationCursor?) async throws {
        let (step, more) = reader.take(page, after: asked)
        switch step {
        case .add(let items): ids += items.map(\.id)
        case .replace(let items): ids = items.map(\.id)
        case .ask, .nothing: break
        }
        if more { try await readOn() }
    }

    private func readOn() async throws {
        while true {
            let asked = reader.cursor ?? .start
            let query = ThreadPageQuery(ThreadChoice(reader.thread), .after(asked), limit: 7)
            let page = try await ThreadsClient(computer).page(query)
            // An event, or another answer, may have come meanwhile.
            if reader.cursor == asked { return try await take(page, after: asked) }
        }
    }
}

@Suite("Threads: following") struct ThreadFollowTests {
    @Test("a subscription that is asked for while its computer's program ends is asked for anew once it is back")
    func askedAtTheEnd() async throws {
        // What it is asked first is never answered.
        let computer = ScriptedPeer { call in
            guard call.method == ThreadMethods.subscribe.name else { return [:] }
            guard call.number == 1 else { return ThreadPage(thread: nil).wire }
            // Ends once it is cancelled.
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw CancellationError()
        }
        let following = ThreadFollowing(time: ManualClock())
        let reports = LatestValue(0)
        let task = Task {
            try? await following.follow(.init(nil), of: computer) { _ in reports.update { $0 += 1 } }
        }
        _ = await computer.called(1)
        for isReached in [false, true] { computer.setReachable(isReached) }
        for await count in reports.values() where count > 0 { break }
        #expect(computer.calls.prefix(2).map(\.method) == [ThreadMethods.subscribe.name, ThreadMethods.subscribe.name])
        task.cancel()
        await task.value
        await following.close()
    }

    @Test(
        "200 restarts of either side while a thread is written, events lost and doubled: every message once, in order",
        .timeLimit(.minutes(4)),
        arguments: [1, 2] as [UInt64]
    )
    func restarts(seed: UInt64) async throws {
        let home = try RolloutHome()
        try home.write([RolloutHome.meta(RolloutHome.id), RolloutHome.user("Go")])
        let library = home.library
        let computer = FlakyComputer(library, seed: seed)
        let phone = Phone(computer, ThreadReference(agent: .codex, id: RolloutHome.id))
        var random = SeededGenerator(seed: seed)
        await phone.start()
        for round in 0..<200 {
            let lines = (0..<Int.random(in: 0...3, using: &random)).map { RolloutHome.agent("\(round).\($0)") }
            if !lines.isEmpty { try home.append(lines) }
            if Bool.random(using: &random) { await computer.grew() }
            switch Int.random(in: 0..<3, using: &random) {
            case 0: await computer.restart()
            case 1:
                await phone.stop()
                await phone.start()
            default: for _ in 0..<20 { await Task.yield() }
            }
        }
        let reader = try #require(library.readers.first)
        let path = home.path + "/" + RolloutHome.file(RolloutHome.id)
        let all = try reader.page(of: path, from: .start, limits: PageLimits(items: 100_000)).items.map(\.id)
        await phone.renew()
        while !Task.isCancelled, await phone.ids.count < all.count, !Task.isCancelled { await Task.yield() }
        #expect(await phone.ids == all)
        await phone.stop()
        await computer.end()
    }

    @Test("what an event told while the computer was asked to tell on is not told as if it were new")
    func renewed() async throws {
        let thread = ThreadReference(agent: .codex, id: "t")
        func page(_ items: [Int64], newer: Int64, isEnd: Bool = true) -> ThreadPage {
            ThreadPage(
                thread: nil,
                items: items.map {
                    ConversationItem(id: "\($0)", position: $0, content: .userMessage(ItemText("\($0)")))
                },
                newer: ConversationCursor(offset: newer),
                isEnd: isEnd
            )
        }
        let computer = AskedComputer()
        let clock = ManualClock()
        let following = ThreadFollowing(time: clock)
        let told = LatestValue<[String]>([])
        let task = Task {
            let reader = Mutex(ThreadReader(thread, after: .start))
            try await following.follow(.init(thread, after: .start), of: computer.peer) { item in
                let step = try reader.withLock { reader in
                    if let first = item["subscribed"] {
                        return reader.take(try ThreadPage(wire: first), after: .start).step
                    }
                    return reader.take(RemoteEvent("threads.items", item.objectValue ?? [:]))
                }
                told.update { told in
                    if case .add(let items) = step { told += items.map(\.id) } else { told.append("\(step)") }
                }
            }
        }
        func says(_ expected: [String]) async { for await told in told.values() where told == expected { return } }
        computer.answer(page([0], newer: 1))
        await says(["0"])
        await clock.sleepers(1)
        clock.advance(by: ThreadFollowing.renewal)
        await computer.asked(2)
        var event = page([1], newer: 2).itemMembers.merging(["id": "t", "source": "codex"]) { $1 }
        event["after"] = "1"
        computer.tell(RemoteEvent(.threadItems, event))
        await says(["0", "1"])
        computer.answer(page([1], newer: 2))
        await says(["0", "1", "nothing"])
        // A page that is not the last is followed by the next at once.
        await clock.sleepers(1)
        clock.advance(by: ThreadFollowing.renewal)
        computer.answer(page([2], newer: 3, isEnd: false))
        computer.answer(page([3], newer: 4))
        await says(["0", "1", "nothing", "2", "3"])
        #expect(computer.cursors.value == ["0", "1", "2", "3"])
        // The program that was asked ends and is begun anew: the next one is asked at once.
        await clock.sleepers(1)
        clock.advance(by: ThreadFollowing.renewal)
        await computer.asked(5)
        computer.restart()
        await computer.asked(6)
        computer.answer(page([4], newer: 5))
        await says(["0", "1", "nothing", "2", "3", "4"])
        task.cancel()
        _ = try? await task.value
        await following.close()
    }

    @Test(
        "who follows is told at once that the right was taken back, and soon that the thread is gone",
        arguments: [false, true]
    )
    func refused(isGone: Bool) async throws {
        let thread = ThreadReference(agent: .codex, id: "t")
        let computer = AskedComputer()
        let clock = ManualClock()
        let following = ThreadFollowing(time: clock)
        let (refusals, raise) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let hasBegun = LatestValue(false)
        let task = Task {
            try await following.follow(.init(thread, after: .start), of: computer.peer, refusals: refusals) { item in
                if item["subscribed"] != nil { hasBegun.set(true) }
            }
        }
        computer.answer(ThreadPage(thread: nil, newer: .start, isEnd: true))
        for await isBegun in hasBegun.values() where isBegun { break }
        let failure = RemoteFailure(code: isGone ? FailureCode.notFound : FailureCode.notAllowed, message: "No.")
        computer.refuse(failure)
        if isGone {
            computer.tell(RemoteEvent(.threadRemoved, ["id": "t", "source": "codex"]))
            await clock.sleeper(for: ThreadFollowing.absence)
            clock.advance(by: ThreadFollowing.absence)
        } else {
            raise.yield()
        }
        await #expect(throws: failure) { try await task.value }
        await following.close()
    }

    private static func followers(_ outlet: any DeviceOutlet) -> ThreadFollowers {
        ThreadFollowers(outlet: outlet, observer: nil, time: ManualClock(), logger: Logger(label: "test"))
    }

    private static func items(_ text: String) -> [String: JSONValue] {
        ["id": "t", "source": "codex", "text": .string(text)]
    }

    @Test("an event that is too large for a device is left out, and those after it come", .timeLimit(.minutes(1)))
    func tooLarge() async throws {
        let outlet = ScriptedOutlet { sent in
            guard sent.event.members["text"] == "large" else { return [sent.event] }
            throw RemoteError.resultTooLarge(bytes: 2, limit: 1)
        }
        let followers = Self.followers(outlet)
        let thread = ThreadReference(agent: .codex, id: "t")
        try await followers.follow(thread, "d")
        await followers.tell(.threadItems, Self.items("large"), of: thread)
        await followers.tell(.threadItems, Self.items("small"), of: thread)
        #expect(await outlet.arrived(1).map { $0.members["text"] } == ["small"])
        await followers.tell(.threadItems, Self.items("later"), of: thread)
        #expect(await outlet.arrived(2).map { $0.members["text"] } == ["small", "later"])
        await followers.close()
    }

    @Test(
        "a send that stands on a dead way neither holds up nor ends the device that asked again",
        .timeLimit(.minutes(1))
    )
    func deadWay() async throws {
        let death = LatestValue(false)
        let outlet = ScriptedOutlet { sent in
            guard sent.number == 1 else { return [sent.event] }
            for await isDead in death.values() where isDead { break }
            throw RemoteError.notConnected
        }
        let followers = Self.followers(outlet)
        let thread = ThreadReference(agent: .codex, id: "t")
        try await followers.follow(thread, "d")
        await followers.tell(.threadItems, Self.items("lost"), of: thread)
        await outlet.begun(1)
        await followers.tell(.threadItems, Self.items("waits"), of: thread)
        try await followers.follow(thread, "d")
        #expect(await outlet.arrived(1).map { $0.members["text"] } == ["waits"])
        death.set(true)
        await outlet.failed(1)
        // The drain that failed has its turn before this.
        for _ in 0..<100 { await Task.yield() }
        await followers.tell(.threadItems, Self.items("later"), of: thread)
        #expect(await outlet.arrived(2).map { $0.members["text"] } == ["waits", "later"])
        #expect(await followers.activities().count == 1)
        await followers.close()
    }

    @Test("a device that cannot be reached follows nothing any more", .timeLimit(.minutes(1)))
    func away() async throws {
        let outlet = ScriptedOutlet { _ in throw RemoteError.notConnected }
        let followers = Self.followers(outlet)
        let thread = ThreadReference(agent: .codex, id: "t")
        try await followers.follow(thread, "d")
        await followers.tell(.threadItems, Self.items("a"), of: thread)
        await outlet.failed(1)
        while !Task.isCancelled, await !followers.activities().isEmpty { await Task.yield() }
        await followers.tell(.threadItems, Self.items("b"), of: thread)
        try await followers.follow(thread, "d")
        await followers.tell(.threadItems, Self.items("c"), of: thread)
        await outlet.begun(2)
        await followers.close()
    }

    @Test("a page that reads slowly gets the pieces of a message together")
    func deltas() async throws {
        let isOpen = LatestValue(false)
        let outlet = ScriptedOutlet { sent in
            for await isOpen in isOpen.values() where isOpen { break }
            return [sent.event]
        }
        let followers = Self.followers(outlet)
        let thread = ThreadReference(agent: .codex, id: "t")
        try await followers.follow(thread, "d")
        func piece(_ offset: Int, _ text: String, item: String = "m") async {
            await followers.tell(
                .threadDelta,
                [
                    "id": "t", "source": "codex", "item": .string(item), "offset": .integer(Int64(offset)),
                    "text": .string(text),
                ],
                of: thread
            )
        }
        // The first is on its way; the others wait for it.
        await piece(0, "a")
        await outlet.begun(1)
        await piece(1, "bc")
        await piece(3, "d")
        await piece(9, "gap")
        await piece(0, "x", item: "n")
        isOpen.set(true)
        let events = await outlet.arrived(4)
        #expect(events.map { $0.members["text"] } == ["a", "bcd", "gap", "x"])
        await followers.close()
    }
}

/// A computer whose answers a test gives, one for each question.
private final class AskedComputer: Sendable {
    let peer: ScriptedPeer
    /// Where each question's asker was.
    let cursors: LatestValue<[String]>
    private let answers: LatestValue<[JSONValue]>
    private let refusal: LatestValue<RemoteFailure?>

    init() {
        let (cursors, answers) = (LatestValue<[String]>([]), LatestValue<[JSONValue]>([]))
        let refusal = LatestValue<RemoteFailure?>(nil)
        (self.cursors, self.answers, self.refusal) = (cursors, answers, refusal)
        peer = ScriptedPeer { call in
            if let failure = refusal.value { throw failure }
            guard call.method == ThreadMethods.subscribe.name else { return ["success": true] }
            cursors.update { $0.append(call.params["after"]?.stringValue ?? "") }
            for await waiting in answers.values() where !waiting.isEmpty {
                var answer: JSONValue?
                answers.update { answer = $0.isEmpty ? nil : $0.removeFirst() }
                if let answer { return answer }
            }
            throw CancellationError()
        }
    }

    /// Everything is refused from now on.
    func refuse(_ failure: RemoteFailure) { refusal.set(failure) }

    func asked(_ count: Int) async { for await cursors in cursors.values() where cursors.count >= count { return } }

    func answer(_ page: ThreadPage) { answers.update { $0.append(page.wire) } }

    func tell(_ event: RemoteEvent) { peer.tell(event) }

    func restart() { for isReached in [false, true] { peer.setReachable(isReached) } }
}
