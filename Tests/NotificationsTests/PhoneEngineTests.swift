import Commands
import FeatureTesting
import Foundation
import GRDB
import Kernel
import KernelTesting
import Rights
import Synchronization
import Testing

@testable import Notifications

@Suite("A phone's notifications over a bad line", .timeLimit(.minutes(10)))
struct PhoneEngineTests {
    /// Loses, doubles and reorders, as a seed says.
    private final class Faults: Sendable {
        private let random: Mutex<SeededGenerator>
        private let isBad = Mutex(true)

        init(seed: UInt64) { random = Mutex(SeededGenerator(seed: seed)) }

        func end() { isBad.withLock { $0 = false } }

        func lost() -> (request: Bool, answer: Bool) {
            guard isBad.withLock(\.self) else { return (false, false) }
            return random.withLock { ($0.chance(0.15), $0.chance(0.15)) }
        }
    }

    @Test("each alert is shown once, and the state is the computer's at the end", arguments: 0..<20 as Range<UInt64>)
    func exactlyOnce(seed: UInt64) async throws {
        let faults = Faults(seed: seed &+ 1000)
        let scene = try PhoneScene { faults.lost() }
        let (computer, presenter) = (scene.computer, scene.presenter)
        var random = SeededGenerator(seed: seed)
        var events: [NotificationEvent] = []
        var isReached = false
        let marks = OwnedTasks()
        for step in 0..<2000 {
            let id = "n\(Int.random(in: 0..<300, using: &random))"
            let event: NotificationEvent?
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<50: event = computer.show(id, silenced: random.chance(0.1))
            case 50..<65: event = computer.progress(id)
            case 65..<80: event = computer.read(id)
            case 80..<86: event = computer.delete(id)
            case 86..<90:
                let inbox = scene.inbox
                let mark: NotificationMark = random.chance(0.5) ? .read([id]) : .deleted([id])
                marks.add { _ = try? await inbox.mark(mark) }
                event = nil
            case 90..<92:
                try? await scene.drain()
                event = nil
            default: event = nil
            }
            if let event, isReached, !random.chance(0.3) {
                events.insert(
                    event,
                    at: random.chance(0.3) ? Int.random(in: 0...events.count, using: &random) : events.count
                )
                if random.chance(0.2) { events.append(event) }
            }
            if !events.isEmpty, random.chance(0.8) {
                await scene.inbox.receive(events.removeFirst().event, number: nil)
            }
            if random.chance(0.02) {
                isReached.toggle()
                if isReached { await scene.inbox.reached() } else { await scene.inbox.lost() }
            }
            if random.chance(0.05) { scene.clock.advance(by: .seconds(Int.random(in: 1...12, using: &random))) }
            if random.chance(0.01) { presenter.stick() }
            if random.chance(0.005) {
                await scene.restart()
                events = []
                isReached = true
                await scene.inbox.reached()
            }
            if step % 10 == 0 { await Task.yield() }
        }
        faults.end()
        presenter.release()
        await scene.restart()
        try await scene.drain()
        await marks.end()
        try await scene.drain()
        try await scene.until { try await scene.phone.store.marks().isEmpty }
        await scene.inbox.reached()
        try await scene.inbox.refresh()
        await scene.phone.shown()

