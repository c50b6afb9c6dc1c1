import GRDB
import Notifications

/// What leaves the history, as calls inside of a transaction.
struct NotificationTidying {
    /// Rows that one transaction looks at.
    static let part = 500
    /// Rows below the list, and as many tombstones.
    static let leftLimit = 10_000
    /// A tombstone stays so long, so that a second device's delete is a success, in milliseconds.
    static let mourning: Int64 = 86_400_000

    let database: Database
    let now: Int64
    let settings: NotificationSettings

    func tidy() throws {
        let passed = try NotificationCursors(database: database, now: now).passed()
        try trim(passed)
        try remove("state > 0 AND state = 1 AND sequence <= ?", [passed])
        try remove("state > 0 AND state = 2 AND sequence <= ? AND changedAt < ?", [passed, now - Self.mourning])
        try remove("state > 0 AND state = 2 AND changedAt < ?", [now - NotificationCursors.patience])
        for state in 1...2 {
            let last = try Int64.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT sequence FROM notification WHERE state > 0 AND state = ?
                        ORDER BY sequence DESC LIMIT 1 OFFSET \(Self.leftLimit)
                        """
                ),
                arguments: [state]
            )
            if let last { try remove("state > 0 AND state = ? AND sequence <= ?", [state, last]) }
        }
    }

    /// What goes beyond the limits leaves the list, the oldest first.
    private func trim(_ passed: Int64) throws {
        let total =
            try Int.fetchOne(database.cachedStatement(sql: "SELECT sum(total) FROM notification_count")) ?? 0
        var excess = total - settings.historyRows
        let oldest = now - Int64(settings.historyDays) * 86_400_000
        // Where all may stay, the oldest one tells so.
        let count = min(max(excess, 1), Self.part)
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT alert, sequence, createdAt FROM notification WHERE state = 0 ORDER BY alert LIMIT ?"
            ),
            arguments: [count]
        )
        for row in rows {
            let (alert, sequence, createdAt): (Int64, Int64, Int64) = (row["alert"], row["sequence"], row["createdAt"])
            guard excess > 0 || createdAt < oldest else { break }
            excess -= 1
            if sequence <= passed {
                try remove("alert = ?", [alert])
            } else {
                try database.cachedStatement(sql: "UPDATE notification SET state = 1 WHERE alert = ?")
                    .execute(arguments: [alert])
            }
        }
    }

    /// A phone that had not passed one of them begins from the start.
    private func remove(_ condition: String, _ arguments: StatementArguments) throws {
        let found = "SELECT alert, id, sequence FROM notification WHERE \(condition) LIMIT \(Self.part)"
        var highest: Int64 = 0
        for row in try Row.fetchAll(database.cachedStatement(sql: found), arguments: arguments) {
            let (alert, id, sequence): (Int64, String, Int64) = (row["alert"], row["id"], row["sequence"])
            highest = max(highest, sequence)
            try database.cachedStatement(sql: "DELETE FROM notification WHERE alert = ?").execute(arguments: [alert])
            try database.cachedStatement(sql: "DELETE FROM notification_image WHERE id = ?").execute(arguments: [id])
            try database.cachedStatement(sql: "DELETE FROM notification_told WHERE alert = ?")
                .execute(arguments: [alert])
        }
        guard highest > 0 else { return }
        try database.cachedStatement(sql: "UPDATE notification_state SET horizon = max(horizon, ?)")
            .execute(arguments: [highest])
        try database.cachedStatement(sql: "UPDATE notification_cursor SET isLost = 1 WHERE sequence < ?")
            .execute(arguments: [highest])
    }
}
