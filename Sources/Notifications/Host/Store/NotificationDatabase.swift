import Commands
import Foundation
import GRDB
import Kernel
import Notifications
import Storage
import Synchronization

/// A computer's history of notifications, on its disk. Writes of many callers share a transaction, and what they changed is told in the order
/// of its numbers before they return.
final class NotificationDatabase: Sendable {
    typealias Tell = @Sendable (NotificationBatch) async -> Void

    /// The state that every write needs, kept as it is on the disk.
    private struct Known {
        var settings: NotificationSettings
        var denied: Set<String>
        /// Phones that have ever caught up.
        var syncing: Set<String>
        /// Phones whose beginning is noted, and the last number from before it.
        var begun: [String: Int64]
        var pushes: [String: PushRegistration]
        /// Nothing is too old or too much, as far as the last transaction saw.
        var isTidy = true

        init(_ database: Database) throws {
            let text: String = try database.value("SELECT settings FROM notification_state") ?? "{}"
            let wire = (try? JSONValue(parsing: text.utf8)) ?? [:]
            settings = (try? NotificationSettings(wire: wire)) ?? NotificationSettings()
            // Settings that an earlier version did not write down have their usual values.
            settings.untold = []
            denied = Set(try database.values("SELECT program FROM notification_denied"))
            syncing = Set(try database.values("SELECT device FROM notification_cursor"))
            let begun = try database.rows("SELECT device, since FROM notification_beginning")
            self.begun = Dictionary(begun.map { ($0["device"], $0["since"]) }, uniquingKeysWith: { $1 })
            let pushes = try database.rows("SELECT device, registration FROM notification_push")
            self.pushes = Dictionary(
                pushes.compactMap { row in Self.registration(row["registration"]).map { (row["device"], $0) } },
                uniquingKeysWith: { $1 }
            )
        }

        private static func registration(_ text: String) -> PushRegistration? {
            guard let wire = try? JSONValue(parsing: text.utf8) else { return nil }
            return try? PushRegistration(wire: .init(wire))
        }
    }

    /// Writes that wait for the disk at a time.
    static let capacity = 4096

    private let database: any DatabaseWriter
    private let devices: @Sendable () -> Set<String>
    private let time: any TimeSource
    private let known: Mutex<Known>
    private let teller = Mutex<Tell?>(nil)
    // Needs `self`, which needs it: made at the first write.
    private let writer = Mutex<GroupWriter<NotificationWrite, NotificationOutcome>?>(nil)

    /// - Parameters:
    ///   - database: With the tables of ``NotificationTables``.
    ///   - devices: The phones that are paired and may be told, by their ids. Asked before each transaction.
    /// - Throws: SQLite's error.
    init(
        _ database: any DatabaseWriter,
        devices: @escaping @Sendable () -> Set<String>,
        time: any TimeSource
    ) throws {
        self.database = database
        self.devices = devices
        self.time = time
        let now = time.date.millisecondsSince1970
        known = Mutex(
            try database.write { database in
                try NotificationNumbers(database: database).begin(now: now)
                return try Known(database)
            }
        )
    }

    var settings: NotificationSettings { known.withLock(\.settings) }
    var syncingDevices: Set<String> { known.withLock(\.syncing) }
    func isAllowed(_ program: String) -> Bool { known.withLock { !$0.denied.contains(program) } }
    func push(of device: String) -> PushRegistration? { known.withLock { $0.pushes[device] } }

    /// A phone as it reads and marks now.
    ///
    /// - Parameter seesAll: Whether it has the right to all notifications. Without it a phone that is not noted yet sees none.
    func reader(of device: String, seesAll: Bool) -> NotificationReader {
        seesAll ? .device(device) : .limited(device, since: known.withLock { $0.begun[device] } ?? .max)
    }

    /// Hears what every write changed, before the write returns. Set once, before the first write.
    func tell(_ tell: @escaping Tell) { teller.withLock { $0 = tell } }

    // MARK: Writing

    /// Returns when it is on the disk and told. A cancelled caller waits, too.
    ///
    /// - Throws: `StorageError`; `RemoteFailure` for settings that do not fit each other.
    func write(_ write: NotificationWrite) async throws -> NotificationOutcome {
        if case .settings(let change) = write { _ = try change.applied(to: settings) }
        return try await commits().write(write)
    }

    /// Removes what is too old, in parts that hold up other writes for a moment only.
    func tidy() async throws {
        repeat { _ = try await write(.tidy) } while !known.withLock(\.isTidy)
    }

    /// Takes nothing from now on, and returns once everything that was taken is on the disk.
    func close() async { await commits().close() }

    private func commits() -> GroupWriter<NotificationWrite, NotificationOutcome> {
        writer.withLock { writer in
            let made =
                writer
                ?? GroupWriter(capacity: Self.capacity) { [weak self] writes in
                    guard let self else { throw StorageError.busy }
                    return try await commit(writes)
                }
            writer = made
            return made
        }
    }

    private func commit(_ writes: [NotificationWrite]) async throws -> [NotificationOutcome] {
        let (now, settings) = (time.date.millisecondsSince1970, settings)
        let fresh = devices().subtracting(known.withLock { Set($0.begun.keys) })
        let (outcomes, unread, isTidy, read) = try await database.write { database in
            // Before the writes: what they say comes after the pairing.
            let cursors = NotificationCursors(database: database, now: now)
            for device in fresh { try cursors.begin(device) }
            var writing = NotificationWriting(database: database, now: now, settings: settings)
            let outcomes = try writes.map { try writing.apply($0) }
            try writing.index()
            let isTidy = try NotificationTidying(database: database, now: now, settings: writing.settings).tidy()
            let changes = outcomes.flatMap(\.changes)
            let read = try fresh.isEmpty && !writes.contains(where: \.changesKnown) ? nil : Known(database)
            return (outcomes, changes.isEmpty ? [:] : try Self.unread(database), isTidy, read)
        }
        known.withLock { known in
            if let read { known = read }
            known.isTidy = isTidy
        }
        let batch = NotificationBatch(writes: outcomes.map(\.changes).filter { !$0.isEmpty }, unread: unread)
        if !batch.writes.isEmpty { await teller.withLock(\.self)?(batch) }
        return outcomes
    }