        let rows = try await scene.rows()
        #expect(Set(rows.map(\.notification.id)) == Set(computer.rows.keys))
        #expect(Set(rows.filter { !$0.notification.isRead }.map(\.notification.id)) == computer.unread)
        #expect(rows.allSatisfy { $0.notification.body == computer.rows[$0.notification.id]?.body })
        #expect(presenter.repeated == [])
        // What is unread and not silenced was shown, under the number that it has.
        let shown = Set(presenter.shown)
        for row in computer.rows.values where !row.isRead && !row.isSilenced {
            let alert = try #require(row.alert)
            #expect(shown.contains(.init(id: row.id, alert: alert)))
            #expect(presenter.onScreen.contains(row.id))
        }
        // Nothing that is read or gone is on the screen.
        #expect(presenter.onScreen.isSubset(of: computer.unread))
        #expect(presenter.badge == computer.unread.count)
        await scene.stop()
    }

    @Test("what came while the phone was not allowed to be told is asked for as soon as it is")
    func allowedAgain() async throws {
        let scene = try PhoneScene()
        scene.computer.failure.withLock { $0 = RemoteFailure(code: FailureCode.notAllowed, message: "no") }
        scene.computer.show("a")
        await scene.inbox.reached()
        try await scene.until { scene.computer.failed.withLock(\.self) == 1 }
        scene.computer.failure.withLock { $0 = nil }
        await scene.inbox.allowed([])
        await scene.inbox.allowed([.notification])
        try await scene.until { scene.presenter.shown.count == 1 }
        #expect(scene.computer.syncs.count == 1)
        await scene.stop()
    }

    @Test("a computer that begins anew before it has answered is asked again; what a person sends is sent once")
    func beginsAnew() async throws {
        let scene = try PhoneScene()
        scene.computer.show("a")
        await scene.inbox.reached()
        try await scene.until { scene.presenter.shown.count == 1 }
        let message = NewNotification(title: "Tea", body: "")
        await #expect(throws: RemoteFailure.self) { try await scene.inbox.commands.send(message) }
        #expect(scene.computer.repeatable.withLock(\.self) == [NotificationMethods.sync.name])
        await scene.stop()
    }

    @Test(
        "events that go on from where the phone stands need no question, a gap asks, and a second later they are acknowledged"
    )
    func acknowledgement() async throws {
        let scene = try PhoneScene()
        let (computer, inbox) = (scene.computer, scene.inbox)
        computer.show("a")
        await inbox.reached()
        try await scene.until { scene.presenter.shown.count == 1 }
        // The page was kept, and is acknowledged.
        await scene.clock.sleepers()
        scene.clock.advance(by: NotificationInbox.acknowledgement)
        try await scene.until { computer.syncs.count == 2 }
        #expect(computer.syncs.map(\.after) == [0, 1])

        await inbox.receive(computer.show("b").event, number: 7)
        await inbox.receive(computer.show("c").event, number: nil)
        try await scene.until { scene.presenter.shown.map(\.id) == ["a", "b", "c"] }
        #expect(computer.syncs.count == 2)
        await scene.clock.sleepers()
        scene.clock.advance(by: NotificationInbox.acknowledgement)
        try await scene.until { computer.syncs.count == 3 }
        #expect(computer.syncs.last?.after == 3)

        computer.show("lost")
        await inbox.receive(computer.show("d").event, number: nil)
        try await scene.until { scene.presenter.shown.map(\.id) == ["a", "b", "c", "lost", "d"] }
        #expect(computer.syncs.last?.after != 2)
        await scene.stop()
    }

    @Test("another database shows nothing again, and what it has not is gone")
    func epoch() async throws {
        let scene = try PhoneScene()
        let computer = scene.computer
        for id in ["a", "b", "c"] { computer.show(id) }
        await scene.inbox.reached()
        try await scene.inbox.refresh()
        #expect(scene.presenter.shown.count == 3)
        computer.restore(dropping: ["b"])
        computer.show("new")
        try await scene.inbox.refresh()
        #expect(scene.presenter.shown.map(\.id) == ["a", "b", "c", "new"])
        #expect(Set(try await scene.rows().map(\.notification.id)) == ["a", "c", "new"])
        #expect(scene.presenter.onScreen == ["a", "c", "new"])
        // Shown again there, it is shown again here.
        computer.show("a")
        try await scene.inbox.refresh()
        #expect(scene.presenter.shown.last?.id == "a")
        await scene.stop()
    }

    @Test("a list that comes anew shows nothing that this phone has deleted or let go, in whatever epoch it comes")
    func notAgain() async throws {
        let scene = try PhoneScene()
        let computer = scene.computer
        for id in ["a", "b", "c"] { computer.show(id) }
        await scene.inbox.reached()
        try await scene.inbox.refresh()
        let earlier = computer.earlier
        _ = computer.delete("b")
        computer.show("d")
        try await scene.inbox.refresh()
        #expect(scene.presenter.shown.map(\.id) == ["a", "b", "c", "d"])

        // The same epoch, with numbers that this phone had before.
        computer.restore(earlier)
        computer.show("e")
        try await scene.inbox.refresh()
        #expect(scene.presenter.shown.map(\.id) == ["a", "b", "c", "d", "e"])
        #expect(Set(try await scene.rows().map(\.notification.id)) == ["a", "b", "c", "e"])

        // Another epoch.
        _ = computer.delete("b")
        try await scene.inbox.refresh()
        computer.restore(earlier)
        computer.restore()
        computer.show("f")
        try await scene.inbox.refresh()
        #expect(scene.presenter.shown.map(\.id) == ["a", "b", "c", "d", "e", "f"])
        #expect(scene.presenter.onScreen == ["a", "c", "f"])
        #expect(scene.presenter.repeated == [])
        await scene.stop()
    }

    @Test(
        "the first list is history up to the pairing, or all of it where the computer does not know; later ones are shown",
        arguments: [600, nil] as [Int64?]
    )
    func first(history: Int64?) async throws {
        let scene = try PhoneScene()
        let computer = scene.computer
        computer.history.withLock { $0 = history }
        for number in 1...610 { computer.show("n\(number)") }
        let news = scene.phone.news()
        // The first page, and no more before the program ends.
        let asked = try await scene.phone.store.position(of: FakeComputer.id)
        let query = NotificationSyncQuery(epoch: asked.epoch, after: asked.after)
        let wire = try computer.call(NotificationMethods.sync.name, query.wire)
        let page = try NotificationChanges(wire: wire)
        #expect(page.hasMore)
        await scene.phone.take(
            try await scene.phone.store.apply(page, asked: asked, from: FakeComputer.id).news
        )
        for await first in news {
            #expect(first.new.isEmpty && first.banners.isEmpty && first.changed.count == 200)
            break
        }
        await scene.restart()
        // Wants to be noticed again while the rest is still to come.
        computer.show("n5")
        await scene.inbox.reached()
        try await scene.inbox.refresh()
        let late = history == nil ? [] : (601...610).map { "n\($0)" }
        #expect(scene.presenter.shown.map(\.id) == late + ["n5"])
        try await scene.until { scene.presenter.badge == 610 }

        computer.show("new")
        try await scene.inbox.refresh()
        #expect(scene.presenter.shown.map(\.id) == late + ["n5", "new"])
        #expect(scene.presenter.badge == 611)
        await scene.stop()
    }

    @Test("ten thousand that waited come page by page, each once, and the newest two thousand are kept")
    func manyWaited() async throws {
        let scene = try PhoneScene()
        for number in 0..<10_000 { scene.computer.show("n\(number)") }
        await scene.inbox.reached()
        try await scene.inbox.refresh()
        #expect(Set(scene.presenter.shown).count == 10_000)
        #expect(scene.presenter.repeated == [])
        let rows = try await scene.rows()
        #expect(rows.count == 2000)
        #expect(rows.first?.notification.id == "n9999")
        // One of those that left this phone is changed: it is not new.
        _ = scene.computer.progress("n5")
        try await scene.inbox.refresh()
        #expect(scene.presenter.shown.count == 10_000)
        await scene.stop()
    }

    @Test("while a phone is behind, what a computer sends has a bound in bytes, too: the newest stay")
    func bytesWhileBehind() async throws {
        var bounds = NotificationStore.Bounds()
        bounds.bytesWhileBehind = 10_000
        let scene = try PhoneScene(bounds: bounds)
        for number in 1...400 { scene.computer.show("n\(number)") }
        let asked = try await scene.phone.store.position(of: FakeComputer.id)
        let query = NotificationSyncQuery(epoch: asked.epoch, after: asked.after)
        let page = try NotificationChanges(wire: try scene.computer.call(NotificationMethods.sync.name, query.wire))
        #expect(page.hasMore)
        _ = try await scene.phone.store.apply(page, asked: asked, from: FakeComputer.id)
        let bytes = try await scene.database.read {
            try Int.fetchOne($0, sql: "SELECT SUM(bytes) FROM notificationInbox") ?? 0
        }
        #expect(bytes > 5000 && bytes <= 10_000)
        #expect(try await scene.rows().first?.notification.id == "n200")
        await scene.stop()
    }

    @Test("what left the computer's lists counts as read here, once it was shown")
    func left() async throws {
        let scene = try PhoneScene()
        for id in ["a", "b", "c"] { scene.computer.show(id) }
        await scene.inbox.reached()
        try await scene.inbox.refresh()
        scene.computer.forget("a")
        _ = scene.computer.read("c")
        try await scene.inbox.refresh()
        #expect(try await scene.rows().filter { !$0.notification.isRead }.map(\.notification.id) == ["b"])
        try await scene.until { scene.presenter.badge == 1 }
        await scene.stop()
    }

    @Test("a phone that is put back to an earlier state shows nothing that it showed before, and all that is new")
    func putBack() async throws {
        let scene = try PhoneScene()
        for id in ["a", "b", "c"] { scene.computer.show(id) }
        try await scene.inbox.refresh()
        let copy = try DatabaseQueue()
        try scene.database.backup(to: copy)
        // One is shown again, one is new, one is read and one deleted.
        for id in ["a", "d"] { scene.computer.show(id) }
        _ = scene.computer.read("b")
        _ = scene.computer.delete("c")
        // The second time it says what it has.
        for _ in 0..<2 { try await scene.inbox.refresh() }
        #expect(scene.presenter.shown.map(\.id) == ["a", "b", "c", "a", "d"])
        await scene.stop()
        try copy.backup(to: scene.database)
        scene.start()
        scene.computer.show("e")
        try await scene.inbox.refresh()
        #expect(scene.presenter.shown.map(\.id) == ["a", "b", "c", "a", "d", "e"])
        #expect(scene.presenter.repeated == [])
        #expect(Set(try await scene.rows().map(\.notification.id)) == ["a", "b", "d", "e"])
        #expect(scene.phone.unread == [FakeComputer.id: 3])
        scene.computer.show("d")
        try await scene.inbox.refresh()
        #expect(scene.presenter.shown.last?.id == "d")
        await scene.stop()
    }

    @Test("what comes after the computer's clock was put back stands first all the same, as in the computer's own list")
    func clockPutBack() async throws {
        let scene = try PhoneScene()
        func order() async throws -> [String] { try await scene.rows().map(\.notification.id) }
        for id in ["a", "b"] { scene.computer.show(id) }
        try await scene.inbox.refresh()
        scene.computer.putClock(by: 1000)
        scene.computer.show("future")
        try await scene.inbox.refresh()
        scene.computer.putClock(by: -5000)
        for id in ["c", "d"] { scene.computer.show(id) }
        try await scene.inbox.refresh()
        #expect(try await order() == ["d", "c", "future", "b", "a"])
        // Shown again it is the newest; what only changes stays where it is.
        scene.computer.show("a")
        _ = scene.computer.progress("b")
        try await scene.inbox.refresh()
        #expect(try await order() == ["a", "d", "c", "future", "b"])
        let first = try await scene.phone.page(limit: 2)
        let rest = try await scene.phone.page(before: first.items.last?.place)
        #expect((first.items + rest.items).map(\.notification.id) == ["a", "d", "c", "future", "b"])
        await scene.stop()
    }

    @Test("what was read elsewhere before it was written down here is no news, and wants no banner")
    func readAtOnce() async throws {
        let scene = try PhoneScene()
        scene.computer.show("first")
        try await scene.inbox.refresh()
        let events = [scene.computer.show("a"), scene.computer.read("a"), scene.computer.show("b")].compactMap(\.self)
        let news = try await scene.phone.store.apply(events, from: FakeComputer.id).news
        #expect(news.new.map(\.notification.id) == ["b"])
        #expect(news.changed.map(\.notification.id) == ["a"])
        #expect(news.banners == ["b"])
        await scene.stop()
    }

    @Test("what came in quiet hours, or while they are off here, is kept and not shown", arguments: [true, false])
    func silenced(isOff: Bool) async throws {
        let scene = try PhoneScene()
        try await scene.phone.save(LocalNotificationSettings(enabled: !isOff))
        scene.computer.show("a", silenced: !isOff)
        await scene.inbox.reached()
        try await scene.inbox.refresh()
        #expect(scene.presenter.shown == [])
        try await scene.until { scene.presenter.badge == 1 }
        try await scene.phone.save(LocalNotificationSettings())
        scene.computer.show("b")
        try await scene.inbox.refresh()
        #expect(scene.presenter.shown.map(\.id) == ["b"])
        await scene.stop()
    }

    @Test("where the person allows no banners, the news go on")
    func denied() async throws {
        let scene = try PhoneScene(presenter: CountingPresenter(.denied))
        let news = scene.phone.news()
        scene.computer.show("a")
        await scene.inbox.reached()
        try await scene.inbox.refresh()
        for await first in news {
            #expect(first.new.map(\.notification.id) == ["a"])
            break
        }
        #expect(scene.presenter.shown == [])
        await scene.stop()
    }
}
