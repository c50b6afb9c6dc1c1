import GRDB
import Kernel
import Storage

/// The rows of one computer inside of a transaction, and what changed in it.
struct NotificationRows {
    /// A row as it was before.
    private struct Old {
        let position: Int64
        let createdAt: Int64
        let alert: Int64
        let presented: Int64
        let isShown: Bool
        let isRead: Bool
        let generation: Int64
        let readBy: String?
        let deletedBy: String?

        init(_ row: Row) {
            position = row["position"]
            createdAt = row["createdAt"]
            alert = row["alert"]
            presented = row["presented"]
            isShown = row["isShown"]
            isRead = row["isRead"]
            generation = row["generation"]
            readBy = row["readBy"]
            deletedBy = row["deletedBy"]
        }
    }

    /// A row that changed.
    private struct Changed {
        var isNew: Bool
        /// The notification as it is told; nil: it is read when the transaction ends.
        var kept: KeptNotification?
    }

    private let database: Database
    private let isEnabled: Bool
    var cursor: NotificationCursor
    private(set) var news: NotificationNews
    /// The place of the first row in the list.
    private var first: (createdAt: Int64, alert: Int64)?
    private var changedIDs: [String: Changed] = [:]
    private var order: [String] = []

    init(_ database: Database, _ computer: String) throws {
        self.database = database
        cursor = try NotificationCursor.read(database, computer)
        isEnabled = try NotificationStore.settings(database).enabled
        news = NotificationNews(computer: computer)
        first = try database.row(
            """
            SELECT createdAt, alert FROM notificationInbox WHERE computer = \(computer)
            ORDER BY createdAt DESC, position DESC LIMIT 1
            """
        ).map { ($0["createdAt"], $0["alert"]) }
    }

    private var computer: String { cursor.computer }

    // MARK: One row

    /// The mark of a row, where it is about the row as it is now. Another mark is none of it any more.
    private static func held(_ mark: String?, _ notification: RemoteNotification) -> String? {
        mark.flatMap { RowMark($0)?.reaches(notification) == true ? $0 : nil }
    }