    private static func unread(_ database: Database) throws -> [String: Int] {
        let rows = try database.rows(
            """
            SELECT device, count(*) AS unread FROM notification INDEXED BY notification_unread
            WHERE isRead = 0 AND state < 2 AND state = 0 GROUP BY device
            """
        )
        return Dictionary(rows.map { ($0["device"], $0["unread"]) }, uniquingKeysWith: { $1 })
    }

    // MARK: Reading

    func history(_ query: NotificationHistoryQuery, for reader: NotificationReader) async throws -> NotificationHistory
    {
        try await read { try NotificationLists(database: $0, reader: reader).page(query) }
    }

    func unreadCount(for reader: NotificationReader) async throws -> Int {
        try await read { try NotificationLists(database: $0, reader: reader).unreadCount() }
    }

    /// Everything up to `query.after` is on the phone's disk.
    func sync(
        _ query: NotificationSyncQuery,
        by device: String,
        as reader: NotificationReader
    ) async throws -> NotificationChanges {
        let write = NotificationWrite.acknowledge(by: reader, device: device, epoch: query.epoch, after: query.after)
        let outcome = try await self.write(write)
        return try await read { database in
            var changes = try NotificationLists(database: database, reader: reader)
                .changes(after: outcome.after, limit: query.limit, isFromStart: outcome.isFromStart)
            changes.history = outcome.history
            return changes
        }
    }

    /// The changes for the person at the computer: as for a phone, without a note of how far it is.
    func changes(_ query: NotificationSyncQuery) async throws -> NotificationChanges {
        try await read { database in
            let state = try NotificationCursors(database: database, now: 0).state()
            let isKnown = try NotificationNumbers(database: database).canHaveTold(query.after)
            let goesOn =
                isKnown && query.epoch == state.epoch && query.after <= state.sequence && query.after >= state.horizon
            return try NotificationLists(database: database, reader: .owner)
                .changes(after: goesOn ? query.after : 0, limit: query.limit, isFromStart: !goesOn)
        }
    }

    /// The rows, among those that a phone was told, that are not on its disk as far as it said, and that it would still show.
    func unconfirmed(_ rows: [NotificationRow], by device: String) async throws -> [NotificationRow] {
        guard !rows.isEmpty else { return [] }
        return try await read { database in
            let reached: Int64 =
                try database.value("SELECT sequence FROM notification_cursor WHERE device = \(device)") ?? .max
            return try rows.filter { row in
                guard row.sequence > reached else { return false }
                return try database.value(
                    "SELECT isRead = 0 AND state < 2 FROM notification WHERE alert = \(row.alert)"
                ) ?? false
            }
        }
    }

    /// Nil for one that is not there, or that this reader does not see.
    func row(_ id: String, for reader: NotificationReader) async throws -> NotificationRow? {
        try await read { database in
            let row = try NotificationRow.first(database, "id = \(id) AND state < 2")
            return row.flatMap { reader.sees($0) ? $0 : nil }
        }
    }

    /// The row that a new one takes the place of; nil for one that stands for itself.
    func earlier(_ new: NewNotificationRow) async throws -> NotificationRow? {
        guard new.replaces != nil || new.key != nil else { return nil }
        let settings = settings
        return try await read { try NotificationWriting(database: $0, now: 0, settings: settings).earlier(new) }
    }

    /// Nil where no row of the program has the key.
    func row(key: String, of program: String) async throws -> NotificationRow? {
        try await read { database in
            try NotificationRow.first(database, "key IS NOT NULL AND program = \(program) AND key = \(key)")
        }
    }

    func image(_ id: String) async throws -> [UInt8]? {
        let bytes: Data? = try await read { try $0.value("SELECT bytes FROM notification_image WHERE id = \(id)") }
        return bytes.map(Array.init)
    }

    /// Programs with rows, the latest first, then those that are denied.
    func programs() async throws -> [NotificationProgram] {
        let denied = known.withLock(\.denied)
        let counted = try await read { database in
            try database.rows(
                """
                SELECT program, total, (SELECT createdAt FROM notification WHERE alert = last) AS lastAt FROM (
                    SELECT program, count(*) AS total, max(alert) AS last
                    FROM notification INDEXED BY notification_listed WHERE state = 0 AND program <> '' GROUP BY program
                ) ORDER BY lastAt DESC LIMIT 1000
                """
            ).map { row in
                let name: String = row["program"]
                return NotificationProgram(
                    name: name,
                    isAllowed: !denied.contains(name),
                    count: row["total"],
                    lastAt: row["lastAt"]
                )
            }
        }
        let rest = denied.subtracting(counted.map(\.name)).sorted()
        return counted + rest.map { NotificationProgram(name: $0, isAllowed: false, count: 0, lastAt: nil) }
    }

    /// Names the database that counts.
    func epoch() throws -> String {
        try database.read { try NotificationCursors(database: $0, now: 0).state().epoch }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await database.read(body)
        } catch {
            throw StorageError.telling(error)
        }
    }
}
