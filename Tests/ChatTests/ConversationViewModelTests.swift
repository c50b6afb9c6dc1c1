import Accounts
import Foundation
import Kernel
import KernelTesting
import Synchronization
import Testing

@testable import Chat

/// A server, a queue and a disk that a test scripts, and what is asked of them.
private final class ConversationWorld: Sendable {
    struct State {
        var pages: [HistoryPage] = []
        var incoming: [IncomingItem] = []
        var outgoing: [OutgoingNews] = []
        var pulled: [IncomingItem] = []
        var newest: Int64 = 0
        var failure: ChatError?
        var cancels = true
        var enqueued: [OutgoingMessage] = []
        var asked: [String] = []
    }

    let state = Mutex(State())

    var asked: [String] { state.withLock(\.asked) }
    var enqueued: [OutgoingMessage] { state.withLock(\.enqueued) }

    private func ask(_ what: String) throws(ChatError) {
        let failure = state.withLock { state in
            state.asked.append(what)
            return state.failure
        }
        if let failure { throw failure }
    }

    private func stream<Value: Sendable>(_ what: String, _ values: [Value]) -> AsyncStream<Value> {
        state.withLock { $0.asked.append(what) }
        let (stream, source) = AsyncStream.makeStream(of: Value.self)
        for value in values { source.yield(value) }
        source.finish()
        return stream
    }

    var dependencies: ConversationViewModel.Dependencies {
        ConversationViewModel.Dependencies(
            incoming: { self.stream("incoming", self.state.withLock(\.incoming)) },
            outgoing: { self.stream("outgoing", self.state.withLock(\.outgoing)) },
            history: { request in
                try self.ask("history \(request.before.map { "\($0)" } ?? "newest")")
                return self.state.withLock {
                    $0.pages.isEmpty ? HistoryPage([], isEnd: true) : $0.pages.removeFirst()
                }
            },
            newest: {
                try self.ask("newest")
                return self.state.withLock(\.newest)
            },
            pull: { range in
                try self.ask("pull \(range.lowerBound)...\(range.upperBound)")
                return self.state.withLock(\.pulled)
            },
            enqueue: { message in
                try self.ask("enqueue")
                self.state.withLock { $0.enqueued.append(message) }
            },
            resend: { id in try self.ask("resend \(id)") },
            cancel: { _ in self.state.withLock(\.cancels) },
            revoke: { request in try self.ask("revoke \(request.clientMessageID)") },
            markRead: { place in try self.ask("read \(place)") },
            clear: {
                try self.ask("clear")
                return 2
            },
            setOpened: { try? self.ask("opened") },
            openIM: { request in try self.ask("open-im \(request.receiveID)") },
            resolveMedia: { messages in
                let keys = messages.flatMap(\.cacheableKeys)
                return MediaResolution(
                    urls: Dictionary(keys.compactMap { key in SignedURL("https://h/\(key)").map { (key, $0) } }) {
                        one,
                        _ in one
                    }
                )
            }
        )
    }
}

@Suite("The screen of a conversation", .timeLimit(.minutes(4)))
@MainActor
struct ConversationViewModelTests {
    let scene: ChatScene
    private let world = ConversationWorld()

    init() throws { scene = try ChatScene() }

