import GRDB
import Kernel
import Notifications
import Storage

/// Removal of old rows from the history, as calls inside of a transaction.
struct NotificationTidying {
    /// Rows that one transaction looks at.
    static let part = 500
    /// Rows below the list, and as many tombstones. More than a phone keeps of one computer.
    static let leftLimit = 10_000
    /// How long a tombstone stays, in milliseconds, so that a second device's delete is a success.
    static let mourning: Int64 = 86_400_000

    let database: Database
    let now: Int64
    let settings: NotificationSettings

    /// - Returns: False where there is more to do than one transaction should.
    func tidy() throws -> Bool {
        let cursors = NotificationCursors(database: database, now: now)
        let passed = try cursors.passed()
        let oldest = now - Int64(settings.historyDays) * 86_400_000
        var isDone = try trim(passed, oldest: oldest)
        // Rows that left for the number of rows stay for their days: phones have them still, and their marks are for all of them.
        let until = try cursors.hasActive() ? oldest : .max
        isDone = try remove("state = 1 AND createdAt < \(until) AND sequence <= \(passed)") && isDone
        isDone = try removeTombstones(upTo: passed, before: now - Self.mourning) && isDone
        isDone = try removeTombstones(upTo: .max, before: now - NotificationCursors.patience) && isDone
        for state in 1...2 {
            let last: Int64? = try database.value(
                """
                SELECT sequence FROM notification WHERE state > 0 AND state = \(state)
                ORDER BY sequence DESC LIMIT 1 OFFSET \(Self.leftLimit)
                """
            )
            if let last { isDone = try remove("state > 0 AND state = \(state) AND sequence <= \(last)") && isDone }
        }
        return isDone
    }

    /// Takes rows beyond the limits out of the list, the oldest first.
    private func trim(_ passed: Int64, oldest: Int64) throws -> Bool {
        // The newest row beyond the limit.
        let edge: Int64? = try database.value(
            """
            SELECT alert FROM notification INDEXED BY notification_listed WHERE state = 0
            ORDER BY alert DESC LIMIT 1 OFFSET \(settings.historyRows)
            """
        )
        let rows = try database.cursor(
            """
            SELECT alert, sequence, createdAt FROM notification INDEXED BY notification_listed WHERE state = 0
            ORDER BY alert LIMIT \(Self.part)
            """
        )
        var leaving: [(alert: Int64, isOver: Bool)] = []
        while let row = try rows.next() {
            let (alert, sequence, createdAt): (Int64, Int64, Int64) = (row["alert"], row["sequence"], row["createdAt"])
            guard alert <= edge ?? .min || createdAt < oldest else { break }
            leaving.append((alert, createdAt < oldest && sequence <= passed))
        }
        let (over, hidden) = (leaving.filter(\.isOver), leaving.filter { !$0.isOver })
        if !over.isEmpty {
            _ = try remove("alert IN (SELECT value FROM json_each(\(Self.list(over.map(\.alert)))))")
        }
        if !hidden.isEmpty {
            let alerts = Self.list(hidden.map(\.alert))
            // Ten thousand rows may stay below the list, which is too much room for their pictures.
            try database.run(
                """
                DELETE FROM notification_image WHERE id IN (
                    SELECT id FROM notification WHERE alert IN (SELECT value FROM json_each(\(alerts))) AND hasImage
                )
                """
            )
            try database.run(
                "UPDATE notification SET state = 1 WHERE alert IN (SELECT value FROM json_each(\(alerts)))"
            )
        }
        return leaving.count < Self.part
    }

    /// Tombstones got their numbers in the order of their times, so the first that is too young ends the walk: most writes look at one.
    ///
    /// - Parameter before: Milliseconds since 1970.
    private func removeTombstones(upTo sequence: Int64, before: Int64) throws -> Bool {
        let rows = try database.cursor(
            """
            SELECT sequence, changedAt FROM notification WHERE state > 0 AND state = 2 AND sequence <= \(sequence)
            ORDER BY sequence LIMIT \(Self.part)
            """
        )
        var last: Int64?
        while let row = try rows.next(), row["changedAt"] < before { last = row["sequence"] }
        guard let last else { return true }
        return try remove("state > 0 AND state = 2 AND sequence <= \(last)")
    }

    /// A phone that had not passed one of them begins from the start.
    ///
    /// - Returns: False where there may be more of them.
    private func remove(_ condition: SQL) throws -> Bool {
        var highest: Int64 = 0
        let rows = try database.rows(
            "SELECT alert, id, sequence FROM notification WHERE \(condition) LIMIT \(Self.part)"
        )
        for row in rows {
            let (id, sequence): (String, Int64) = (row["id"], row["sequence"])
            highest = max(highest, sequence)
            try database.run("DELETE FROM notification_image WHERE id = \(id)")
        }
        guard highest > 0 else { return true }
        let alerts = Self.list(rows.map { $0["alert"] })
        // One statement for all of them, since FTS5 writes its index out after each.
        for table in ["notification", "notification_told"] {
            try database.run("DELETE FROM \(sql: table) WHERE alert IN (SELECT value FROM json_each(\(alerts)))")
        }
        try database.run("UPDATE notification_state SET horizon = max(horizon, \(highest))")
        try database.run("UPDATE notification_cursor SET isLost = 1 WHERE sequence < \(highest)")
        return rows.count < Self.part
    }

    /// Numbers of rows as one argument of a statement.
    private static func list(_ alerts: [Int64]) -> String {
        JSONValue.array(alerts.map(JSONValue.integer)).canonicalText
    }
}
