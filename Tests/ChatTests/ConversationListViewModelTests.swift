import Accounts
import Kernel
import Synchronization
import Testing

@testable import Chat

/// A server and a disk that a test scripts, and what is asked of them.
private final class ListWorld: Sendable {
    struct State {
        var cached: [CachedConversation] = []
        var kept: [[CachedConversation]] = []
        var updates: [ConversationUpdate] = []
        var known: [Profile] = []
        var profileRequests: [[UserID]] = []
        var failure: ChatError?
        /// Told as soon as somebody listens, then the changes end.
        var changes: [ConversationListChange] = []
        var order: [String] = []
        var namesFail = false
    }

    let state = Mutex(State())

    private func note(_ step: String) throws(ChatError) {
        let failure = state.withLock { state in
            state.order.append(step)
            return state.failure
        }
        if let failure { throw failure }
    }

    var dependencies: ConversationListViewModel.Dependencies {
        ConversationListViewModel.Dependencies(
            cached: { self.state.withLock(\.cached) },
            keep: { rows in self.state.withLock { $0.kept.append(rows) } },
            fetch: {
                try self.note("fetch")
                return self.state.withLock(\.updates)
            },
            changes: {
                try? self.note("listen")
                let (stream, changes) = AsyncStream.makeStream(of: ConversationListChange.self)
                for change in self.state.withLock(\.changes) { changes.yield(change) }
                changes.finish()
                return stream
            },
            knownProfiles: { people in self.state.withLock { $0.known.filter { people.contains($0.person) } } },
            fetchProfiles: { people in
                self.state.withLock { $0.profileRequests.append(people) }
                try self.note("profiles")
                if self.state.withLock(\.namesFail) { throw ChatError.unreachable }
                return people.map { Profile(person: $0, name: "name \($0.number)", avatar: "") }
            },
            pin: { _, _ in try self.note("pin") },
            delete: { _ in try self.note("delete") }
        )
    }
}

@Suite("The screen of conversations", .timeLimit(.minutes(4)))
@MainActor
struct ConversationListViewModelTests {
    let scene: ChatScene
    private let world = ListWorld()
    let model: ConversationListViewModel

    init() throws {
        scene = try ChatScene()
        model = ConversationListViewModel(me: scene.ada, world.dependencies)
    }

    private func update(_ time: Int64) -> ConversationUpdate {
        ConversationUpdate(scene.conversation, unreadCount: 1, lastMessagePreview: "p\(time)", lastMessageTime: time)
    }

    @Test(
        "L2, B22: it listens first, shows what was kept, fetches, merges what changed meanwhile, and keeps the ordered list"
    )
    func appears() async throws {
        var before = ConversationList(me: scene.ada)
        before.merge(update(1))
        let cached = before.cached
        let changed = update(3)
        let fetched = update(2)
        world.state.withLock { state in
            state.cached = cached
            state.updates = [fetched]
            state.changes = [.update(changed), .online(scene.bob, true)]
        }
        await model.appear()
        #expect(world.state.withLock(\.order) == ["listen", "fetch", "profiles"])
        #expect(model.phase == .loaded)
        let row = try #require(model.list.rows.first)
        #expect(row.lastMessagePreview == "p3" && row.isOnline && row.nickname == "name 9")
        let kept = world.state.withLock(\.kept)
        #expect(kept.map { $0.map(\.lastMessagePreview) } == [["p2"], ["p3"], ["p3"]])
        #expect(kept.last?.first?.nickname == "name 9")
    }

    @Test("L4: a name that this device knows is not asked for; where the server does not answer rows stay as they are")
    func names() async {
        let updates = [update(1), ConversationUpdate(ConversationID(scene.ada, scene.cy) ?? scene.conversation)]
        world.state.withLock { state in
            state.updates = updates
            state.known = [Profile(person: scene.bob, name: "Bob", avatar: "")]
        }
        await model.appear()
        #expect(world.state.withLock(\.profileRequests) == [[scene.cy]])
        #expect(model.list[scene.conversation]?.nickname == "Bob")
    }

    @Test("L4: a server that does not say names is asked once in a run, not at every change")
    func namesOnce() async {
        let changes = (1...Int64(5)).map { ConversationListChange.update(update($0)) }
        world.state.withLock { state in
            state.changes = changes
            state.namesFail = true
        }
        await model.appear()
        #expect(world.state.withLock(\.profileRequests) == [[scene.bob]])
        #expect(model.list[scene.conversation]?.nickname == "")
    }

    @Test(
        "L7: a skeleton stands only while something loads with nothing to show, and an empty list says so only once it is loaded"
    )
    func emptiness() async {
        #expect(!model.showsSkeleton && !model.isEmpty)
        await model.appear()
        #expect(!model.showsSkeleton && model.isEmpty)
        world.state.withLock { $0.failure = .unreachable }
        await model.appear()
        #expect(model.phase == .failed(message: ChatError.unreachable.description))
        #expect(!model.isEmpty)
    }

    @Test("L6: a refused pin and a refused deletion are taken back, with the reason")
    func rollback() async {
        let fetched = update(2)
        world.state.withLock { $0.updates = [fetched] }
        await model.appear()
        world.state.withLock { $0.failure = .refused(.noPermission) }
        await model.pin(scene.conversation, true)
        #expect(model.list.rows.map(\.isPinned) == [false])
        #expect(model.notice == ChatError.refused(.noPermission).description)
        model.dismissNotice()
        await model.delete(scene.conversation)
        #expect(model.list.rows.map(\.unreadCount) == [1])
        #expect(model.notice != nil)
        world.state.withLock { $0.failure = nil }
        await model.delete(scene.conversation)
        #expect(model.list.rows.isEmpty)
    }

    @Test("B22: a second run takes the first one's place: what the first still hears changes nothing")
    func secondRun() async {
        let (stream, source) = AsyncStream.makeStream(of: ConversationListChange.self)
        let begun = LatestValue(0)
        var dependencies = world.dependencies
        let finished = dependencies.changes
        dependencies.changes = {
            let isFirst = begun.value == 0
            begun.update { $0 += 1 }
            return isFirst ? stream : finished()
        }
        let model = ConversationListViewModel(me: scene.ada, dependencies)
        let first = Task { await model.appear() }
        for await count in begun.values() where count == 1 { break }
        await model.appear()
        source.yield(.update(update(5)))
        source.finish()
        await first.value
        #expect(model.list.rows.isEmpty)
        #expect(model.phase == .loaded)
    }

    @Test("L8: what comes for the conversation on the screen is read")
    func visible() async {
        let change = ConversationListChange.message(scene.message("m", time: 5))
        world.state.withLock { $0.changes = [change] }
        model.open(scene.conversation)
        await model.appear()
        #expect(model.list.unreadTotal == 0)
        model.close(scene.conversation, draft: "half")
        await model.appear()
        #expect(model.list.unreadTotal == 1)
        #expect(model.list[scene.conversation]?.draft == "half")
    }
}
