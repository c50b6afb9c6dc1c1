import CommandServer
import Commands
import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import Notifications
import NotificationsHost
import Rights
import Storage

/// The computer's real half over a database in memory, which outlives its program.
actor SimulatedComputer {
    /// Rows of the list: few, so that much leaves it while phones are away.
    private static let historyRows = 100
    private static let programs = 60
    /// Rows that one write of a mark of all changes at most, and changes of one write that are told one by one.
    private static let (part, singly) = (500, 64)

    private let database: DatabaseQueue
    private let relay: SimulatedRelay
    private let ledger: ShowingLedger
    private let phones: [Caller]
    private let time: ManualClock
    private var random: SeededGenerator
    private var skill: NotificationsSkill
    private var methods: [String: RemoteMethod] = [:]
    private var seen: (epoch: String?, after: Int64) = (nil, 0)
    private var told: [String: Int] = [:]
    private(set) var restarts = 0
    private(set) var said = 0

    init(
        phones: [Caller],
        relay: SimulatedRelay,
        ledger: ShowingLedger,
        time: ManualClock,
        random: SeededGenerator
    ) throws {
        self.phones = phones
        self.relay = relay
        self.ledger = ledger
        self.time = time
        self.random = random
        database = try StateDatabase.inMemory(schema: [NotificationTables.migrations])
        skill = try Self.skill(database, relay, time)
    }

    private static func skill(
        _ database: DatabaseQueue,
        _ relay: SimulatedRelay,
        _ time: ManualClock
    ) throws -> NotificationsSkill {
        try NotificationsSkill(
            .init(timeZone: { .gmt }),
            database: database,
            outlet: relay,
            announcements: Announcements(),
            time: time,
            logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    func prepare() async throws {
        serve()
        var change = NotificationSettingsChange()
        change.historyRows = Self.historyRows
        _ = try await skill.owner.call(NotificationMethods.updateSettings, change)
    }

    private func serve() {
        methods = Dictionary(skill.methods.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The program ends, mostly in the middle of something: what it wrote down stays, what it had still to tell is lost.
    func restart() async throws {
        restarts += 1
        if random.chance(0.7) {
            relay.loseComputer()
            try await say()
        }
        await skill.close()
        skill = try Self.skill(database, relay, time)
        serve()
        relay.regainComputer()
        told = relay.tried
    }

    // MARK: What happens there

    /// One notification of some program.
    func say() async throws {
        said += 1
        let program = Int.random(in: 0..<Self.programs, using: &random)
        let caller = Caller(id: "program \(program)", name: "p\(program)", proof: .session, rights: [.notification])
        let title = "t\(random.next())"
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            let phone = Int.random(in: phones.indices, using: &random)
            let delivery = try await run(
                NotificationMethods.sendToMobile,
                ForwardedNotification(title: title, body: "b", devices: [phones[phone].id]),
                as: caller
            )
            if let id = delivery.id { ledger.reserve(id, for: phone) }
        case 1:
            // It takes the place of the one before, and wants to be noticed.
            try await send(NewNotification(title: title, body: "b", key: "key"), as: caller)
        case 2:
            // The same without wanting to be noticed, once it is there: as progress.
            try await send(NewNotification(title: title, body: "b", priority: .low, key: "progress"), as: caller)
        case 3: try await send(NewNotification(title: title, body: "b", priority: .urgent), as: caller)
        default: try await send(NewNotification(title: title, body: "b"), as: caller)
        }
        try await observe()
    }

    private func send(_ new: NewNotification, as caller: Caller) async throws {
        _ = try await run(NotificationMethods.send, new, as: caller)
    }

    /// Quiet hours begin, or end.
    func turnQuiet(_ isQuiet: Bool) async throws {
        var change = NotificationSettingsChange()
        change.hasQuietHours = isQuiet
        // All day.
        change.quietStart = TimeOfDay(minutes: 0)
        change.quietEnd = TimeOfDay(minutes: 0)
        _ = try await skill.owner.call(NotificationMethods.updateSettings, change)
    }

    /// The person at the computer reads, or deletes.
    func mark() async throws {
        let listed = try await skill.owner.call(NotificationMethods.getHistory, .init(limit: 50)).notifications
        guard let row = listed.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<20, using: &random) {
        case 0: _ = try await skill.owner.call(NotificationMethods.markAllAsRead, .init())
        case 1..<8: _ = try await skill.owner.call(NotificationMethods.delete, .init([row.id]))
        default: _ = try await skill.owner.call(NotificationMethods.markAsRead, .init([row.id]))
        }
        try await observe()
    }

    // MARK: What phones ask

    func sync(_ query: NotificationSyncQuery, by phone: Caller) async throws -> NotificationChanges {
        try await run(NotificationMethods.sync, query, as: phone)
    }

    func carry(_ mark: NotificationMark, by phone: Caller) async throws {
        let (method, params) = mark.call
        try await run(method.name, params, as: phone)
        try await observe()
    }

    private func run<Parameters, Answer>(
        _ method: Commands.Method<Parameters, Answer>,
        _ params: Parameters,
        as caller: Caller
    ) async throws -> Answer {
        try Answer(wire: try await run(method.name, params.wire, as: caller))
    }

    /// All that is said is JSON text on the way.
    @discardableResult
    private func run(_ method: String, _ params: JSONValue, as caller: Caller) async throws -> JSONValue {
        guard let served = methods[method] else { throw RemoteError.malformedResult }
        let params = RemoteParameters(try JSONValue(parsing: params.canonicalBytes))
        return try JSONValue(parsing: try await served.run(params, caller).canonicalBytes)
    }

    // MARK: The truth

    /// Notes what changed, and returns once the computer told of it, so that a seed draws the same run again.
    private func observe() async throws {
        var changes: [NotificationChanges.Change] = []
        var isBehind = true
        while isBehind {
            let query = NotificationSyncQuery(epoch: seen.epoch, after: seen.after, limit: 500)
            let answer = try await skill.owner.call(NotificationMethods.sync, query)
            changes += answer.changes
            seen = (answer.epoch, answer.reached)
            isBehind = answer.hasMore
        }
        for change in changes { ledger.note(change) }
        for start in stride(from: 0, to: changes.count, by: Self.part) {
            let write = changes[start..<min(start + Self.part, changes.count)]
            for (index, phone) in phones.enumerated() {
                let own = write.count { ledger.audience(of: $0.id).map { $0 == index } ?? true }
                told[phone.id, default: 0] += own > Self.singly ? 1 : own
            }
        }
        // Bounded, since only the order of what is drawn depends on it.
        var patience = 10_000
        while patience > 0, !relay.hasTried(told) {
            await Task.yield()
            patience -= 1
        }
        if patience == 0 { told = relay.tried }
    }

    /// The list as one phone is told it.
    func history(of phone: Caller) async throws -> NotificationHistory {
        try await run(NotificationMethods.getHistory, .init(limit: 500), as: phone)
    }

    func close() async { await skill.close() }
}

extension NotificationChanges.Change {
    fileprivate var id: String {
        switch self {
        case .kept(let notification): notification.id
        case .deleted(let id, _): id
        }
    }
}
