import Capabilities
import CommandClient
import Commands
import Foundation
import GRDB
import Kernel
import Logging
import Notifications
import NotificationsHost
import Sealing
import Storage
import Synchronization

/// A phone that was away while a computer said much: both halves of the feature with databases on the disk, all in between as JSON text. Beside
/// it the same pages go into a plain table.
struct Drain {
    private static let phones = 5
    /// A computer may be told so much at once by all of its senders.
    private static let share = 5000

    let queued: Int
    let home: URL

    func run() async throws {
        let database = try StateDatabase.open(
            home.appending(path: "away.sqlite"),
            schema: [NotificationTables.migrations]
        )
        try await database.write {
            try $0.execute(
                sql: "UPDATE notification_state SET settings = ?",
                arguments: [NotificationSettings(keeping: 100_000).text]
            )
        }
        var computer = try DirectPhone.computer(database)
        let epoch = try await DirectPhone(computer, "plain").sync(.init(epoch: nil, after: 0)).epoch
        // They were here before, and have everything so far.
        for number in 0..<Self.phones { try await phone(number, computer).inbox.refresh() }
        let shares = (queued + Self.share - 1) / Self.share
        for _ in 0..<shares {
            try await Writes.fill(computer)
            await computer.close()
            computer = try DirectPhone.computer(database)
        }
        let count = shares * Self.share
        let clock = ContinuousClock()
        var (rates, plainRates): ([Double], [Double]) = ([], [])
        for number in 0..<Self.phones {
            let phone = try phone(number, computer)
            let start = clock.now
            try await phone.inbox.refresh()
            rates.append(Double(count) / ((clock.now - start) / .seconds(1)))
            let (distinct, banners) = phone.screen.shown
            guard distinct == count, banners == count else {
                throw Wrong("\(banners) banners of \(distinct) notifications were shown, not \(count)")
            }
            plainRates.append(try await plain(number, computer, epoch, count))
        }
        await computer.close()
        let (ours, same) = (rates.sorted()[Self.phones / 2], plainRates.sorted()[Self.phones / 2])
        print(
            String(
                format:
                    "a phone drains %d: %.0f a second (slowest of %d: %.0f), each shown once; a plain table: %.0f; ratio %.2f%@",
                count,
                ours,
                Self.phones,
                rates.min() ?? 0,
                same,
                ours / same,
                ours >= 5000 ? "  goal 5000: met" : "  goal 5000: MISSED"
            )
        )
    }

    private func phone(_ number: Int, _ computer: NotificationsSkill) throws -> (
        inbox: NotificationInbox, screen: CountingPresenter
    ) {
        let screen = CountingPresenter()
        let maker = NotificationsFeature.maker(presenter: screen)
        let database = try StateDatabase.open(
            home.appending(path: "phone-\(number).sqlite"),
            schema: [NotificationStore.migrations]
        )
        let feature = try maker.make(in: FeatureStores(nil, shared: database)) {
            PeerContext(
                FeatureContext(
                    storage: $0,
                    version: "benchmark",
                    logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
                ),
                computers: NoComputers(),
                identity: Identity()
            )
        }
        let line = DirectPhone(computer, "phone \(number)")
        let context = ComputerContext(
            id: "did:key:home",
            call: { method, params, timeout, _ in try await line.call(method, params, timeout: timeout) },
            sendFrame: { _ in }
        )
        guard let inbox = feature.part(for: context) as? NotificationInbox else { throw Wrong("no inbox") }
        return (inbox, screen)
    }

    private func plain(
        _ number: Int,
        _ computer: NotificationsSkill,
        _ epoch: String,
        _ count: Int
    ) async throws -> Double {
        let table = PlainHistory(
            try StateDatabase.open(home.appending(path: "drained-\(number).sqlite"), schema: [PlainHistory.migrations])
        )
        let line = DirectPhone(computer, "plain \(number)")
        let clock = ContinuousClock()
        let start = clock.now
        var (after, hasMore): (Int64, Bool) = (0, true)
        while hasMore {
            let query = NotificationSyncQuery(epoch: epoch, after: after)
            let page = try await line.call(NotificationMethods.sync.name, query.wire, timeout: .seconds(30))
            try await table.take(page)
            let read = try NotificationChanges(wire: page)
            (after, hasMore) = (read.reached, read.hasMore)
        }
        let rate = Double(count) / ((clock.now - start) / .seconds(1))
        guard try await table.count() == count else { throw Wrong("the plain table has other rows") }
        return rate
    }
}

/// Counts what a person would have seen.
private final class CountingPresenter: NotificationPresenter {
    private let banners = Mutex<[KeptNotification.ID: Int]>([:])

    var shown: (distinct: Int, banners: Int) {
        banners.withLock { ($0.count, $0.values.reduce(0, +)) }
    }

    func present(_ shown: [NotificationBanner]) async {
        banners.withLock { banners in for banner in shown { banners[banner.id, default: 0] += 1 } }
    }

    func withdraw(_ ids: [KeptNotification.ID]) async {}
}

/// The benchmark itself went wrong.
struct Wrong: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The computers of a phone that only takes what a line brings.
private struct NoComputers: PairedComputers {
    func peer(named name: String?) async throws -> any Peer { throw Wrong("no computer is asked") }
    func paired() -> AsyncStream<[PairedComputer]> { AsyncStream { $0.finish() } }
    var queue: OfflineCommandQueue { get async throws { throw Wrong("nothing waits") } }

    func part<Part: ComputerPart>(_ type: Part.Type, forComputer id: String) async throws -> Part {
        throw Wrong("no computer has a part")
    }
}
