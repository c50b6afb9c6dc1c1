import CommandClient
import Commands
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Storage
import Synchronization
import Testing

@testable import Notifications

@Suite("A person's marks on a phone", .timeLimit(.minutes(4)))
struct MarkTests {
    private func scene(canWait: Bool = true, _ ids: [String] = ["a", "b", "c"]) async throws -> PhoneScene {
        let scene = try PhoneScene(canWait: canWait)
        for id in ids { scene.computer.show(id) }
        await scene.inbox.reached()
        try await scene.inbox.refresh()
        return scene
    }

    private func ids(_ scene: PhoneScene) async throws -> [String] {
        try await scene.rows().map(\.notification.id)
    }

    @Test("a mark shows at once while the computer is away, waits, and is done when it is back")
    func waits() async throws {
        let scene = try await scene()
        await scene.inbox.lost()
        #expect(try await scene.inbox.mark(.read(["a"])) == .queued)
        #expect(try await scene.inbox.mark(.deleted(["b"])) == .queued)
        #expect(try await ids(scene) == ["c", "a"])
        let row = try #require(try await scene.rows().last)
        #expect(row.notification.isRead && row.isWaiting)
        try await scene.until { scene.presenter.onScreen == ["c"] && scene.presenter.badge == 1 }
        // Another program of the phone shows the same.
        await scene.restart()
        #expect(try await ids(scene) == ["c", "a"])
        #expect(scene.computer.unread == ["a", "b", "c"])
        try await scene.drain()
        #expect(scene.computer.unread == ["c"])
        await scene.inbox.reached()
        try await scene.inbox.refresh()
        #expect(try await ids(scene) == ["c", "a"])
        try await scene.until { try await scene.rows().allSatisfy { !$0.isWaiting } }
        #expect(scene.presenter.repeated == [])
        await scene.stop()
    }

    @Test("hundreds of marks that wait drive none of them out, and a program that ends loses none")
    func waitingHundreds() async throws {
        let all = (0..<300).map { "n\($0)" }
        let scene = try await scene(all)
        await scene.inbox.lost()
        for (number, id) in all.enumerated() where number % 3 < 2 {
            _ = try await scene.inbox.mark(number % 3 == 0 ? .read([id]) : .deleted([id]))
            if number == 150 { await scene.restart() }
        }
        #expect(try await scene.queue.commands().count == 2)
        #expect(try await scene.phone.page().total == 200)
        #expect(try await scene.phone.store.unread() == [FakeComputer.id: 100])
        try await scene.drain()
        let unread = Set(all.enumerated().filter { $0.offset % 3 == 2 }.map(\.element))
        #expect(scene.computer.unread == unread)
        #expect(scene.computer.rows.count == 200)
        await scene.inbox.reached()
        try await scene.inbox.refresh()
        try await scene.until { try await scene.rows().allSatisfy { !$0.isWaiting } }
        #expect(try await scene.rows().count == 200)
        #expect(try await scene.phone.store.unread() == [FakeComputer.id: 100])
        await scene.stop()
    }

    @Test("a mark whose command was taken into one that ends at that moment ends with it", arguments: [true, false])
    func joinedAtTheEnd(isDone: Bool) async throws {
        let scene = try await scene()
        await scene.inbox.lost()
        _ = try await scene.inbox.mark(.read(["a"]))
        let waiting = try #require(try await scene.queue.commands().first?.id)
        let mark = UUID()
        try await scene.phone.begin(.read(["b"]), at: FakeComputer.id, by: mark)
        var outcomes = scene.phone.outcomes().makeAsyncIterator()
        if isDone { try await scene.drain() } else { try await scene.queue.remove(waiting) }
        #expect(await outcomes.next()?.command == waiting)
        try await scene.phone.join(mark, to: waiting)
        await scene.phone.isQueued(mark)
        #expect(try await scene.phone.store.marks() == [])
        #expect(try await scene.rows().filter { $0.notification.isRead }.count == (isDone ? 2 : 0))
        await scene.stop()
    }

