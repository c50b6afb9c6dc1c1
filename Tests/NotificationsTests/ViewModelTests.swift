import Commands
import Foundation
import Kernel
import KernelTesting
import Synchronization
import Testing

@testable import Notifications

@Suite("The screen of a computer's notifications", .timeLimit(.minutes(4)))
@MainActor
struct RemoteNotificationsViewModelTests {
    private struct Refused: Error, CustomStringConvertible {
        let description = "The computer said no. Try again."
    }

    /// What stands behind the screen: the list, and marks that are answered when a test says.
    private final class Behind: Sendable {
        struct Waiting {
            let mark: NotificationMark
            let answer: CheckedContinuation<NotificationMarked, any Error>
        }

        let rows = Mutex<[KeptNotification]>([])
        let waiting = Mutex<[Waiting]>([])
        let refreshing = Mutex<Refused?>(nil)
        let settings = Mutex(NotificationSettings())
        /// A mark waits for the computer.
        let isWaiting = Mutex(false)
        /// What happens while older ones are read.
        let whileOlder = Mutex<(@Sendable () async -> Void)?>(nil)
        private let (news, teller) = AsyncStream<NotificationNews>.makeStream()

        /// - Parameter isTold: News may come: a test ends them.
        init(_ count: Int, isTold: Bool = false) {
            if !isTold { teller.finish() }
            rows.withLock { rows in
                rows = (0..<count).reversed().map { Self.row($0) }
            }
        }

        static func row(_ number: Int) -> KeptNotification {
            KeptNotification(
                computer: "pc",
                notification: RemoteNotification(
                    id: "n\(number)",
                    title: "T",
                    body: "B",
                    createdAt: Int64(number),
                    sequence: Int64(number + 1)
                ),
                isWaiting: false,
                place: NotificationPlace(createdAt: Int64(number), position: Int64(number))
            )
        }

        /// So many more come.
        func add(_ count: Int) {
            rows.withLock { rows in
                let first = rows.count
                rows = (first..<first + count).reversed().map { Self.row($0) } + rows
            }
        }

        func tell(_ one: NotificationNews) { teller.yield(one) }

        var dependencies: RemoteNotificationsViewModel.Dependencies {
            .init(
                page: { [self] unreadOnly, limit, before in
                    if before != nil, let work = whileOlder.withLock({ $0.take() }) { await work() }
                    let all = rows.withLock(\.self).filter { row in
                        (!unreadOnly || !row.notification.isRead)
                            && before.map { row.place.createdAt < $0.createdAt } ?? true
                    }
                    return NotificationPage(
                        items: Array(all.prefix(limit)),
                        hasMore: all.count > limit,
                        total: all.count,
                        upTo: 200,
                        isWaiting: isWaiting.withLock(\.self)
                    )
                },
                refresh: { [self] in if let error = refreshing.withLock(\.self) { throw error } },
                mark: { [self] mark in
                    try await withCheckedThrowingContinuation { answer in
                        waiting.withLock { $0.append(Waiting(mark: mark, answer: answer)) }
                    }
                },
                news: { [news] in news },
                unread: { AsyncStream<Int> { $0.finish() } },
                settings: { [self] in settings.withLock(\.self) },
                updateSettings: { [self] change in
                    let changed = try change.applied(to: settings.withLock(\.self))
                    settings.withLock { $0 = changed }
                    return changed
                },
                localSettings: { LocalNotificationSettings() },
                saveLocalSettings: { _ in },
                requestAuthorization: { .denied }
            )
        }

        /// Answers one of the marks that wait; refused ones change nothing.
        func answer(_ index: Int, refused: Bool) {
            let one = waiting.withLock { $0.remove(at: index) }
            guard !refused else { return one.answer.resume(throwing: Refused()) }
            rows.withLock { $0 = one.mark.applied(to: $0) }
            one.answer.resume(returning: .done(count: 1))
        }

        /// The first of the marks that wait is kept for a computer that is away.
        func queue() {
            let one = waiting.withLock { $0.removeFirst() }
            rows.withLock { $0 = one.mark.applied(to: $0) }
            isWaiting.withLock { $0 = true }
            one.answer.resume(returning: .queued)
        }

        /// No news come any more.
        func end() { teller.finish() }

        func waits(_ count: Int) async {
            while !Task.isCancelled, waiting.withLock(\.count) != count { await Task.yield() }
        }
    }

    @Test(
        "whatever is refused, in whatever order, the list is the computer's with the marks that wait",
        arguments: 0..<40 as Range<UInt64>
    )
    func rollback(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        let behind = Behind(12)
        let model = RemoteNotificationsViewModel(behind.dependencies)
        await model.follow()
        var tasks: [Task<Void, Never>] = []
        for _ in 0..<30 {
            let waiting = behind.waiting.withLock(\.count)
            if waiting > 0, random.chance(0.5) {
                behind.answer(Int.random(in: 0..<waiting, using: &random), refused: random.chance(0.5))
                await behind.waits(waiting - 1)
            } else if let item = model.items.randomElement(using: &random) {
                switch Int.random(in: 0..<10, using: &random) {
                case 0: tasks.append(Task { await model.markAllRead() })
                case 1..<5: tasks.append(Task { await model.delete(item) })
                default: tasks.append(Task { await model.markRead(item) })
                }
                await behind.waits(waiting + 1)
            }
            // The screen has what the computer has, and each mark that is not answered.
            var expected = behind.rows.withLock(\.self)
            for mark in behind.waiting.withLock({ $0.map(\.mark) }) { expected = mark.applied(to: expected) }
            var turns = 0
            while model.items != expected, turns < 10_000 {
                turns += 1
                await Task.yield()
            }
            #expect(model.items == expected)
        }
        for _ in 0..<behind.waiting.withLock(\.count) { behind.answer(0, refused: true) }
        for task in tasks { await task.value }
        #expect(model.items == behind.rows.withLock(\.self))
    }