    /// Takes a notification as it stands now.
    ///
    /// - Parameters:
    ///   - alert: The number under which it wants to be noticed; nil where it stays as it was.
    ///   - isHistory: It was there before this phone asked first: no news.
    mutating func put(_ notification: RemoteNotification, alert: Int64?, isHistory: Bool = false) throws {
        let old = try old(notification.id)
        let alert = max(0, alert ?? old?.alert ?? 0)
        let isAnew =
            if let old {
                // A first list that does not say what is history settles no number.
                alert > old.alert && (alert > cursor.settled || cursor.settled == .max)
            } else {
                !isHistory && isNews(notification, alert)
            }
        let isForeignRow = cursor.isForeign && (old?.generation ?? cursor.generation) < cursor.generation
        let presented: Int64
        if notification.isRead || notification.isSilenced || !isEnabled {
            presented = max(alert, old?.presented ?? 0)
        } else if isForeignRow, let old {
            // The numbers before were of another database: what was shown is not shown again.
            presented = old.presented >= old.alert ? alert : alert - 1
        } else if !isAnew, alert > old?.alert ?? -1 {
            presented = alert
        } else {
            presented = old?.presented ?? -1
        }
        // A mark that waits is about what it said before.
        let wantsNotice = isAnew && !isForeignRow
        let text = notification.wire.canonicalText
        if let old, old.isShown, notification.isRead { try withdraw(notification.id) }
        let isShown = old?.isShown == true && !notification.isRead
        let (readBy, deletedBy): (String?, String?) =
            wantsNotice
            ? (nil, nil) : (Self.held(old?.readBy, notification), Self.held(old?.deletedBy, notification))
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO notificationInbox (computer, id, createdAt, sequence, alert, presented, isShown, isRead,
                    readBy, deletedBy, generation, bytes, row)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (computer, id) DO UPDATE SET createdAt = excluded.createdAt, sequence = excluded.sequence,
                    alert = excluded.alert, presented = excluded.presented, isShown = excluded.isShown,
                    isRead = excluded.isRead, readBy = excluded.readBy, deletedBy = excluded.deletedBy,
                    generation = excluded.generation, bytes = excluded.bytes, row = excluded.row
                RETURNING position
                """
        )
        let createdAt = isForeignRow ? notification.createdAt : listed(notification, alert, old)
        if createdAt >= first?.createdAt ?? .min { first = (createdAt, alert) }
        let arguments: StatementArguments = [
            computer, notification.id, createdAt, notification.sequence, alert, presented, isShown,
            notification.isRead, readBy, deletedBy, cursor.generation, text.utf8.count, text,
        ]
        let position = try Int64.fetchOne(statement, arguments: arguments)
        // The row as written, where no mark waits: reading it again is a tenth of what a phone does to catch up.
        var kept: KeptNotification?
        if let position, readBy == nil, deletedBy == nil {
            let place = NotificationPlace(createdAt: createdAt, position: position)
            kept = KeptNotification(computer: computer, notification: notification, isWaiting: false, place: place)
        }
        note(notification.id, isNew: wantsNotice, isRead: notification.isRead, kept)
        if wantsNotice, !notification.isRead, !notification.isSilenced, isEnabled {
            news.banners.insert(notification.id)
        } else if wantsNotice || notification.isRead {
            // It may have been told earlier in this transaction, and been read on another device since.
            news.banners.remove(notification.id)
        }
    }

    /// The time by which it stands in the list: when it was said, and behind none that wanted to be noticed before it, since the computer's
    /// clock may have been put back in between.
    private func listed(_ notification: RemoteNotification, _ alert: Int64, _ old: Old?) -> Int64 {
        if let old, old.alert == alert { return max(notification.createdAt, old.createdAt) }
        guard notification.sequence != nil, let first, alert > first.alert, first.createdAt < .max else {
            return notification.createdAt
        }
        // A new row stands before those of its time; one that is here keeps its place among them.
        return max(notification.createdAt, old == nil ? first.createdAt : first.createdAt + 1)
    }

    /// Whether a notification that this phone does not hold was never held by it.
    private func isNews(_ notification: RemoteNotification, _ alert: Int64) -> Bool {
        guard notification.sequence != nil else { return true }
        // Rows of another database may have gone from here; one that is later than all of them never was here.
        return alert > cursor.settled && (!cursor.isForeign || notification.createdAt > cursor.newest)
    }

    mutating func remove(_ id: String) throws {
        guard let old = try old(id) else { return }
        if old.isShown { try withdraw(id) }
        try database.run("DELETE FROM notificationInbox WHERE position = \(old.position)")
        changedIDs[id] = nil
        news.banners.remove(id)
        if old.deletedBy == nil { news.removed.append(id) }
    }

    private func old(_ id: String) throws -> Old? {
        try database.row("SELECT * FROM notificationInbox WHERE computer = \(computer) AND id = \(id)").map(Old.init)
    }

    private func withdraw(_ id: String) throws {
        try database.run("INSERT OR IGNORE INTO notificationWithdrawal VALUES (\(computer), \(id))")
    }

    private mutating func note(_ id: String, isNew: Bool, isRead: Bool, _ kept: KeptNotification? = nil) {
        let known = changedIDs[id]
        if known == nil { order.append(id) }
        changedIDs[id] = Changed(isNew: !isRead && (isNew || known?.isNew == true), kept: kept)
    }

    // MARK: Many

    /// Removes what did not come with the list that came anew.
    mutating func removeEarlierGenerations() throws {
        try removeAll(where: "generation < \(cursor.generation)")
    }

    mutating func removeAll(where condition: SQL) throws {
        let ids: [String] = try database.values(
            "SELECT id FROM notificationInbox WHERE computer = \(computer) AND \(condition)"
        )
        for id in ids { try remove(id) }
    }

    /// Marks the oldest unread rows read where the computer counts fewer unread ones: rows that left its lists by age or number are not
    /// told one by one. Those that were not shown yet are shown first.
    mutating func follow(unread count: Int) throws {
        let unread: Int? = try database.value(
            "SELECT COUNT(*) FROM notificationInbox WHERE computer = \(computer) AND isRead = 0"
        )
        guard let unread, unread > count else { return }
        let ids: [String] = try database.values(
            """
            SELECT id FROM notificationInbox WHERE computer = \(computer) AND isRead = 0
            ORDER BY createdAt, position LIMIT \(unread - count)
            """
        )
        for id in ids {
            try database.run(
                """
                UPDATE notificationInbox SET isRead = 1
                WHERE computer = \(computer) AND id = \(id) AND presented >= alert
                """
            )
            if database.changesCount > 0 { note(id, isNew: false, isRead: true) }
        }
    }

    /// Keeps within the bounds: the oldest go.
    mutating func trim(_ bounds: NotificationStore.Bounds, isBehind: Bool) throws {
        let row = try database.row(
            "SELECT COUNT(*) AS rows, SUM(bytes) AS bytes FROM notificationInbox WHERE computer = \(computer)"
        )
        guard let row else { return }
        let (rows, bytes): (Int, Int) = (row["rows"], row["bytes"] ?? 0)
        let (limit, byteLimit) =
            isBehind ? (bounds.rowsWhileBehind, bounds.bytesWhileBehind) : (bounds.rows, bounds.bytes)
        guard rows > limit || bytes > byteLimit else { return }
        // Rows still to be shown stay, except where a computer sends without end.
        let spared: SQL = isBehind ? "1" : "(presented >= alert OR isRead = 1) AND readBy IS NULL"
        try removeAll(
            where: """
                \(spared) AND position IN (
                    SELECT position FROM (
                        SELECT position, ROW_NUMBER() OVER newest AS number, SUM(bytes) OVER newest AS total
                        FROM notificationInbox WHERE computer = \(computer)
                        WINDOW newest AS (ORDER BY createdAt DESC, position DESC ROWS UNBOUNDED PRECEDING)
                    ) WHERE number > \(limit) OR total > \(byteLimit)
                )
                """
        )
    }

    /// Writes down where the phone stands, and says what changed.
    mutating func finish() throws -> NotificationNews {
        if !cursor.isForeign {
            let newest: Int64? = try database.value(
                "SELECT MAX(createdAt) FROM notificationInbox WHERE computer = \(computer)"
            )
            cursor.newest = max(cursor.newest, newest ?? 0)
        }
        try cursor.save(database)
        for id in order {
            guard let changed = changedIDs[id] else { continue }
            if let kept = changed.kept {
                tell(kept, isNew: changed.isNew)
                continue
            }
            guard let kept = try NotificationStore.kept(database, computer, id) else { continue }
            tell(kept, isNew: changed.isNew)
        }
        news.unread = try NotificationStore.unread(database, of: computer)
        return news
    }

    private mutating func tell(_ kept: KeptNotification, isNew: Bool) {
        if isNew { news.new.append(kept) } else { news.changed.append(kept) }
    }
}