    @Test("a mark that joins a command which failed and is tried again waits with it")
    func joinedAfterRetry() async throws {
        let scene = try await scene()
        await scene.inbox.lost()
        _ = try await scene.inbox.mark(.read(["a"]))
        let waiting = try #require(try await scene.queue.commands().first?.id)
        var outcomes = scene.phone.outcomes().makeAsyncIterator()
        scene.computer.failure.withLock { $0 = RemoteFailure(code: FailureCode.badParameters, message: "no") }
        for _ in 0..<3 { try await scene.drain() }
        #expect(await outcomes.next()?.command == waiting)
        try await scene.queue.retry(waiting)
        // The phone hears of that in its own time.
        try await scene.until {
            let mark = UUID()
            try await scene.phone.begin(.read(["b"]), at: FakeComputer.id, by: mark)
            try await scene.phone.join(mark, to: waiting)
            await scene.phone.isQueued(mark)
            return try await scene.rows().contains { $0.notification.id == "b" && $0.notification.isRead }
        }
        await scene.stop()
    }

    @Test(
        "a mark made while the list comes anew has no number: what it names may stand beyond it",
        arguments: [true, false]
    )
    func whileRebuilding(deletes: Bool) async throws {
        let computer = FakeComputer()
        let store = NotificationStore(try StateDatabase.inMemory(schema: [NotificationStore.migrations]))
        for id in ["a", "b", "c"] { computer.show(id) }
        let all = computer.rows.values.sorted { $0.id < $1.id }
        for (reached, hasMore) in [(3, false), (1, true)] {
            let answer = NotificationChanges(
                epoch: "epoch-1",
                changes: all.prefix(reached).map { .kept($0) },
                reached: Int64(reached),
                hasMore: hasMore,
                isFromStart: true,
                unreadCount: 3,
                history: 0
            )
            let asked = try await store.position(of: "home")
            _ = try await store.apply(answer, asked: asked, from: "home")
        }
        let mark: NotificationMark = deletes ? .deleted(["a", "c"]) : .read(["a", "c"])
        #expect(try await store.mark(mark, at: "home", by: UUID()).mark == mark)
    }