    private func model(_ change: (inout Conversation) -> Void = { _ in }) throws -> ConversationViewModel {
        var conversation = try #require(Conversation(scene.conversation, for: scene.ada))
        change(&conversation)
        return try #require(
            ConversationViewModel(conversation, me: scene.ada, world.dependencies, time: ImmediateClock())
        )
    }

    private func page(_ range: ClosedRange<Int64>, isEnd: Bool = true) -> HistoryPage {
        HistoryPage(range.map { scene.item("\($0)", at: $0) }, isEnd: isEnd)
    }

    @Test("C2, B9: it listens before it loads, merges both, and says how far was read")
    func appears() async throws {
        let newest = page(1...2)
        let pushed = scene.item("3", at: 3)
        world.state.withLock { state in
            state.pages = [newest]
            state.incoming = [pushed]
        }
        let model = try model()
        await model.appear()
        #expect(model.timeline.rows.map(\.id) == ["1", "2", "3"])
        #expect(Array(world.asked.prefix(2)) == ["incoming", "outgoing"])
        #expect(world.asked.last == "read 3")
    }

    @Test("I4: what is missing is pulled once it had time to come by itself")
    func gap() async throws {
        let newest = page(1...1)
        let items = (2...Int64(4)).map { scene.item("\($0)", at: $0) }
        world.state.withLock { state in
            state.pages = [newest]
            state.pulled = items
        }
        let model = try model()
        await model.appear()
        let pushed = scene.item("5", at: 5)
        world.state.withLock { $0.incoming = [pushed] }
        await model.appear()
        #expect(model.timeline.rows.map(\.id) == ["1", "2", "3", "4", "5"])
        #expect(world.asked.filter { $0.hasPrefix("pull") } == ["pull 2...4"])
        await model.reconnected(newest: 5)
        #expect(world.asked.filter { $0.hasPrefix("pull") }.count == 1)
    }

    @Test(
        "Q4, Q6: a blank text stays in the field; another is a row at once, and in the queue in the order of the calls"
    )
    func sends() async throws {
        let model = try model()
        model.text = "  \n"
        model.sendText()
        #expect(model.text == "  \n")
        #expect(model.timeline.rows.isEmpty)
        #expect(model.draft == nil)
        for words in ["one ", "two"] {
            model.text = words
            model.sendText()
        }
        #expect(model.text == "")
        #expect(model.timeline.rows.map(\.content) == ["one", "two"])
        #expect(model.timeline.rows.map(\.status) == [.sending, .sending])
        #expect(world.enqueued.map(\.id) == model.timeline.rows.map(\.id))
        #expect(world.enqueued.map(\.content) == [.payload(.text("one")), .payload(.text("two"))])
    }

    @Test("I4: a screen that comes back catches up, and loads no older page for that")
    func comesBack() async throws {
        let newest = page(5...6, isEnd: false)
        let later = [scene.item("7", at: 7)]
        world.state.withLock { state in
            state.pages = [newest]
            state.pulled = later
            state.newest = 7
        }
        let model = try model()
        await model.appear()
        await model.appear()
        #expect(model.timeline.rows.map(\.id) == ["5", "6", "7"])
        #expect(
            world.asked.filter { $0.hasPrefix("history") || $0.hasPrefix("pull") } == ["history newest", "pull 7...7"]
        )
        world.state.withLock { $0.failure = .unreachable }
        await model.appear()
        #expect(model.notice == ChatError.unreachable.description)
    }

    @Test("B2, B24: a row becomes what the queue says of its id; a failed one is sent again")
    func outcomes() async throws {
        let model = try model()
        for words in ["one", "two"] {
            model.text = words
            model.sendText()
        }
        let ids = model.timeline.rows.map(\.id)
        let answer = scene.answer(ids[0], at: 1)
        world.state.withLock {
            $0.outgoing = [
                .step(.sending(id: ids[0])), .step(.sent(answer)),
                .step(.failed(id: ids[1], reason: "why", error: nil)),
            ]
        }
        await model.appear()
        #expect(model.timeline.rows.map(\.status) == [.success, .failed])
        #expect(model.timeline.own(ids[1])?.errorReason == "why")
        model.resend(ids[1])
        #expect(model.timeline.own(ids[1])?.status == .sending)
        #expect(world.asked.last == "resend \(ids[1])")
        model.resend(ids[0])
        #expect(model.notice != nil)
    }

    @Test("Q5: a queue that takes nothing leaves no row that sends for ever")
    func fullQueue() async throws {
        world.state.withLock { $0.failure = .queueFull(limit: 1) }
        let model = try model()
        model.text = "one"
        model.sendText()
        #expect(model.timeline.rows.map(\.status) == [.failed])
        #expect(model.timeline.rows[0].errorReason == ChatError.queueFull(limit: 1).description)
    }

    @Test("Q4: pictures are shown as the files that they are until they are uploaded")
    func pictures() async throws {
        let model = try model()
        let files = ["a.jpg", "b.jpg"].map { URL(fileURLWithPath: "/photos/\($0)") }
        var media = OutgoingMedia(.images, files.map { OutgoingMedia.File(source: $0.lastPathComponent) })
        model.send(media, files: files)
        let id = try #require(model.timeline.rows.first?.id)
        #expect(model.timeline.rows[0].pictures.map(\.url) == files.map(\.absoluteString))
        media.files[0].objectKey = "k/a"
        media.files[1].objectKey = "k/b"
        let uploaded = OutgoingMessage(id: id, in: scene.conversation, .media(media), createTime: 1)
        world.state.withLock { $0.outgoing = [.progress(id: id, part: 0.5), .step(.uploaded(uploaded))] }
        await model.appear()
        let row = try #require(model.timeline.own(id))
        #expect(row.pictures.map(\.objectKey) == ["k/a", "k/b"])
        #expect(row.pictures.map(\.url) == files.map(\.absoluteString))
        #expect(row.showsProgress)
    }

    @Test("C7, B20: the signal is quoted before anything typed, and opened only once the server has the quote")
    func quote() async throws {
        let model = try model {
            $0.fromSignal = true
            $0.signalID = "s-1"
            $0.signalReply = "hey"
            $0.receiveID = "31"
        }
        await model.appear()
        model.text = "typed"
        model.sendText()
        let id = SignalQuote.messageID(scene.conversation, signalID: "s-1")
        #expect(world.enqueued.map(\.id).first == id)
        #expect(model.timeline.rows.map(\.type) == [.signalQuote, .text])
        world.state.withLock { $0.outgoing = [.step(.failed(id: id, reason: "why", error: .unreachable))] }
        await model.appear()
        #expect(!model.conversation.isIMOpened)
        #expect(!world.asked.contains("opened"))
        // The row is there: it is not sent anew by opening the screen.
        #expect(world.enqueued.count == 2)
        let answer = scene.answer(id, at: 1)
        world.state.withLock { $0.outgoing = [.step(.sent(answer))] }
        await model.appear()
        #expect(model.conversation.isIMOpened)
        #expect(world.asked.filter { $0 == "opened" || $0.hasPrefix("open-im") } == ["opened", "open-im 31"])
    }

    @Test("B18, B19: a refused recall is taken back; a message that waits is taken out of the queue")
    func recall() async throws {
        let row = scene.item("a", from: scene.ada, at: 1)
        world.state.withLock { $0.pages = [HistoryPage([row], isEnd: true)] }
        let model = try model()
        await model.appear()
        world.state.withLock { $0.failure = .refused(.noPermission) }
        await model.recall("a")
        #expect(model.timeline.rows.map(\.isRecalled) == [false])
        #expect(model.notice == ChatError.refused(.noPermission).description)
        world.state.withLock { $0.failure = .refused(.alreadyRevoked) }
        await model.recall("a")
        #expect(model.timeline.rows.map(\.isRecalled) == [true])
        world.state.withLock { $0.failure = nil }
        model.text = "later"
        model.sendText()
        let id = try #require(model.timeline.rows.last?.id)
        world.state.withLock { $0.cancels = false }
        await model.recall(id)
        #expect(model.timeline.rows.count == 2)
        world.state.withLock { $0.cancels = true }
        await model.recall(id)
        #expect(model.timeline.rows.map(\.id) == ["a"])
    }

    @Test("B10: a page that did not come is said and can be asked for again")
    func pages() async throws {
        world.state.withLock { $0.failure = .unreachable }
        let model = try model()
        await model.loadMore()
        #expect(model.notice == ChatError.unreachable.description)
        let (newest, older) = (page(5...6, isEnd: false), page(1...4))
        world.state.withLock { state in
            state.failure = nil
            state.pages = [newest, older]
        }
        model.dismissNotice()
        await model.loadMore()
        await model.loadMore()
        await model.loadMore()
        #expect(model.timeline.rows.count == 6)
        #expect(world.asked.filter { $0.hasPrefix("history") } == ["history newest", "history newest", "history 5"])
    }

    @Test("L8, C4: nothing is said to be read while older messages are looked at; what could not be said is said later")
    func reading() async throws {
        let newest = page(1...2)
        world.state.withLock { $0.pages = [newest] }
        let model = try model()
        model.leftNewestEnd()
        await model.appear()
        #expect(!world.asked.contains { $0.hasPrefix("read") })
        world.state.withLock { $0.failure = .unreachable }
        await model.reachedNewestEnd()
        world.state.withLock { $0.failure = nil }
        await model.reachedNewestEnd()
        await model.reachedNewestEnd()
        #expect(world.asked.filter { $0.hasPrefix("read") } == ["read 2", "read 2"])
    }

    @Test("B8: a picture's row is there before its address")
    func media() async throws {
        let picture = scene.item("p", at: 1, .image(ImagePayload(objectKey: "k")))
        world.state.withLock { $0.pages = [HistoryPage([picture], isEnd: true)] }
        let model = try model()
        await model.appear()
        #expect(model.timeline.rows.map(\.imageURL) == ["https://h/k"])
    }

    @Test("C9: clearing hides what was there, once the server did it")
    func clear() async throws {
        let newest = page(1...2)
        world.state.withLock { $0.pages = [newest] }
        let model = try model()
        await model.appear()
        world.state.withLock { $0.failure = .unreachable }
        await model.clear()
        #expect(model.timeline.rows.count == 2)
        world.state.withLock { $0.failure = nil }
        await model.clear()
        #expect(model.timeline.rows.isEmpty)
    }
}
