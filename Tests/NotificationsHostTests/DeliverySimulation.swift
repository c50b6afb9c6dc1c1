import CommandServer
import Commands
import FeatureTesting
import Foundation
import GRDB
import Kernel
import KernelTesting
import Rights
import Storage
import Synchronization

@testable import Notifications
@testable import NotificationsHost

/// A computer and three phones over lines that lose, double and reorder, all of which end and begin anew at any time. The computer's half and
/// the phones' stores are the real ones; what is drawn at random comes from a seed.
actor DeliverySimulation {
    /// What a phone showed.
    struct Showing: Hashable {
        let phone: Int
        let id: String
        let alert: Int64
    }

    private struct Phone {
        let caller: Caller
        let database: DatabaseQueue
        /// What is on its screen: an id has one banner.
        var screen: [String: Int64] = [:]
        /// Its durable queue.
        var marks: [(command: UUID, mark: NotificationMark)] = []

        var store: NotificationStore { NotificationStore(database) }
    }

    /// What is on its way to each phone.
    private final class Line: DeviceOutlet {
        let phones: [Caller]
        private let flying = Mutex<[String: [RemoteEvent]]>([:])
        private let away = Mutex<Set<String>>([])

        init(_ phones: [Caller]) { self.phones = phones }

        func devices(needing right: Right) -> [OutletDevice] {
            phones.map { OutletDevice(id: $0.id, name: $0.name, keepsEvents: true) }
        }

        func send(_ kind: EventKind, _ members: [String: JSONValue], to device: String) async throws {
            guard !away.withLock({ $0.contains(device) }) else { throw RemoteError.notConnected }
            flying.withLock { $0[device, default: []].append(RemoteEvent(kind, members)) }
        }

        func send(frame: [UInt8], needing right: Right?, to device: String) async throws {}

        func keep(
            _ kind: EventKind,
            _ members: [String: JSONValue],
            replacing key: String?,
            for device: String
        ) async throws {
            try await send(kind, members, to: device)
        }

        func take(_ device: String) -> [RemoteEvent] { flying.withLock { $0.removeValue(forKey: device) ?? [] } }
        func cut() { flying.withLock { $0 = [:] } }
        func set(_ device: String, isAway: Bool) {
            away.withLock { if isAway { $0.insert(device) } else { $0.remove(device) } }
        }
    }

    private static let home = "home"
    private static let historyRows = 100

    private var random: SeededGenerator
    private let time = ManualClock()
    private let database: DatabaseQueue
    private let line: Line
    private var skill: NotificationsSkill
    private var phones: [Phone]
    private var loss = 0.3

    private(set) var restarts = 0
    private(set) var showings: [Showing: Int] = [:]
    /// Rows that were said once and never again, with the phone that they are for.
    private var plain: [String: (alert: Int64, phone: Int?)] = [:]
    private var marked: Set<String> = []
    private var deleted: Set<String> = []

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        database = try StateDatabase.inMemory(schema: [NotificationTables.migrations])
        let callers = ["A", "B", "C"].map {
            Caller(id: "did:key:\($0)", name: "Phone \($0)", proof: .session, rights: [])
        }
        line = Line(callers)
        phones = try callers.map {
            Phone(caller: $0, database: try StateDatabase.inMemory(schema: [NotificationStore.migrations]))
        }
        skill = try Self.skill(database, line, time)
    }

    private static func skill(_ database: DatabaseQueue, _ line: Line, _ time: ManualClock) throws -> NotificationsSkill
    {
        try NotificationsSkill(
            .init(),
            database: database,
            outlet: line,
            announcements: Announcements(),
            time: time,
            logger: Computer.logger
        )
    }

    /// - Parameter events: Notifications that are said in all.
    func run(_ events: Int) async throws {
        var change = NotificationSettingsChange()
        change.historyRows = Self.historyRows
        _ = try await skill.store.write(.settings(change))
        for phone in phones.indices { try await sync(phone, reliably: true) }
        var said = 0
        while said < events {
            time.advance(by: .milliseconds(Int.random(in: 0...100, using: &random)))
            let phone = Int.random(in: phones.indices, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<60:
                try await say()
                said += 1
            case 60..<75: try await receive(phone)
            case 75..<85: try await sync(phone)
            case 85..<90: try await mark(phone)
            case 90..<95: try await carry(phone)
            case 95: line.set(phones[phone].caller.id, isAway: random.chance(0.5))
            case 96..<98:
                // In the middle of showing: what was shown is not noted.
                try await show(phone, isCrashing: true)
                restarts += 1
            default: try await restartComputer()
            }
        }
        loss = 0
        // Whatever was carried brings changes to all.
        for phone in phones.indices { while !phones[phone].marks.isEmpty { try await carry(phone) } }
        for phone in phones.indices { try await sync(phone, reliably: true) }
    }

    private func restartComputer() async throws {
        restarts += 1
        await skill.close()
        line.cut()
        skill = try Self.skill(database, line, time)
    }

    private func say() async throws {
        let program = "p\(Int.random(in: 0..<60, using: &random))"
        var incoming = IncomingNotification(title: "t\(random.next())", body: "b", program: program)
        var circumstances = NotificationCentre.Circumstances()
        var target: Int?
        switch Int.random(in: 0..<10, using: &random) {
        case 0: incoming.key = "key"
        case 1:
            incoming.key = "progress"
            incoming.progress = Int.random(in: 0...100, using: &random)
        case 2:
            target = Int.random(in: phones.indices, using: &random)
            circumstances.device = target.map { phones[$0].caller.id } ?? ""
        default: break
        }
        let outcome = try await skill.centre.take(incoming, circumstances)
        guard case .kept(let row, false) = outcome, incoming.key == nil else { return }
        plain[row.notification.id] = (row.alert, target)
    }

    // MARK: A phone

    private func receive(_ phone: Int) async throws {
        let flying = line.take(phones[phone].caller.id)
        var arriving: [NotificationEvent] = []
        for event in flying where !random.chance(loss) {
            guard let event = NotificationEvent(event) else { continue }
            arriving.append(event)
            if random.chance(0.3) { arriving.append(event) }
        }
        // Some overtake others.
        for index in arriving.indices where random.chance(0.2) {
            arriving.swapAt(index, Int.random(in: arriving.indices, using: &random))
        }
        let next = try await phones[phone].store.apply(arriving, from: Self.home).next
        try await show(phone)
        if next == .ask, random.chance(0.5) { try await sync(phone) }
    }

    private func sync(_ phone: Int, reliably: Bool = false) async throws {
        let loss = reliably ? 0 : loss
        let store = phones[phone].store
        while true {
            let asked = try await store.position(of: Self.home)
            if random.chance(loss) { return }
            let query = NotificationSyncQuery(epoch: asked.epoch, after: asked.after, limit: 50)
            let answer = try await call(NotificationMethods.sync, query, by: phone)
            if random.chance(loss) { return }
            let applied = try await store.apply(answer, asked: asked, from: Self.home)
            // An answer that comes twice.
            if random.chance(loss) { _ = try await store.apply(answer, asked: asked, from: Self.home) }
            try await show(phone)
            if applied.next == .nothing {
                // The acknowledgement of the last page.
                if try await store.position(of: Self.home) == asked { return }
            }
            if !reliably, random.chance(0.3) { return }
        }
    }

    private func mark(_ phone: Int) async throws {
        let items = try await phones[phone].store.page(.init(computer: Self.home, limit: 50)).items
        guard let item = items.randomElement(using: &random) else { return }
        let mark: NotificationMark
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
            let upTo = try await phones[phone].store.position(of: Self.home).after
            mark = .allRead(upTo: upTo)
            marked.formUnion(plain.keys)
        case 1..<8:
            mark = .deleted([item.notification.id])
            deleted.insert(item.notification.id)
        default: mark = .read([item.notification.id])
        }
        marked.insert(item.notification.id)
        let command = UUID()
        _ = try await phones[phone].store.mark(mark, at: Self.home, by: command)
        phones[phone].marks.append((command, mark))
        try await show(phone)
    }

    /// Carries the first mark to the computer: again where the answer was lost.
    private func carry(_ phone: Int) async throws {
        guard let first = phones[phone].marks.first, !random.chance(loss) else { return }
        let (method, params) = first.mark.call
        _ = try await skill.call(method.name, params, as: phones[phone].caller)
        if random.chance(loss) { return }
        phones[phone].marks.removeFirst()
        _ = try await phones[phone].store.settle(first.command, isDone: true)
    }

    private func show(_ phone: Int, isCrashing: Bool = false) async throws {
        let store = phones[phone].store
        while true {
            let shown = try await store.beginShowing()
            for one in shown where phones[phone].screen[one.kept.notification.id] != one.alert {
                phones[phone].screen[one.kept.notification.id] = one.alert
                showings[Showing(phone: phone, id: one.kept.notification.id, alert: one.alert), default: 0] += 1
            }
            if isCrashing { return }
            try await store.noteShown(shown)
            let withdrawn = try await store.toWithdraw()
            for id in withdrawn { phones[phone].screen[id.notification] = nil }
            try await store.noteWithdrawn(withdrawn)
            if shown.isEmpty, withdrawn.isEmpty { return }
        }
    }

    private func call<Parameters, Answer>(
        _ method: Commands.Method<Parameters, Answer>,
        _ params: Parameters,
        by phone: Int
    ) async throws -> Answer {
        let wire = try JSONValue(parsing: params.wire.canonicalBytes)
        let answer = try await skill.call(method.name, wire, as: phones[phone].caller)
        return try Answer(wire: try JSONValue(parsing: answer.canonicalBytes))
    }

    // MARK: What has to hold

    /// What was shown more than once, or not at all, in words.
    func mistakes() async throws -> [String] {
        var mistakes = showings.filter { $0.value != 1 }.map { "shown \($0.value) times: \($0.key)" }
        for (id, row) in plain where !marked.contains(id) {
            for phone in phones.indices where row.phone == nil || row.phone == phone {
                let count = showings[Showing(phone: phone, id: id, alert: row.alert)] ?? 0
                if count != 1 { mistakes.append("phone \(phone) showed \(id) \(count) times") }
            }
            for phone in phones.indices where row.phone != nil && row.phone != phone {
                if showings[Showing(phone: phone, id: id, alert: row.alert)] != nil {
                    mistakes.append("phone \(phone) showed what was for \(row.phone ?? -1)")
                }
            }
        }
        for phone in phones.indices { mistakes += try await differences(phone) }
        return mistakes.sorted()
    }

    /// Where a phone's list is another one than the computer's.
    private func differences(_ phone: Int) async throws -> [String] {
        let history = try await call(NotificationMethods.getHistory, .init(limit: 500), by: phone)
        var kept: [String: RemoteNotification] = [:]
        var place: NotificationPlace?
        repeat {
            let page = try await phones[phone].store.page(.init(computer: Self.home, limit: 500, before: place))
            for item in page.items { kept[item.notification.id] = item.notification }
            place = page.hasMore ? page.items.last?.place : nil
        } while place != nil
        var differences: [String] = []
        for notification in history.notifications {
            guard let own = kept[notification.id] else {
                differences.append("phone \(phone) lacks \(notification.id)")
                continue
            }
            if own.isRead != notification.isRead {
                differences.append("phone \(phone) reads \(notification.id) otherwise")
            }
            if own.title != notification.title {
                differences.append("phone \(phone) has another text of \(notification.id)")
            }
            // Unread and shown by its last alert, or read.
            let showing = Showing(phone: phone, id: notification.id, alert: notification.alert ?? 0)
            if !notification.isRead, showings[showing] != 1 {
                differences.append("phone \(phone) did not show \(notification.id)")
            }
        }
        differences += deleted.intersection(kept.keys).map { "phone \(phone) still has \($0), which is deleted" }
        return differences
    }

    func close() async { await skill.close() }
}
