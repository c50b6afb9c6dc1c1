import Foundation
import GRDB
import Kernel
import Notifications

/// Writes, as calls inside of a transaction.
struct NotificationWriting {
    /// Rows of a part of all that one transaction changes.
    static let part = 500
    static let deniedLimit = 1000
    /// The number that a mark of all goes by. One that was read since, or lost its buttons, says what the person saw.
    private static let said = "ifnull(revision, sequence)"

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
            return try changeAll("isRead = 0 AND state < 2 AND \(Self.said) <= ?", [upTo], by: reader, from: from) {
                try read($0)
            }
        case .clear(let part, let reader, let from):
            var condition = "state < 2 AND \(Self.said) <= ?"
            var arguments: [any DatabaseValueConvertible] = [part.upTo]
            if let before = part.before {
                condition += " AND createdAt < ?"
                arguments.append(before)
            }
            if let origin = part.origin {
                condition += " AND origin = ?"
                arguments.append(origin.rawValue)
            }
            return try changeAll(condition, arguments, by: reader, from: from) { try bury($0) }
        case .closeAll(let from):
            let condition = "(actions IS NOT NULL OR canReply = 1)"
            return try changeAll(condition, [], by: .owner, from: from) { try close($0) }
        case .acknowledge(let reader, let device, let epoch, let after):
            return try NotificationCursors(database: database, now: now)
                .acknowledge(device, epoch, after, isLimited: reader.isLimited)
        case .told(let alerts, let device):
            for alert in alerts {
                try run("INSERT OR REPLACE INTO notification_told VALUES (?, ?, ?)", [alert, device, now])
            }
        case .settings(let change):
            let changed = try change.applied(to: settings)
            let text = String(decoding: changed.wire.canonicalBytes, as: UTF8.self)
            try run("UPDATE notification_state SET settings = ?", [text])
            settings = changed
            return NotificationOutcome(settings: changed)
        case .allow(let program, let isAllowed): return try allow(program, isAllowed)
        case .register(let device, let registration):
            guard let registration else {
                try run("DELETE FROM notification_push WHERE device = ?", [device])
                break
            }
            let text = String(decoding: registration.wire.canonicalBytes, as: UTF8.self)
            try run("INSERT OR REPLACE INTO notification_push VALUES (?, ?, ?)", [device, text, now])
        case .unregister(let device, let registration):
            let text = String(decoding: registration.wire.canonicalBytes, as: UTF8.self)
            try run("DELETE FROM notification_push WHERE device = ? AND registration = ?", [device, text])
        case .forget(let device):
            for table in ["cursor", "passage", "told", "push", "beginning"] {
                try run("DELETE FROM notification_\(table) WHERE device = ?", [device])
            }
        case .tidy: break
        }
        return NotificationOutcome()
    }

    /// Brings new rows into the full text, all of them in one statement: FTS5 writes its index out after each. To be called before the
    /// transaction ends, and before rows are changed or removed otherwise than by ``apply(_:)``.
    mutating func index() throws {
        guard let first = firstUnindexed else { return }
        try run(
            "INSERT INTO notification_words (rowid, words) SELECT alert, words FROM notification WHERE alert >= ?",
            [first]
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
        let names = """
            alert, sequence, device, sender, program, key, title, body, priority, isRead, isSilenced, origin, createdAt, \
            readAt, changedAt, data, icon, actions, canReply, progress, hasImage, words, isMirrored
            """
        if let key = new.key {
            // Whatever else has the key loses it.
            try run(
                "UPDATE notification SET key = NULL WHERE key IS NOT NULL AND program = ? AND key = ? AND id <> ?",
                [new.program, key, id]
            )
        }
        let marks = arguments.map { _ in "?" }.joined(separator: ", ")
        if let earlier {
            try run(
                "UPDATE notification SET (state, revision, \(names)) = (0, NULL, \(marks)) WHERE alert = ?",
                arguments + [earlier.alert]
            )
            if earlier.notification.hasImage { try run("DELETE FROM notification_image WHERE id = ?", [id]) }
            if alert != earlier.alert { try run("DELETE FROM notification_told WHERE alert = ?", [earlier.alert]) }
        } else {
            try run("INSERT INTO notification (id, \(names)) VALUES (?, \(marks))", [id] + arguments)
            firstUnindexed = firstUnindexed ?? alert
        }
        if let image = new.image {
            try run("INSERT OR REPLACE INTO notification_image VALUES (?, ?)", [id, Data(image)])
        }
        guard let row = try row(alert: alert) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
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
        let row = try fetch("key IS NOT NULL AND program = ? AND key = ?", [new.program, key])
        return row?.device == new.device ? row : nil
    }

    private func read(_ row: NotificationRow) throws -> NotificationChange? {
        guard row.standing != .deleted, !row.notification.isRead else { return nil }
        var row = row
        row.notification.isRead = true
        row.notification.readAt = now
        row.passOn(to: try nextSequence())
        try run(
            "UPDATE notification SET isRead = 1, readAt = ?, changedAt = ?, revision = ?, sequence = ? WHERE alert = ?",
            [now, now, row.notification.revision, row.sequence, row.alert]
        )
        return NotificationChange(kind: .changed, row: row)
    }

    /// Leaves a tombstone.
    private func bury(_ row: NotificationRow) throws -> NotificationChange? {
        guard row.standing != .deleted else { return nil }
        var row = row
        row.standing = .deleted
        row.notification.sequence = try nextSequence()
        try run(
            """
            UPDATE notification SET state = 2, sequence = ?, changedAt = ?, key = NULL, title = '', body = '', data = NULL,
                icon = NULL, actions = NULL, canReply = 0, progress = NULL, hasImage = 0, words = '' WHERE alert = ?
            """,
            [row.sequence, now, row.alert]
        )
        if row.notification.hasImage {
            try run("DELETE FROM notification_image WHERE id = ?", [row.notification.id])
        }
        try run("DELETE FROM notification_told WHERE alert = ?", [row.alert])
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
        try run(
            "UPDATE notification SET actions = NULL, canReply = 0, changedAt = ?, revision = ?, sequence = ? WHERE alert = ?",
            [now, row.notification.revision, row.sequence, row.alert]
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
        _ condition: String,
        _ arguments: [any DatabaseValueConvertible],
        by reader: NotificationReader,
        from: Int64,
        _ body: (NotificationRow) throws -> NotificationChange?
    ) throws -> NotificationOutcome {
        var (condition, arguments) = (condition + " AND alert > ?", arguments + [from])
        condition += reader.condition.sql
        arguments += reader.condition.arguments
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT \(NotificationRow.columns) FROM notification WHERE \(condition)
                    ORDER BY alert LIMIT \(Self.part)
                    """
            ),
            arguments: StatementArguments(arguments)
        ).map { NotificationRow($0) }
        var outcome = NotificationOutcome(known: rows.count, next: rows.count < Self.part ? nil : rows.last?.alert)
        for row in rows {
            if let change = try body(row) { outcome.changes.append(change) }
        }
        return outcome
    }

    private func allow(_ program: String, _ isAllowed: Bool) throws -> NotificationOutcome {
        if isAllowed {
            try run("DELETE FROM notification_denied WHERE program = ?", [program])
            return NotificationOutcome()
        }
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM notification_denied") ?? 0
        guard count < Self.deniedLimit else { return NotificationOutcome(isKept: false) }
        try run("INSERT OR IGNORE INTO notification_denied VALUES (?)", [program])
        return NotificationOutcome()
    }

    // MARK: SQL

    private func nextSequence() throws -> Int64 {
        try run("UPDATE notification_state SET sequence = sequence + 1", [])
        return try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT sequence FROM notification_state")
        ) ?? 0
    }

    private func row(id: String) throws -> NotificationRow? { try fetch("id = ?", [id]) }
    private func row(alert: Int64) throws -> NotificationRow? { try fetch("alert = ?", [alert]) }

    private func fetch(_ condition: String, _ arguments: StatementArguments) throws -> NotificationRow? {
        let sql = "SELECT \(NotificationRow.columns) FROM notification WHERE \(condition)"
        return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments).map { NotificationRow($0) }
    }

    private func run(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?]) throws {
        try database.cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
    }
}
