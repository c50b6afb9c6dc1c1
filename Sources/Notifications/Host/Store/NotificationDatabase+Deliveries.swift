import GRDB
import Notifications
import Storage

/// The deliveries of notifications to phones, for the person at the computer.
extension NotificationDatabase {
    /// How far a phone has caught up.
    struct Cursor: Hashable, Sendable, Decodable, FetchableRecord {
        var device: String
        /// Everything up to this number is on it.
        var sequence: Int64
        /// When it said so last: milliseconds since 1970.
        var seenAt: Int64
        /// How many changes are still to come.
        var waiting: Int
    }

    /// The delivery of a notification to one phone.
    struct Delivery: Hashable, Sendable {
        var device: String
        /// Milliseconds since 1970; nil where it is not there yet.
        var at: Int64?
        /// It said so itself; else it was handed over, and no more is known.
        var isAcknowledged: Bool
    }

    /// Changes that are counted for one phone.
    private static let waitingLimit = 10_000

    func cursors() async throws -> [Cursor] {
        try await read { database in
            try SQLRequest<Cursor>(
                """
                SELECT device, sequence, seenAt, (
                    SELECT count(*) FROM (
                        SELECT 1 FROM notification WHERE notification.sequence > notification_cursor.sequence
                            AND notification.device IN ('', notification_cursor.device) LIMIT \(Self.waitingLimit)
                    )
                ) AS waiting FROM notification_cursor ORDER BY seenAt DESC
                """
            ).fetchAll(database)
        }
    }

    /// The deliveries to each phone that catches up, and to those that the notification was handed to.
    ///
    /// - Throws: ``NotificationsError/unknown(id:)``.
    func deliveries(of id: String) async throws -> [Delivery] {
        guard let row = try await row(id, for: .owner) else { throw NotificationsError.unknown(id: id) }
        return try await read { database in
            let passed = try database.rows(
                """
                SELECT device, sequence >= \(row.alert) AS isThere, (
                    SELECT at FROM notification_passage WHERE notification_passage.device = notification_cursor.device
                        AND notification_passage.sequence >= \(row.alert) ORDER BY notification_passage.sequence LIMIT 1
                ) AS at FROM notification_cursor WHERE \(row.device) IN ('', device)
                """
            ).map { each in
                let isThere: Bool = each["isThere"]
                return Delivery(device: each["device"], at: isThere ? each["at"] : nil, isAcknowledged: isThere)
            }
            let told = try database.rows("SELECT device, at FROM notification_told WHERE alert = \(row.alert)").map {
                Delivery(device: $0["device"], at: $0["at"], isAcknowledged: false)
            }
            let known = Set(passed.map(\.device))
            return passed + told.filter { !known.contains($0.device) }
        }
    }
}
