import Foundation
import GRDB
import Kernel
import Notifications
import Storage

/// Writes, as calls inside of a transaction.
struct NotificationWriting {
    /// Rows of a part of all that one transaction changes.
    static let part = 500
    static let deniedLimit = 1000
    /// The number that a mark of all goes by. One that was read since, or lost its buttons, says what the person saw.
    private static let said: SQL = "ifnull(revision, sequence)"

    let database: Database
    /// Milliseconds since 1970.
    let now: Int64
    private(set) var settings: NotificationSettings
    /// The number of the first of the newest rows that the full text has not got yet.
    private var firstUnindexed: Int64?

    init(database: Database, now: Int64, settings: NotificationSettings) {
        self.database = database
        self.now = now
        self.settings = settings
    }

    mutating func apply(_ write: NotificationWrite) throws -> NotificationOutcome {
        // Rows that a trigger takes out of the full text have to be in it.
        if case .add = write {} else { try index() }
        switch write {
        case .add(let new): return try add(new)
        case .read(let ids, let reader, let upTo): return try change(ids, by: reader, upTo: upTo) { try read($0) }
        case .delete(let ids, let reader, let upTo): return try change(ids, by: reader, upTo: upTo) { try bury($0) }
        case .close(let ids): return try change(ids, by: .owner, upTo: .max) { try close($0) }
        case .readAll(let upTo, let reader, let from):
            return try changeAll(["isRead = 0 AND state < 2 AND \(Self.said) <= \(upTo)"], by: reader, from: from) {
                try read($0)
            }
        case .clear(let old, let upTo, let reader, let from):
            var conditions: [SQL] = ["state < 2 AND \(Self.said) <= \(upTo)"]
            if let before = old.before { conditions.append("createdAt < \(before)") }
            if let origin = old.origin { conditions.append("origin = \(origin.rawValue)") }
            return try changeAll(conditions, by: reader, from: from) { try bury($0) }
        case .closeAll(let from):
            return try changeAll(["(actions IS NOT NULL OR canReply = 1)"], by: .owner, from: from) { try close($0) }
        case .acknowledge(let reader, let device, let epoch, let after):
            return try NotificationCursors(database: database, now: now)
                .acknowledge(device, epoch, after, isLimited: reader.isLimited)
        case .told(let alerts, let device):
            for alert in alerts {
                try database.run("INSERT OR REPLACE INTO notification_told VALUES (\(alert), \(device), \(now))")
            }
        case .settings(let change):
            let changed = try change.applied(to: settings)
            let text = String(decoding: changed.wire.canonicalBytes, as: UTF8.self)
            try database.run("UPDATE notification_state SET settings = \(text)")
            settings = changed
        case .allow(let program, let isAllowed): return try allow(program, isAllowed)
        case .register(let device, let registration):
            guard let registration else {
                try database.run("DELETE FROM notification_push WHERE device = \(device)")
                break
            }
            let text = String(decoding: registration.wire.canonicalBytes, as: UTF8.self)
            try database.run("INSERT OR REPLACE INTO notification_push VALUES (\(device), \(text), \(now))")
        case .unregister(let device, let registration):
            let text = String(decoding: registration.wire.canonicalBytes, as: UTF8.self)
            try database.run("DELETE FROM notification_push WHERE device = \(device) AND registration = \(text)")
        case .forget(let device):
            for table in ["cursor", "passage", "told", "push", "beginning"] {
                try database.run("DELETE FROM notification_\(sql: table) WHERE device = \(device)")
            }
        case .tidy: break
        }
        return NotificationOutcome()
    }

    /// Brings new rows into the full text, all of them in one statement: FTS5 writes its index out after each. To be called before the
    /// transaction ends, and before rows are changed or removed otherwise than by ``apply(_:)``.
    mutating func index() throws {
        guard let first = firstUnindexed else { return }
        try database.run(
            "INSERT INTO notification_words (rowid, words) SELECT alert, words FROM notification WHERE alert >= \(first)"
        )
        firstUnindexed = nil
    }

    // MARK: One row

    private mutating func add(_ new: NewNotificationRow) throws -> NotificationOutcome {
        let earlier = try earlier(new)
        if earlier == nil, new.onlyReplaces { return NotificationOutcome() }
        if earlier != nil { try index() }
        let sequence = try nextSequence()
        let isQuiet = earlier != nil && (new.isUpdate || new.priority == .low || new.progress != nil)
        let alert = isQuiet ? earlier?.alert ?? sequence : sequence
        let id = earlier?.notification.id ?? new.id ?? UUID.randomText()
        let isRead = isQuiet && earlier?.notification.isRead ?? false
        let arguments: [(any DatabaseValueConvertible)?] = [
            alert, sequence, new.device, new.sender, new.program, new.key, new.title, new.body, new.priority.rawValue,
            isRead, isQuiet ? earlier?.notification.isSilenced : new.isSilenced, new.origin.rawValue,
            isQuiet ? earlier?.notification.createdAt : now, isRead ? earlier?.notification.readAt : nil, now,
            NotificationRow.text(of: new.data), new.icon, NotificationRow.text(of: new.actions), new.canReply,
            new.progress, new.image != nil, new.words, new.isMirrored,
        ]
        let names: SQL = """
            alert, sequence, device, sender, program, key, title, body, priority, isRead, isSilenced, origin, createdAt, \
            readAt, changedAt, data, icon, actions, canReply, progress, hasImage, words, isMirrored
            """
        if let key = new.key {
            // Whatever else has the key loses it.
            try database.run(
                """
                UPDATE notification SET key = NULL
                WHERE key IS NOT NULL AND program = \(new.program) AND key = \(key) AND id <> \(id)
                """
            )
        }
        let marks = arguments.map { _ in "?" }.joined(separator: ", ")
        let values = SQL(sql: marks, arguments: StatementArguments(arguments))
        if let earlier {
            try database.run(
                """
                UPDATE notification SET (state, revision, \(names)) = (0, NULL, \(values))
                WHERE alert = \(earlier.alert)
                """
            )
            if earlier.notification.hasImage { try database.run("DELETE FROM notification_image WHERE id = \(id)") }
            if alert != earlier.alert {
                try database.run("DELETE FROM notification_told WHERE alert = \(earlier.alert)")
            }
        } else {
            try database.run("INSERT INTO notification (id, \(names)) VALUES (\(id), \(values))")
            firstUnindexed = firstUnindexed ?? alert
        }
        if let image = new.image {
            try database.run("INSERT OR REPLACE INTO notification_image VALUES (\(id), \(Data(image)))")
        }
        guard let row = try NotificationRow.first(database, "alert = \(alert)") else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        return NotificationOutcome(
            changes: [NotificationChange(kind: isQuiet ? .changed : .alerted, row: row)],
            known: 1
        )
    }