    @Test("a deletion that waits is said in the list until it is done, and its end is told")
    func waitingDeletion() async throws {
        let scene = try await scene()
        await scene.inbox.lost()
        _ = try await scene.inbox.mark(.deleted(["b"]))
        for computer in [nil, FakeComputer.id] { #expect(try await scene.phone.page(of: computer).isWaiting) }
        #expect(try await !scene.phone.page(of: "another").isWaiting)
        var news = scene.phone.news().makeAsyncIterator()
        try await scene.drain()
        #expect(try await news.next()?.isSettled == true)
        #expect(try await !scene.phone.page().isWaiting)
        await scene.stop()
    }

    @Test("a list of one computer says up to where all of it is, also when only unread ones are asked for")
    func reach() async throws {
        let scene = try await scene()
        _ = scene.computer.read("c")
        try await scene.inbox.refresh()
        let routes = PhoneSide(
            scene.phone,
            ScriptedComputers(ScriptedPeer(answering: [:]), part: scene.inbox, queue: scene.queue)
        )
        let unread = try await routes.list(.init(device: FakeComputer.id, unread: true))
        #expect(unread["upTo"] == 4)
        #expect(try await routes.list(.init(device: nil))["upTo"] == nil)
        // What comes after that list stays; what it did not show is in it all the same.
        scene.computer.show("later")
        try await scene.inbox.refresh()
        await scene.inbox.lost()
        _ = try await scene.inbox.mark(.cleared(upTo: unread["upTo"]?.integerValue))
        try await scene.drain()
        #expect(Set(scene.computer.rows.keys) == ["later"])
        await scene.stop()
    }

    @Test("a banner that is marked while it is being shown does not come again where the mark is lost with the program")
    func lostWhileShowing() async throws {
        let computer = FakeComputer()
        let store = NotificationStore(try StateDatabase.inMemory(schema: [NotificationStore.migrations]))
        let asked = try await store.position(of: "home")
        computer.show("a")
        computer.show("b")
        let answer = NotificationChanges(
            epoch: "epoch-1",
            changes: computer.rows.values.sorted { $0.id < $1.id }.map { .kept($0) },
            reached: 2,
            hasMore: false,
            isFromStart: true,
            unreadCount: 2,
            history: 0
        )
        _ = try await store.apply(answer, asked: asked, from: "home")
        #expect(try await store.beginShowing().map(\.kept.notification.id) == ["a", "b"])
        let command = UUID()
        _ = try await store.mark(.read(["a"]), at: "home", by: command)
        // The program ends here: nothing was noted, and no command waits.
        _ = try await store.end(command, isDone: false)
        #expect(try await store.unread() == ["home": 2])
        #expect(try await store.toWithdraw().map(\.notification) == ["a"])
        #expect(try await store.beginShowing().map(\.kept.notification.id) == ["b"])
    }

    @Test(
        "a row that the computer changed quietly before a mark of all came is not marked there, so it shows here again",
        arguments: [true, false]
    )
    func changedMeanwhile(isToldFirst: Bool) async throws {
        let scene = try await scene()
        await scene.inbox.lost()
        let seen = try await scene.phone.store.position(of: FakeComputer.id).after
        _ = try await scene.inbox.mark(.cleared(upTo: seen))
        #expect(try await scene.rows().isEmpty)
        _ = scene.computer.progress("b")
        if isToldFirst { try await scene.inbox.refresh() }
        try await scene.drain()
        try await scene.inbox.refresh()
        #expect(Set(scene.computer.rows.keys) == ["b"])
        #expect(try await scene.rows().map(\.notification.id) == ["b"])
        await scene.stop()
    }

    @Test(
        "what wants to be noticed under the same id after the mark is not marked; what only changes, as progress, is",
        arguments: [true, false],
        [true, false]
    )
    func replacedMeanwhile(deletes: Bool, isLoud: Bool) async throws {
        let scene = try await scene()
        await scene.inbox.lost()
        _ = try await scene.inbox.mark(deletes ? .deleted(["a", "b"]) : .read(["a", "b"]))
        let command = try #require(try await scene.queue.commands().first)
        #expect(try JSONValue(parsing: command.paramsJSON.utf8)["upTo"] == 3)
        if isLoud { scene.computer.show("a") } else { _ = scene.computer.progress("a") }
        try await scene.drain()
        let unread: Set = isLoud ? ["a", "c"] : ["c"]
        #expect(scene.computer.unread == unread)
        #expect(scene.computer.rows["b"] == nil || !deletes)
        await scene.inbox.reached()
        try await scene.inbox.refresh()
        #expect(Set(try await scene.rows().filter { !$0.notification.isRead }.map(\.notification.id)) == unread)
        try await scene.until { try await scene.rows().allSatisfy { !$0.isWaiting } }
        await scene.stop()
    }

    @Test("marks that were made by what was seen at different times wait as commands of their own")
    func joinedByNumber() async throws {
        let scene = try await scene()
        await scene.inbox.lost()
        _ = try await scene.inbox.mark(.read(["a"]))
        _ = try await scene.inbox.mark(.read(["b"]))
        scene.computer.show("d")
        try await scene.inbox.refresh()
        _ = try await scene.inbox.mark(.read(["d"]))
        let commands = try await scene.queue.commands().map { try JSONValue(parsing: $0.paramsJSON.utf8) }
        #expect(commands.map { $0["upTo"] } == [3, 4])
        try await scene.drain()
        #expect(scene.computer.unread == ["c"])
        await scene.stop()
    }

    @Test("what is marked read first, here or elsewhere, is cleared all the same, and does not come back in between")
    func readThenCleared() async throws {
        let scene = try await scene()
        await scene.inbox.lost()
        let seen = try await scene.phone.store.position(of: FakeComputer.id).after
        _ = scene.computer.read("c")
        _ = try await scene.inbox.mark(.read(["a"]))
        _ = try await scene.inbox.mark(.allRead(upTo: seen))
        _ = try await scene.inbox.mark(.cleared(upTo: seen))
        // The marks come one after the other, and what the first did is told before the last is done.
        _ = scene.computer.read("b")
        try await scene.inbox.refresh()
        #expect(try await ids(scene) == [])
        try await scene.drain()
        #expect(scene.computer.rows.isEmpty)
        try await scene.inbox.refresh()
        #expect(try await ids(scene) == [])
        await scene.stop()
    }

    @Test("what stands at a marked row is read as it was written, and no other text is")
    func rowMarks() throws {
        let command = UUID()
        let marks: [NotificationMark] = [
            .read(["a"]), .deleted(["a"], upTo: 3), .allRead(upTo: nil), .cleared(upTo: 7),
            .forgotten(OldNotifications(before: 1_700_000_000_000)),
        ]
        for mark in marks.map({ RowMark(command, $0) }) {
            #expect(RowMark(mark.text) == mark)
            #expect(RowMark.texts(of: command).contains(mark.text))
            #expect(!RowMark.texts(of: UUID()).contains(mark.text))
        }
        for text in ["x", ":", ":n", ":nx", ":z1", "\(command.uuidString):"] { #expect(RowMark(text) == nil) }
        #expect(RowMark("")?.reach == .named)
    }

    @Test("all means what the person had seen")
    func upTo() async throws {
        let scene = try await scene()
        await scene.inbox.lost()
        let routes = PhoneSide(
            scene.phone,
            ScriptedComputers(ScriptedPeer(answering: [:]), part: scene.inbox, queue: scene.queue)
        )
        let seen = try await routes.seen(nil)
        #expect(seen == 3)
        _ = try await scene.inbox.mark(.allRead(upTo: seen))
        scene.computer.show("later")
        try await scene.drain()
        #expect(scene.computer.unread == ["later"])
        await scene.stop()
    }

    @Test(
        "a mark that a computer stopped in may be done again: no mark stays in the queue as one that somebody has to look after",
        arguments: [
            .read(["a"], upTo: 3), .allRead(upTo: 3), .deleted(["a"], upTo: 3), .cleared(upTo: 3),
            .forgotten(OldNotifications(before: 3)),
        ] as [NotificationMark]
    )
    func repeatable(mark: NotificationMark) {
        #expect(mark.call.method.mayWait)
        #expect(mark.call.method.isRepeatable)
    }

    @Test("what the computer refuses is as it was before, in its place")
    func refused() async throws {
        let scene = try await scene(canWait: false)
        scene.computer.failure.withLock { $0 = RemoteFailure(code: FailureCode.notAllowed, message: "no") }
        await #expect(throws: RemoteFailure.self) { try await scene.inbox.mark(.deleted(["b"])) }
        #expect(try await ids(scene) == ["c", "b", "a"])
        await #expect(throws: RemoteFailure.self) { try await scene.inbox.mark(.allRead(upTo: nil)) }
        #expect(try await scene.rows().allSatisfy { !$0.notification.isRead })
        scene.computer.failure.withLock { $0 = nil }
        #expect(try await scene.inbox.mark(.deleted(["b"])) == .done(count: 1))
        #expect(try await ids(scene) == ["c", "a"])
        await scene.stop()
    }

    @Test("a command that is taken out of the queue, or fails, takes its mark back", arguments: [true, false])
    func takenOut(isRemoved: Bool) async throws {
        let scene = try await scene()
        await scene.inbox.lost()
        _ = try await scene.inbox.mark(.deleted(["b"]))
        #expect(try await ids(scene) == ["c", "a"])
        if isRemoved {
            try await scene.queue.clear()
        } else {
            scene.computer.failure.withLock { $0 = RemoteFailure(code: FailureCode.badParameters, message: "no") }
            for _ in 0..<3 { try await scene.drain() }
        }
        try await scene.until { try await ids(scene) == ["c", "b", "a"] }
        await scene.stop()
    }

    @Test("one that is shown again is not what the person marked")
    func shownAgain() async throws {
        let scene = try await scene()
        await scene.inbox.lost()
        _ = try await scene.inbox.mark(.allRead(upTo: 3))
        scene.computer.show("a")
        try await scene.inbox.refresh()
        #expect(try await scene.rows().filter { !$0.notification.isRead }.map(\.notification.id) == ["a"])
        #expect(scene.presenter.shown.map(\.id) == ["a", "b", "c", "a"])
        await scene.stop()
    }

    @Test("what is read or deleted elsewhere leaves the screen")
    func elsewhere() async throws {
        let scene = try await scene()
        _ = scene.computer.read("a")
        _ = scene.computer.delete("b")
        try await scene.inbox.refresh()
        #expect(scene.presenter.onScreen == ["c"])
        #expect(try await ids(scene) == ["c", "a"])
        await scene.stop()
    }

    @Test("a mark that names nothing, or too much, is refused here")
    func invalid() async throws {
        let scene = try await scene()
        await #expect(throws: RemoteError.self) { try await scene.inbox.mark(.read([])) }
        await #expect(throws: RemoteError.self) {
            try await scene.inbox.mark(.deleted((0...500).map { "n\($0)" }))
        }
        await scene.stop()
    }
}
