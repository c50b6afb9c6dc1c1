import GRDB
import Storage

/// The banners that are still to be shown, and those to be withdrawn.
extension NotificationStore {
    /// Banners of one computer that are shown at one time.
    private static let showLimit = 200

    private static let isToShow: SQL = "alert > presented AND isRead = 0 AND readBy IS NULL AND deletedBy IS NULL"

    /// A notification and the number under which it wants to be noticed.
    package struct ToShow: Hashable, Sendable {
        package let kept: KeptNotification
        package let alert: Int64
    }

    /// Takes the oldest of one computer; empty where nothing is to be shown. From here on they may be on the screen: one that is read is
    /// withdrawn, also where the program ends before ``noteShown(_:)``, and an earlier note to withdraw it is void.
    package func beginShowing() async throws -> [ToShow] {
        let isIdle = try await database.read { database in
            (try database.value("SELECT 1 FROM notificationInbox WHERE \(Self.isToShow) LIMIT 1") as Bool?) == nil
        }
        guard !isIdle else { return [] }
        return try await database.write { database in
            let computer: String? = try database.value(
                "SELECT computer FROM notificationInbox WHERE \(Self.isToShow) ORDER BY computer LIMIT 1"
            )
            guard let computer else { return [] }
            let rows = try database.rows(
                """
                SELECT * FROM notificationInbox WHERE computer = \(computer) AND \(Self.isToShow)
                ORDER BY alert, position LIMIT \(Self.showLimit)
                """
            )
            for row in rows {
                let (position, id): (Int64, String) = (row["position"], row["id"])
                try database.run("UPDATE notificationInbox SET isShown = 1 WHERE position = \(position)")
                try database.run("DELETE FROM notificationWithdrawal WHERE computer = \(computer) AND id = \(id)")
            }
            return rows.compactMap { row in Self.kept(row).map { ToShow(kept: $0, alert: row["alert"]) } }
        }
    }

    /// Notes that these were shown, so that they are not shown again under these numbers. One that was read meanwhile is to be withdrawn.
    package func noteShown(_ shown: [ToShow]) async throws {
        try await database.write { database in
            for one in shown {
                let id = one.kept.id
                let isRead: Bool? = try database.value(
                    """
                    UPDATE notificationInbox SET presented = max(presented, \(one.alert)),
                        isShown = isRead = 0 AND readBy IS NULL AND deletedBy IS NULL
                    WHERE computer = \(id.computer) AND id = \(id.notification) RETURNING isShown = 0
                    """
                )
                guard isRead ?? true else { continue }
                try database.run(
                    "INSERT OR IGNORE INTO notificationWithdrawal VALUES (\(id.computer), \(id.notification))"
                )
            }
        }
    }

    /// Banners that were shown and are read or deleted by now.
    package func toWithdraw() async throws -> [KeptNotification.ID] {
        try await database.read { database in
            try database.rows("SELECT computer, id FROM notificationWithdrawal LIMIT 500").map {
                KeptNotification.ID(computer: $0["computer"], notification: $0["id"])
            }
        }
    }

    package func noteWithdrawn(_ ids: [KeptNotification.ID]) async throws {
        try await database.write { database in
            for id in ids {
                try database.run(
                    "DELETE FROM notificationWithdrawal WHERE computer = \(id.computer) AND id = \(id.notification)"
                )
            }
        }
    }
}
