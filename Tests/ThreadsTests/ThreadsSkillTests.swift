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

@Suite("Threads: a computer's conversations") struct ThreadsSkillTests {
    private let home: RolloutHome
    private let library: FileLibrary
    private let agents = ScriptedAgents()
    private let outlet = ScriptedOutlet()
    private let time = ManualClock()
    private let skill: ThreadsSkill
    private let client: ThreadsClient

    init() throws {
        home = try RolloutHome()
        library = home.library
        skill = ThreadsSkill(
            library: library,
            control: agents,
            outlet: outlet,
            time: time,
            logger: Logger(label: "test")
        )
        client = ThreadsClient(ScriptedPeer(skill, as: .reader, outlet: outlet))
    }

    private var thread: ThreadChoice { ThreadChoice(id: RolloutHome.id, agent: .codex) }

    @Test("a list has the documented members, states and whether a thread can be answered")
    func list() async throws {
        try home.write([RolloutHome.meta(RolloutHome.id), RolloutHome.user("Build the engine")])
        let list = try await client.list()
        let thread = try #require(list.items.first)
        #expect(list.items.count == 1)
        #expect(thread.title == "Build the engine")
        #expect(thread.workingFolder == "/home/ada/engine")
        #expect(thread.state == .idle)
        #expect(thread.canPost)
        #expect(list.total == 1)
        #expect(list.next == nil)
        let wire = try await skill.call("threads.list", ["topK": 5], as: .reader)
        #expect(wire["items"]?.arrayValue?.first?["source"] == "codex")
        #expect(wire["items"]?.arrayValue?.first?["updated_at"]?.integerValue != nil)
    }

    @Test("a list of long folders ends early rather than being too large for an answer")
    func largeList() async throws {
        let folder = "/" + String(repeating: "long/", count: 800)
        for number in 0..<120 {
            let id = "0199a1b2-c3d4-7e5f-8a9b-\(String(format: "%012d", number))"
            let meta = RolloutHome.meta(id).replacingOccurrences(of: "/home/ada/engine", with: folder)
            try home.write([meta, RolloutHome.user("Thread \(number)")], as: id)
        }
        var query = ThreadListQuery(limit: 200)
        var ids: Set<String> = []
        repeat {
            let list = try await client.list(query)
            #expect(list.wire.canonicalBytes.count < 400 << 10)
            #expect(list.total == 120)
            ids.formUnion(list.items.map(\.reference.id))
            query.cursor = list.next
        } while query.cursor != nil
        #expect(ids.count == 120)
    }

    @Test("a page ends early rather than being too large for an answer, and the pages together are the conversation")
    func largePages() async throws {
        let texts = (0..<120).map { "\($0) " + String(repeating: "wörter ", count: 1500) }
        try home.write(
            [RolloutHome.meta(RolloutHome.id), RolloutHome.user("Go")] + texts.map { RolloutHome.agent($0) }
        )
        var cursor = ConversationCursor.start
        var items: [ConversationItem] = []
        var pages = 0
        while true {
            let page = try await client.page(ThreadPageQuery(thread, .after(cursor), limit: 200))
            #expect(page.wire.canonicalBytes.count < 420 << 10)
            items += page.items
            pages += 1
            cursor = try #require(page.newer)
            if page.isEnd { break }
        }
        #expect(pages > 2)
        #expect(items.count == 121)
        #expect(Set(items.map(\.id)).count == 121)
        // The same backwards.
        var back: [ConversationItem] = []
        var part = ThreadPageQuery.Part.last
        while true {
            let page = try await client.page(ThreadPageQuery(thread, part, limit: 200))
            back = page.items + back
            guard let older = page.older else { break }
            part = .before(older)
        }
        #expect(back.map(\.id) == items.map(\.id))
    }

