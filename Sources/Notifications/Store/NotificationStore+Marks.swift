package import Foundation
import GRDB
import Kernel

/// Marks of the person that the computer does not know yet.
extension NotificationStore {
    /// Shows a mark, which a command carries to the computer. A banner that is being shown counts as shown: where the mark is lost with the
    /// program, it does not appear a second time.
    ///
    /// - Returns: Also the mark as it goes to the computer: with the last change that was here at this moment, where it has no number.
    package func mark(
        _ mark: NotificationMark,
        at computer: String,
        by command: UUID
    ) async throws -> (news: NotificationNews, mark: NotificationMark) {
        try await database.write { database in
            // In one transaction with the rows: what they say here is what the person can have seen.
            let cursor = try NotificationCursor(database, computer)
            // While the list comes anew, rows of the one before are seen too, which stand beyond how far this one is.
            let numbered = mark.numbered(cursor.isRebuilding ? nil : cursor.position.seen)
            let name = RowMark(command, numbered).text
            var ids: [String] = []
            for (condition, arguments) in Self.conditions(mark) {
                ids += try String.fetchAll(
                    database.cachedStatement(
                        sql:
                            "SELECT id FROM notificationInbox WHERE computer = ? AND deletedBy IS NULL AND \(condition)"
                    ),
                    arguments: StatementArguments([computer] + arguments)
                )
            }
            let column = mark.deletes ? "deletedBy" : "readBy"
            var news = NotificationNews(computer: computer)
            for id in ids {
                try database.cachedStatement(
                    sql: """
                        INSERT OR IGNORE INTO notificationWithdrawal
                        SELECT computer, id FROM notificationInbox WHERE computer = ? AND id = ? AND isShown = 1
                        """
                ).execute(arguments: [computer, id])
                let row = try Row.fetchOne(
                    database.cachedStatement(
                        sql: """
                            UPDATE notificationInbox SET \(column) = ?, isShown = 0,
                                presented = iif(isShown, max(presented, alert), presented)
                            WHERE computer = ? AND id = ? RETURNING *
                            """
                    ),
                    arguments: [name, computer, id]
                )
                if mark.deletes {
                    news.removed.append(id)
                } else if let kept = row.flatMap(Self.kept) {
                    news.changed.append(kept)
                }
            }
            news.unread = try Self.unread(database, of: computer)
            return (news: news, mark: numbered)
        }
    }

    /// Moves the marks of one command to another command.
    func join(_ command: UUID, to other: UUID) async throws {
        let texts = RowMark.texts(of: command)
        let name = RowMark.name(of: other)
        try await database.write { database in
            for column in ["readBy", "deletedBy"] {
                try database.execute(
                    sql: """
                        UPDATE notificationInbox SET \(column) = ? || substr(\(column), \(RowMark.nameLength + 1))
                        WHERE \(column) >= ? AND \(column) < ?
                        """,
                    arguments: [name, texts.lowerBound, texts.upperBound]
                )
            }
        }
    }

    /// Ends the marks of a command that is done, or will not be done: then it is as if the person had not marked anything.
    ///
    /// - Returns: The news of each computer; a command belongs to one.
    package func end(_ command: UUID, isDone: Bool) async throws -> [NotificationNews] {
        try await database.write { try Self.end($0, RowMark.texts(of: command), isDone: isDone) }
    }

    /// The commands that carry marks.
    package func marks() async throws -> Set<UUID> {
        try await database.read { database in
            let names = try String.fetchAll(
                database,
                sql: """
                    SELECT readBy FROM notificationInbox WHERE readBy IS NOT NULL
                    UNION SELECT deletedBy FROM notificationInbox WHERE deletedBy IS NOT NULL AND deletedBy <> ''
                    """
            )
            return Set(names.compactMap { RowMark($0)?.command })
        }
    }

    /// - Parameter computer: Nil: any.
    static func isWaiting(_ database: Database, _ computer: String?) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM notificationInbox
                        WHERE (readBy IS NOT NULL OR deletedBy IS NOT NULL)
                            AND (readBy IS NOT NULL OR length(deletedBy) >= \(RowMark.nameLength)) AND computer = ifnull(?, computer)
                    )
                    """
            ),
            arguments: [computer]
        ) ?? false
    }

    private static func end(
        _ database: Database,
        _ texts: Range<String>,
        isDone: Bool
    ) throws -> [NotificationNews] {
        let range: StatementArguments = [texts.lowerBound, texts.upperBound]
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT computer, id, readBy, deletedBy FROM notificationInbox
                    WHERE (readBy >= ? AND readBy < ?) OR (deletedBy >= ? AND deletedBy < ?)
                    """
            ),
            arguments: range + range
        )
        guard !rows.isEmpty else { return [] }
        if isDone {
            try database.execute(
                sql: """
                    UPDATE notificationInbox SET isRead = 1, presented = max(presented, alert), readBy = NULL
                    WHERE readBy >= ? AND readBy < ?
                    """,
                arguments: range
            )
            try database.execute(
                sql: "DELETE FROM notificationInbox WHERE deletedBy >= ? AND deletedBy < ? AND sequence IS NULL",
                arguments: range
            )
            // The row goes when the computer tells of it, so that nothing that was told earlier brings it back.
            try database.execute(
                sql: """
                    UPDATE notificationInbox SET deletedBy = substr(deletedBy, \(RowMark.nameLength + 1))
                    WHERE deletedBy >= ? AND deletedBy < ?
                    """,
                arguments: range
            )
        } else {
            try database.execute(
                sql: "UPDATE notificationInbox SET readBy = NULL WHERE readBy >= ? AND readBy < ?",
                arguments: range
            )
            try database.execute(
                sql: "UPDATE notificationInbox SET deletedBy = NULL WHERE deletedBy >= ? AND deletedBy < ?",
                arguments: range
            )
        }
        var news: [String: NotificationNews] = [:]
        for row in rows {
            let (computer, id): (String, String) = (row["computer"], row["id"])
            news[computer, default: NotificationNews(computer: computer)].isSettled = true
            let now = try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT * FROM notificationInbox WHERE computer = ? AND id = ? AND deletedBy IS NULL"
                ),
                arguments: [computer, id]
            )
            guard let kept = now.flatMap(Self.kept) else { continue }
            news[computer]?.changed.append(kept)
        }
        for computer in news.keys { news[computer]?.unread = try unread(database, of: computer) }
        return Array(news.values)
    }

    private static func conditions(_ mark: NotificationMark) -> [(String, [any DatabaseValueConvertible])] {
        let upTo = "(sequence IS NULL OR ifnull(json_extract(row, '$.revision'), sequence) <= ?)"
        switch mark {
        case .read(let ids, _): return ids.map { ("id = ? AND isRead = 0 AND readBy IS NULL", [$0]) }
        case .allRead(let number): return [("isRead = 0 AND readBy IS NULL AND \(upTo)", [number ?? .max])]
        case .deleted(let ids, _): return ids.map { ("id = ?", [$0]) }
        case .cleared(let number): return [(upTo, [number ?? .max])]
        case .forgotten(let old):
            var condition = "createdAt < ?"
            if let origin = old.origin { condition += " AND json_extract(row, '$.source') = '\(origin.rawValue)'" }
            return [(condition, [old.before ?? .max])]
        }
    }
}

extension NotificationMark {
    fileprivate var deletes: Bool {
        switch self {
        case .read, .allRead: false
        case .deleted, .cleared, .forgotten: true
        }
    }
}
