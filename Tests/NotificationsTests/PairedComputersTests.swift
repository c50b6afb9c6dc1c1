import CommandClient
import Commands
import Control
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Logging
import Storage
import Synchronization
import Testing

@testable import Notifications

@Suite("The computers of a phone, as its notifications see them", .timeLimit(.minutes(4)))
struct PairedComputersTests {
    /// Computers that a test pairs and forgets, each with its rules of numbers.
    private final class Household: Sendable {
        let computers = ScriptedComputers(queue: .inMemory(NotificationMethods.all))
        let phone: PhoneNotifications
        let failures = Mutex<[String: RemoteFailure]>([:])
        /// What happens before the next answer.
        let beforeAnswer = Mutex<(@Sendable () async -> Void)?>(nil)

        init(_ ids: [String]) throws {
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            phone = PhoneNotifications(
                store: NotificationStore(try StateDatabase.inMemory(schema: [NotificationStore.migrations])),
                presenter: CountingPresenter(),
                time: ManualClock(),
                logger: logger
            )
            var peers: [ScriptedPeer] = []
            for id in ids {
                let computer = FakeComputer()
                computer.show("of \(id)")
                peers.append(ScriptedPeer(id: id) { try computer.call($0.method, $0.params) })
                let context = ComputerContext(
                    id: id,
                    call: { [weak self] method, params, _, _ in
                        if let work = self?.beforeAnswer.withLock({ $0.take() }) { await work() }
                        if let failure = self?.failures.withLock({ $0[id] }) { throw failure }
                        return try computer.call(method, params)
                    },
                    sendFrame: { _ in }
                )
                computers.keep(NotificationInbox(context, phone), of: id)
            }
            computers.set(peers)
        }
    }

    @Test("what a computer answers while it is forgotten does not stay, nor does its number on the badge")
    func forgottenMeanwhile() async throws {
        let household = try Household(["home"])
        let running = Task { await household.phone.run(household.computers) }
        let inbox = try await household.computers.part(NotificationInbox.self, forComputer: "home")
        try await inbox.refresh()
        var counts = household.phone.unreadCounts().makeAsyncIterator()
        while await counts.next() != ["home": 1] {}
        household.beforeAnswer.withLock {
            $0 = { [phone = household.phone, computers = household.computers] in
                computers.set([])
                for await count in phone.unreadCounts() where count.isEmpty { break }
            }
        }
        try await inbox.refresh()
        await inbox.close()
        #expect(try await household.phone.page().items == [])
        while await counts.next() != [:] {}
        running.cancel()
        await household.phone.close()
        await running.value
    }

    @Test("a reader that lost news of one computer is told so of that computer, whichever the next ones are of")
    func lostNews() async throws {
        let household = try Household(["a", "b"])
        let running = Task { await household.phone.run(household.computers) }
        while !Task.isCancelled, household.phone.name(of: "b") == nil { await Task.yield() }
        var news = household.phone.news().makeAsyncIterator()
        func changed(_ computer: String) async {
            var news = NotificationNews(computer: computer)
            news.isSettled = true
            await household.phone.take(news)
        }
        await changed("a")
        #expect(try await news.next()?.isIncomplete == false)
        // Another reader that has not looked yet.
        var late = household.phone.news().makeAsyncIterator()
        await changed("b")
        for _ in 0..<1000 { await changed("a") }
        var isLost: [String: Bool] = [:]
        for _ in 0..<2 {
            let next = try #require(await news.next())
            isLost[next.computer] = next.isIncomplete
        }
        #expect(isLost == ["a": true, "b": true])
        #expect(try await news.next()?.isIncomplete == false)
        #expect(try await late.next()?.isIncomplete == true)
        running.cancel()
        await household.phone.close()
        await running.value
    }

    @Test("a computer that refuses is said, and keeps no other from being asked")
    func refreshAll() async throws {
        let household = try Household(["a", "b", "c"])
        let refusal = RemoteFailure(code: FailureCode.notAllowed, message: "no")
        household.failures.withLock { $0["b"] = refusal }
        let routes = NotificationRoutes(PhoneSide(household.phone, household.computers)) {
            try await household.computers.peer(named: $0)
        }
        let table = ControlTable(routes.control)
        await #expect(throws: RemoteFailure.self) {
            try await table.call(NotificationsControl.refresh, NotificationsControl.Choice(device: nil))
        }
        #expect(Set(try await household.phone.page().items.map(\.computer)) == ["a", "c"])
    }

    @Test("of two settings of this phone that are changed at one time none is lost")
    func settingsAtOnce() async throws {
        let household = try Household(["a"])
        let routes = NotificationRoutes(PhoneSide(household.phone, household.computers)) {
            try await household.computers.peer(named: $0)
        }
        let table = ControlTable(routes.control)
        for _ in 0..<20 {
            try await household.phone.save(LocalNotificationSettings())
            async let sound = table.call(NotificationsControl.local, .init(sound: false))
            async let preview = table.call(NotificationsControl.local, .init(preview: false))
            _ = try await (sound, preview)
            let expected = LocalNotificationSettings(sound: false, preview: false)
            #expect(try await household.phone.settings() == expected)
        }
    }

    @Test("a page is told when this phone is to show notifications otherwise")
    func localSettings() async throws {
        let household = try Household(["a"])
        let feature = NotificationsFeature(household.phone, household.computers)
        let (told, teller) = AsyncStream<JSONValue>.makeStream()
        let topic = try #require(feature.topics.first { $0.name == NotificationsControl.topic })
        let telling = Task { await topic.run { teller.yield($0) } }
        var events = told.makeAsyncIterator()
        #expect(await events.next() == [:])
        try await household.phone.save(LocalNotificationSettings(preview: false))
        #expect(await events.next() == ["local": true])
        telling.cancel()
        await telling.value
    }
}