    @Test("one item has its whole text")
    func item() async throws {
        let text = String(repeating: "x", count: 30_000)
        try home.write([RolloutHome.meta(RolloutHome.id), RolloutHome.user("Go"), RolloutHome.agent(text)])
        let page = try await client.page(ThreadPageQuery(thread))
        let last = try #require(page.items.last)
        guard case .agentMessage(let short) = last.content else { Issue.record("\(last)"); return }
        #expect(short.isCut)
        #expect(short.text.utf8.count == ThreadLimits.pageText)
        let whole = try await client.item(
            ThreadItemQuery(thread, at: try #require(page.cursors.last), item: last.id)
        )
        guard case .agentMessage(let full) = whole.item.content else { Issue.record("\(whole)"); return }
        #expect(full.text == text)
        await #expect(throws: RemoteFailure.self) {
            try await client.item(ThreadItemQuery(thread, at: .start, item: "no such"))
        }
    }

    @Test("a file that became another one is read anew, and says so")
    func rewritten() async throws {
        try home.write([RolloutHome.meta(RolloutHome.id), RolloutHome.user("One"), RolloutHome.agent("Two")])
        let end = try #require(try await client.page(ThreadPageQuery(thread)).newer)
        try home.write([RolloutHome.meta(RolloutHome.id), RolloutHome.user("New")])
        let page = try await client.page(ThreadPageQuery(thread, .after(end)))
        #expect(page.replaces)
        #expect(page.items.count == 1)
    }