    /// The row that a new one takes the place of.
    func earlier(_ new: NewNotificationRow) throws -> NotificationRow? {
        if let id = new.replaces, let row = try row(id: id), row.standing != .deleted,
            row.notification.program ?? "" == new.program, row.device == new.device
        {
            return row
        }
        guard let key = new.key else { return nil }
        let row = try NotificationRow.first(
            database,
            "key IS NOT NULL AND program = \(new.program) AND key = \(key)"
        )
        return row?.device == new.device ? row : nil
    }

    private func read(_ row: NotificationRow) throws -> NotificationChange? {
        guard row.standing != .deleted, !row.notification.isRead else { return nil }
        var row = row
        row.notification.isRead = true
        row.notification.readAt = now
        row.passOn(to: try nextSequence())
        try database.run(
            """
            UPDATE notification SET isRead = 1, readAt = \(now), changedAt = \(now),
                revision = \(row.notification.revision), sequence = \(row.sequence) WHERE alert = \(row.alert)
            """
        )
        return NotificationChange(kind: .changed, row: row)
    }

    /// Leaves a tombstone.
    private func bury(_ row: NotificationRow) throws -> NotificationChange? {
        guard row.standing != .deleted else { return nil }
        var row = row
        row.standing = .deleted
        row.notification.sequence = try nextSequence()
        try database.run(
            """
            UPDATE notification SET state = 2, sequence = \(row.sequence), changedAt = \(now), key = NULL, title = '',
                body = '', data = NULL, icon = NULL, actions = NULL, canReply = 0, progress = NULL, hasImage = 0,
                words = '' WHERE alert = \(row.alert)
            """
        )
        if row.notification.hasImage {
            try database.run("DELETE FROM notification_image WHERE id = \(row.notification.id)")
        }
        try database.run("DELETE FROM notification_told WHERE alert = \(row.alert)")
        return NotificationChange(kind: .deleted, row: row)
    }

    private func close(_ row: NotificationRow) throws -> NotificationChange? {
        guard row.standing != .deleted, row.notification.canReply || !row.notification.actions.isEmpty else {
            return nil
        }
        var row = row
        row.notification.actions = []
        row.notification.canReply = false
        row.passOn(to: try nextSequence())
        try database.run(
            """
            UPDATE notification SET actions = NULL, canReply = 0, changedAt = \(now),
                revision = \(row.notification.revision), sequence = \(row.sequence) WHERE alert = \(row.alert)
            """
        )
        return NotificationChange(kind: .changed, row: row)
    }

    // MARK: Several

    private func change(
        _ ids: [String],
        by reader: NotificationReader,
        upTo: Int64,
        _ body: (NotificationRow) throws -> NotificationChange?
    ) throws -> NotificationOutcome {
        var outcome = NotificationOutcome()
        for id in ids {
            guard let row = try row(id: id), reader.sees(row) else { continue }
            outcome.known += 1
            // The reader had not seen a row that wanted to be noticed later. The mark is done all the same: it is about what was there
            // before.
            if row.alert <= upTo, let change = try body(row) { outcome.changes.append(change) }
        }
        return outcome
    }

    private func changeAll(
        _ conditions: [SQL],
        by reader: NotificationReader,
        from: Int64,
        _ body: (NotificationRow) throws -> NotificationChange?
    ) throws -> NotificationOutcome {
        let rows = try database.rows(
            """
            SELECT \(NotificationRow.columns) FROM notification
            WHERE \((conditions + ["alert > \(from)"] + reader.conditions).joined(separator: " AND "))
            ORDER BY alert LIMIT \(Self.part)
            """
        ).map { NotificationRow($0) }
        var outcome = NotificationOutcome(known: rows.count, next: rows.count < Self.part ? nil : rows.last?.alert)
        for row in rows {
            if let change = try body(row) { outcome.changes.append(change) }
        }
        return outcome
    }

    private func allow(_ program: String, _ isAllowed: Bool) throws -> NotificationOutcome {
        if isAllowed {
            try database.run("DELETE FROM notification_denied WHERE program = \(program)")
            return NotificationOutcome()
        }
        let count: Int = try database.value("SELECT count(*) FROM notification_denied") ?? 0
        guard count < Self.deniedLimit else { return NotificationOutcome(isKept: false) }
        try database.run("INSERT OR IGNORE INTO notification_denied VALUES (\(program))")
        return NotificationOutcome()
    }

    // MARK: SQL

    private func nextSequence() throws -> Int64 {
        try database.run("UPDATE notification_state SET sequence = sequence + 1")
        return try database.value("SELECT sequence FROM notification_state") ?? 0
    }

    private func row(id: String) throws -> NotificationRow? { try .first(database, "id = \(id)") }
}