    @Test("a delete that fails brings the row back in its place, and says why")
    func deleteFails() async {
        let behind = Behind(3)
        let model = RemoteNotificationsViewModel(behind.dependencies)
        await model.follow()
        let deleting = Task { await model.delete(model.items[1]) }
        await behind.waits(1)
        #expect(model.items.map(\.notification.id) == ["n2", "n0"])
        behind.answer(0, refused: true)
        await deleting.value
        #expect(model.items.map(\.notification.id) == ["n2", "n1", "n0"])
        #expect(model.failureMessage == "The computer said no. Try again.")
        model.dismissFailure()
        #expect(model.failureMessage == nil)
    }

    @Test("fifty are read first, more when they are wanted, and the filter has its own")
    func pages() async {
        let behind = Behind(120)
        behind.rows.withLock { $0 = NotificationMark.read(["n119"]).applied(to: $0) }
        let model = RemoteNotificationsViewModel(behind.dependencies)
        #expect(model.isLoading)
        await model.follow()
        #expect(model.items.count == 50 && model.hasMore && !model.isLoading)
        await model.loadMore()
        await model.loadMore()
        #expect(model.items.count == 120 && !model.hasMore)
        await model.show(unreadOnly: true)
        #expect(model.items.first?.notification.id == "n118")
        #expect(model.items.allSatisfy { !$0.notification.isRead })
    }

    @Test("older ones come also where new ones have everything read anew meanwhile")
    func olderWhileNewOnesCome() async {
        let behind = Behind(120)
        let model = RemoteNotificationsViewModel(behind.dependencies)
        await model.follow()
        behind.whileOlder.withLock { $0 = { await model.refresh() } }
        await model.loadMore()
        #expect(model.items.count == 100 && model.hasMore)
    }

    @Test("those that came push no row off the end that is shown, and the filter begins with fifty again")
    func newOnesPush() async {
        let behind = Behind(180)
        let model = RemoteNotificationsViewModel(behind.dependencies)
        await model.follow()
        #expect(model.items.last?.notification.id == "n130")
        behind.add(55)
        await model.refresh()
        // By whole pages.
        #expect(model.items.count == 150 && model.items.contains { $0.notification.id == "n130" })
        await model.loadMore()
        #expect(model.items.count == 200 && model.hasMore)
        await model.show(unreadOnly: true)
        #expect(model.items.count == 50 && model.hasMore)
    }

    @Test("a mark that waits is said as long as it waits, also where its row is gone")
    func queued() async {
        let behind = Behind(2)
        let model = RemoteNotificationsViewModel(behind.dependencies)
        await model.follow()
        for clears in [false, true] {
            let marking = Task { if clears { await model.clear() } else { await model.delete(model.items[0]) } }
            await behind.waits(1)
            #expect(!model.isQueued)
            behind.queue()
            await marking.value
            #expect(model.isQueued)
            #expect(model.items.count == (clears ? 0 : 1))
            behind.isWaiting.withLock { $0 = false }
            await model.refresh()
            #expect(!model.isQueued)
        }
    }

    @Test("the newest that wants a banner is told, whatever came silently with it")
    func latest() async {
        let behind = Behind(1, isTold: true)
        let model = RemoteNotificationsViewModel(behind.dependencies)
        var news = NotificationNews(computer: "pc")
        news.new = [Behind.row(1), Behind.row(2)]
        news.banners = ["n1"]
        behind.tell(news)
        behind.end()
        await model.follow()
        #expect(model.latest?.notification.id == "n1")
    }

    @Test("a mark of all goes up to where the list was read, whatever the filter shows")
    func all() async {
        let behind = Behind(3)
        behind.rows.withLock { $0 = NotificationMark.read(["n2", "n1"]).applied(to: $0) }
        let model = RemoteNotificationsViewModel(behind.dependencies)
        await model.follow()
        await model.show(unreadOnly: true)
        #expect(model.items.map(\.notification.id) == ["n0"])
        let clearing = Task { await model.clear() }
        await behind.waits(1)
        #expect(behind.waiting.withLock { $0[0].mark } == .cleared(upTo: 200))
        behind.answer(0, refused: false)
        await clearing.value
        #expect(behind.rows.withLock(\.self).isEmpty)
    }

    @Test("a refresh that fails leaves what is kept")
    func refreshFails() async {
        let behind = Behind(3)
        behind.refreshing.withLock { $0 = Refused() }
        let model = RemoteNotificationsViewModel(behind.dependencies)
        await model.follow()
        #expect(model.items.count == 3)
        #expect(model.failureMessage == "The computer said no. Try again.")
        #expect(!model.isRefreshing)
        behind.refreshing.withLock { $0 = nil }
        await model.refresh()
        #expect(model.failureMessage == nil)
    }

    @Test("settings are as they were until the computer says how they are, and what it refuses is said")
    func settings() async throws {
        let behind = Behind(0)
        let model = RemoteNotificationsViewModel(behind.dependencies)
        await model.loadSettings()
        #expect(model.settings == NotificationSettings() && model.localSettings == LocalNotificationSettings())
        var change = NotificationSettingsChange()
        change.hasQuietHours = true
        change.quietStart = TimeOfDay("22:00")
        await model.update(change)
        #expect(model.settings == NotificationSettings())
        #expect(model.failureMessage?.contains("quietHoursEnd") == true)
        change.quietEnd = TimeOfDay("08:00")
        await model.update(change)
        #expect(model.settings?.quietHours?.start == TimeOfDay("22:00"))
        await model.requestAuthorization()
        #expect(model.authorization == .denied)
    }
}