    @Test(
        "what is not there is refused with a sentence",
        arguments: ["threads.get", "threads.subscribe", "threads.post"]
    )
    func missing(method: String) async throws {
        let failure = await #expect(throws: RemoteFailure.self) {
            _ = try await skill.call(method, ["id": "nowhere", "text": "x"], as: .reader)
        }
        #expect(failure?.code == FailureCode.notFound)
    }

    @Test("a prompt goes to its thread with the folder that the history names")
    func post() async throws {
        try home.write([RolloutHome.meta(RolloutHome.id), RolloutHome.user("Go")])
        let progress = try await client.post(ThreadPrompt("On"), to: ThreadChoice(id: RolloutHome.id))
        #expect(progress.state == .running)
        let posted = await agents.posted
        #expect(posted.map(\.0.text) == ["On"])
        #expect(posted.map(\.2) == ["/home/ada/engine"])
        #expect(try await client.list(ThreadListQuery(state: .running)).items.map(\.reference.id) == [RolloutHome.id])
        #expect(try await client.list(ThreadListQuery(state: .done)).items.isEmpty)
    }

    @Test(
        "a thread that an agent has open here is answered and stopped although no list shows it",
        arguments: [true, false]
    )
    func unlisted(namesAgent: Bool) async throws {
        let reference = ThreadReference(agent: .codex, id: "unwritten")
        let choice = ThreadChoice(id: reference.id, agent: namesAgent ? .codex : nil)
        await agents.run(reference)
        #expect(try await client.list().items.isEmpty)
        let progress = try await client.post(ThreadPrompt("On"), to: choice)
        #expect(progress.state == .running && progress.thread == reference)
        let posted = await agents.posted
        #expect(posted.map(\.0.text) == ["On"])
        #expect(posted.map(\.1) == [reference])
        #expect(posted.map(\.2) == [nil])
        #expect(try await client.cancel(choice).state == .done)
        #expect(await agents.cancelled == [reference])
        // Another agent has no thread of that id.
        let failure = await #expect(throws: RemoteFailure.self) {
            try await client.post(ThreadPrompt("On"), to: ThreadChoice(id: reference.id, agent: .claudeCode))
        }
        #expect(failure?.code == FailureCode.notFound)
        #expect(await agents.posted.count == 1)
    }

    @Test("what an agent has open here is stopped although its file is of another agent")
    func stoppedWhereItRuns() async throws {
        try home.write([RolloutHome.meta(RolloutHome.id), RolloutHome.user("Go")])
        let reference = ThreadReference(agent: .claudeCode, id: RolloutHome.id)
        await agents.run(reference)
        _ = try await client.cancel(ThreadChoice(id: RolloutHome.id))
        #expect(await agents.cancelled == [reference])
    }

    @Test("a conversation that another program is at work in is not answered from here")
    func runsElsewhere() async throws {
        try home.write([
            RolloutHome.meta(RolloutHome.id), RolloutHome.user("Go"),
            RolloutHome.line("event_msg", ["type": "task_started", "turn_id": "t"]),
        ])
        let skill = skill
        let running = Task { await skill.run() }
        let changed = try await skill.library.thread(RolloutHome.id, agent: .codex)
        await skill.take(.changed(try #require(changed)))
        await skill.take(.grown(ThreadReference(agent: .codex, id: RolloutHome.id)))
        while !Task.isCancelled, try await client.list(ThreadListQuery(state: .running)).items.isEmpty {
            await Task.yield()
        }
        let failure = await #expect(throws: RemoteFailure.self) {
            try await client.post(ThreadPrompt("On"), to: ThreadChoice(id: RolloutHome.id))
        }
        #expect(failure?.code == FailureCode.busy)
        #expect(await agents.posted.isEmpty)
        running.cancel()
        await running.value
    }

    @Test("a turn that was stopped here runs no more, although its program could not write that into its file")
    func stopped() async throws {
        try home.write([
            RolloutHome.meta(RolloutHome.id), RolloutHome.user("Go"),
            RolloutHome.line("event_msg", ["type": "task_started", "turn_id": "t"]),
        ])
        let skill = skill
        let running = Task { await skill.states.run { _ in } }
        let reference = ThreadReference(agent: .codex, id: RolloutHome.id)
        await skill.take(.grown(reference))
        while !Task.isCancelled, try await client.list(ThreadListQuery(state: .running)).items.isEmpty {
            await Task.yield()
        }
        await skill.take(.state(reference, .idle))
        #expect(try await client.list().items.map(\.state) == [.idle])
        _ = try await client.post(ThreadPrompt("On"), to: ThreadChoice(id: RolloutHome.id))
        #expect(await agents.posted.count == 1)
        running.cancel()
        await running.value
    }

    @Test(
        "how a turn of another program ended is known from its file",
        arguments: [
            ("turn_aborted", AgentState.idle), ("error", .failed), ("agent_message", .done), ("token_count", .done),
        ]
    )
    func ended(last: String, state: AgentState) async throws {
        try home.write([
            RolloutHome.meta(RolloutHome.id), RolloutHome.user("Go"),
            RolloutHome.line("event_msg", ["type": "task_started", "turn_id": "t"]), RolloutHome.agent("I try."),
            RolloutHome.line("event_msg", ["type": .string(last), "message": "x", "reason": "interrupted"]),
            RolloutHome.line("event_msg", ["type": "task_complete", "turn_id": "t"]),
        ])
        let skill = skill
        let changes = Mutex<[AgentState]>([])
        let running = Task { await skill.states.run { _ in changes.withLock { $0.append(state) } } }
        await skill.take(.grown(ThreadReference(agent: .codex, id: RolloutHome.id)))
        while !Task.isCancelled, changes.withLock(\.isEmpty) { await Task.yield() }
        #expect(try await client.list().items.map(\.state) == [state])
        running.cancel()
        await running.value
    }

    @Test("why a thread failed is told with it, and only while it has failed")
    func reason() async throws {
        try home.write([RolloutHome.meta(RolloutHome.id), RolloutHome.user("Go")])
        let reference = ThreadReference(agent: .codex, id: RolloutHome.id)
        await agents.fail(reference, "Codex ended; it last said: not logged in.")
        let failed = try #require(try await client.list().items.first)
        #expect(failed.reason == "Codex ended; it last said: not logged in.")
        #expect(failed.wire["reason"] == "Codex ended; it last said: not logged in.")
        _ = try await client.post(ThreadPrompt("On"), to: thread)
        #expect(try await client.list().items.first?.reason == nil)
    }

    @Test("a thread that has no file yet is told as it was begun")
    func start() async throws {
        let thread = try await client.start(ThreadStart(.codex, in: "/tmp", ThreadPrompt("Make\na test")))
        #expect(thread.reference == ThreadReference(agent: .codex, id: "new-one"))
        #expect(thread.title == "Make a test")
        #expect(thread.state == .running)
    }

    @Test("of answers from two devices the first counts, and the second learns whose that was")
    func approvals() async throws {
        let approval = Approval(
            id: "a1",
            thread: ThreadReference(agent: .codex, id: "t"),
            milliseconds: 1,
            subject: .command(.init(line: "make")),
            options: [.init(id: "accept", kind: .allowOnce), .init(id: "decline", kind: .decline)]
        )
        await agents.open(approval)
        #expect(try await client.approvals() == [approval])
        let other = ThreadsClient(ScriptedPeer(skill, as: .other, outlet: outlet))
        let mine = client
        async let first = mine.answer(ApprovalAnswer(optionID: "accept"), to: "a1")
        async let second = other.answer(ApprovalAnswer(optionID: "decline"), to: "a1")
        let outcomes = try await [first, second]
        #expect(outcomes.filter(\.counted).count == 1)
        #expect(Set(outcomes.map(\.option)).count == 1)
        #expect(Set(outcomes.map(\.by)).count == 1)
        #expect(try await client.approvals().isEmpty)
    }

    @Test("a device whose right was taken back is told nothing more, and follows nothing")
    func revoked() async throws {
        try home.write([RolloutHome.meta(RolloutHome.id), RolloutHome.user("Go")])
        let peer = ScriptedPeer(skill, as: .reader, outlet: outlet)
        _ = try await peer.call(ThreadMethods.subscribe, ThreadSubscription(thread))
        #expect(await skill.keeper?.activities().map(\.device) == [Caller.reader.id])
        await skill.keeper?.revoke([.threadsRead], of: Caller.reader.id, keeping: [])
        #expect(await skill.keeper?.activities().isEmpty == true)
        try home.append([RolloutHome.agent("Secret")])
        await skill.take(.grown(ThreadReference(agent: .codex, id: RolloutHome.id)))
        #expect(outlet.events.isEmpty)
    }

    @Test("what the computer's own page follows does not run for a phone")
    func ownPage() async throws {
        try home.write([RolloutHome.meta(RolloutHome.id), RolloutHome.user("Go")])
        for caller in [ThreadOwner.caller, .reader] {
            let peer = ScriptedPeer(skill, as: caller, outlet: outlet)
            _ = try await peer.call(ThreadMethods.subscribe, ThreadSubscription())
        }
        #expect(await skill.keeper?.activities().map(\.device) == [Caller.reader.id])
    }

    @Test("a subscription that is not asked for again ends after 90 s")
    func lease() async throws {
        try home.write([RolloutHome.meta(RolloutHome.id), RolloutHome.user("Go")])
        let peer = ScriptedPeer(skill, as: .reader, outlet: outlet)
        _ = try await peer.call(ThreadMethods.subscribe, ThreadSubscription(thread))
        _ = try await peer.call(ThreadMethods.subscribe, ThreadSubscription())
        time.advance(by: .seconds(89))
        #expect(await skill.keeper?.activities().count == 1)
        time.advance(by: .seconds(2))
        #expect(await skill.keeper?.activities().isEmpty == true)
    }

    @Test("a device follows 32 threads at most")
    func limit() async throws {
        let ids = (0..<33).map { "0199a1b2-c3d4-7e5f-8a9b-\(String(format: "%012d", $0))" }
        for id in ids { try home.write([RolloutHome.meta(id), RolloutHome.user("Go")], as: id) }
        let peer = ScriptedPeer(skill, as: .reader, outlet: outlet)
        for id in ids.dropLast() {
            _ = try await peer.call(ThreadMethods.subscribe, ThreadSubscription(ThreadChoice(id: id)))
        }
        let failure = await #expect(throws: RemoteFailure.self) {
            _ = try await peer.call(ThreadMethods.subscribe, ThreadSubscription(ThreadChoice(id: ids[32])))
        }
        #expect(failure?.code == FailureCode.busy)
    }
}

extension Caller {
    static let reader = Caller(
        id: "did:key:z6MkReader",
        name: "Ada's phone",
        proof: .session,
        rights: [.threadsRead, .threadsWrite]
    )
    static let other = Caller(
        id: "did:key:z6MkOther",
        name: "Ada's tablet",
        proof: .session,
        rights: [.threadsRead, .threadsWrite]
    )
}
