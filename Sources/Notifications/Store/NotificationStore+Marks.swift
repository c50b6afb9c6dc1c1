package import Foundation
import GRDB
import Kernel
import Storage

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
            let cursor = try NotificationCursor.read(database, computer)
            // While the list comes anew, rows of the one before are seen too, which stand beyond how far this one is.
            let numbered = mark.numbered(cursor.isRebuilding ? nil : cursor.position.seen)
            let name = RowMark(command, numbered).text
            var ids: [String] = []
            for condition in Self.conditions(mark) {
                ids += try database.values(
                    "SELECT id FROM notificationInbox WHERE computer = \(computer) AND deletedBy IS NULL AND \(condition)"
                )
            }
            let column: SQL = mark.deletes ? "deletedBy" : "readBy"
            var news = NotificationNews(computer: computer)
            for id in ids {
                try database.run(
                    """
                    INSERT OR IGNORE INTO notificationWithdrawal
                    SELECT computer, id FROM notificationInbox WHERE computer = \(computer) AND id = \(id) AND isShown = 1
                    """
                )
                let row = try database.row(
                    """
                    UPDATE notificationInbox SET \(column) = \(name), isShown = 0,
                        presented = iif(isShown, max(presented, alert), presented)
                    WHERE computer = \(computer) AND id = \(id) RETURNING *
                    """
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
            for column: SQL in ["readBy", "deletedBy"] {
                try database.run(
                    """
                    UPDATE notificationInbox SET \(column) = \(name) || substr(\(column), \(RowMark.nameLength + 1))
                    WHERE \(column) >= \(texts.lowerBound) AND \(column) < \(texts.upperBound)
                    """
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
            let names: [String] = try database.values(
                """
                SELECT readBy FROM notificationInbox WHERE readBy IS NOT NULL
                UNION SELECT deletedBy FROM notificationInbox WHERE deletedBy IS NOT NULL AND deletedBy <> ''
                """
            )
            return Set(names.compactMap { RowMark($0)?.command })
        }
    }

    /// - Parameter computer: Nil: any.
    static func isWaiting(_ database: Database, _ computer: String?) throws -> Bool {
        try database.value(
            """
            SELECT EXISTS (
                SELECT 1 FROM notificationInbox
                WHERE (readBy IS NOT NULL OR deletedBy IS NOT NULL)
                    AND (readBy IS NOT NULL OR length(deletedBy) >= \(RowMark.nameLength))
                    AND computer = ifnull(\(computer), computer)
            )
            """
        ) ?? false
    }

    private static func end(
        _ database: Database,
        _ texts: Range<String>,
        isDone: Bool
    ) throws -> [NotificationNews] {
        let reads: SQL = "readBy >= \(texts.lowerBound) AND readBy < \(texts.upperBound)"
        let deletes: SQL = "deletedBy >= \(texts.lowerBound) AND deletedBy < \(texts.upperBound)"
        let rows = try database.rows(
            "SELECT computer, id FROM notificationInbox WHERE (\(reads)) OR (\(deletes))"
        )
        guard !rows.isEmpty else { return [] }
        if isDone {
            try database.run(
                """
                UPDATE notificationInbox SET isRead = 1, presented = max(presented, alert), readBy = NULL
                WHERE \(reads)
                """
            )
            try database.run("DELETE FROM notificationInbox WHERE \(deletes) AND sequence IS NULL")
            // The row goes when the computer tells of it, so that nothing that was told earlier brings it back.
            try database.run(
                """
                UPDATE notificationInbox SET deletedBy = substr(deletedBy, \(RowMark.nameLength + 1))
                WHERE \(deletes)
                """
            )
        } else {
            try database.run("UPDATE notificationInbox SET readBy = NULL WHERE \(reads)")
            try database.run("UPDATE notificationInbox SET deletedBy = NULL WHERE \(deletes)")
        }
        var news: [String: NotificationNews] = [:]
        for row in rows {
            let (computer, id): (String, String) = (row["computer"], row["id"])
            news[computer, default: NotificationNews(computer: computer)].isSettled = true
            guard let kept = try Self.kept(database, computer, id) else { continue }
            news[computer]?.changed.append(kept)
        }
        for computer in news.keys { news[computer]?.unread = try unread(database, of: computer) }
        return Array(news.values)
    }

    private static func conditions(_ mark: NotificationMark) -> [SQL] {
        func said(by number: Int64?) -> SQL {
            "(sequence IS NULL OR ifnull(json_extract(row, '$.revision'), sequence) <= \(number ?? .max))"
        }
        switch mark {
        case .read(let ids, _): return ids.map { "id = \($0) AND isRead = 0 AND readBy IS NULL" }
        case .allRead(let number): return ["isRead = 0 AND readBy IS NULL AND \(said(by: number))"]
        case .deleted(let ids, _): return ids.map { "id = \($0)" }
        case .cleared(let number): return [said(by: number)]
        case .forgotten(let old):
            var condition: SQL = "createdAt < \(old.before ?? .max)"
            if let origin = old.origin { condition += " AND json_extract(row, '$.source') = \(origin.rawValue)" }
            return [condition]
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
