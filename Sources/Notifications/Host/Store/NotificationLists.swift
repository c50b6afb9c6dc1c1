import CommandServer
import GRDB
import Kernel
import Notifications
import Storage

/// Reading the history, as calls inside of a transaction.
struct NotificationLists {
    /// The highest number of matches that a search counts.
    static let countLimit = 1000
    /// Rows that one answer to a phone that catches up looks at.
    static let lookLimit = 2000

    let database: Database
    let reader: NotificationReader

    // MARK: Pages

    /// - Throws: ``NotificationsError/unknown(id:)`` for a place that is not there.
    func page(_ query: NotificationHistoryQuery) throws -> NotificationHistory {
        var before: Int64?
        if let id = query.before {
            before = try database.value("SELECT alert FROM notification WHERE id = \(id)")
            guard before != nil else { throw NotificationsError.unknown(id: id) }
        }
        // No history is longer, and what is added to an offset must not overflow.
        let offset = query.before == nil ? min(query.offset, Int(NotificationLimits.historyRows.upperBound)) : 0
        var history = NotificationHistory(notifications: [], total: 0, unreadCount: try unreadCount())
        history.upTo = try NotificationCursors(database: database, now: 0).state().sequence
        if let text = query.text, text.contains(where: { !$0.isWhitespace }) {
            guard let words = SearchWords(text) else { return history }
            let found = try search(words, query, before: before, offset: offset)
            (history.notifications, history.hasMore, history.total) = (found.rows, found.hasMore, found.total)
        } else {
            let page = Self.page(query, reader: reader, before: before, offset: offset)
            let rows = try database.rows(page).map { NotificationRow($0) }
            history.notifications = fitting(rows.prefix(query.limit))
            history.hasMore = history.notifications.count < rows.count
            history.total = try count(query)
        }
        return history
    }

    /// The statement that reads a page, and one row more than is asked for, which tells whether there are older ones.
    static func page(
        _ query: NotificationHistoryQuery,
        reader: NotificationReader,
        before: Int64?,
        offset: Int
    ) -> SQL {
        """
        SELECT \(NotificationRow.columns) FROM notification WHERE alert IN (
            SELECT alert FROM \(part(query, reader)) AND alert < \(before ?? .max)
            ORDER BY alert DESC LIMIT \(query.limit + 1) OFFSET \(offset)
        ) ORDER BY alert DESC
        """
    }

    /// The SQL that follows `FROM`, for the listed rows that are asked for. The index holds all that is asked of them.
    ///
    /// It is named: by its statistics SQLite would rather walk through the rows themselves, which are twenty times as wide.
    private static func part(_ query: NotificationHistoryQuery, _ reader: NotificationReader) -> SQL {
        let index: SQL = query.isUnreadOnly ? "notification_unread WHERE state < 2 AND" : "notification_listed WHERE"
        let conditions = (["state = 0"] + conditions(query, reader)).joined(separator: " AND ")
        return "notification INDEXED BY \(index) \(conditions)"
    }

    /// The conditions for a listed row.
    private static func conditions(_ query: NotificationHistoryQuery, _ reader: NotificationReader) -> [SQL] {
        var conditions = reader.conditions
        if query.isUnreadOnly { conditions.append("isRead = 0") }
        if let program = query.program { conditions.append("program = \(program)") }
        return conditions
    }

    private func search(
        _ words: SearchWords,
        _ query: NotificationHistoryQuery,
        before: Int64?,
        offset: Int
    ) throws -> (rows: [RemoteNotification], hasMore: Bool, total: Int) {
        let found = Self.found(words, query, reader: reader, before: before)
        func numbers(_ limit: Int, _ offset: Int) throws -> [Int64] {
            try database.values("\(found) LIMIT \(limit) OFFSET \(offset)")
        }
        // The page and the count are of one walk.
        let skipped = max(0, offset + query.limit - Self.countLimit)
        let window = try numbers(Self.countLimit, skipped)
        let total = window.isEmpty && skipped > 0 ? try numbers(Self.countLimit, 0).count : skipped + window.count
        let rest = window.dropFirst(offset - skipped)
        let rows = try rest.prefix(query.limit).compactMap { alert in
            try NotificationRow.first(database, "alert = \(alert)")
        }
        let told = fitting(rows)
        return (told, told.count < rest.count, total)
    }

    /// The statement that finds the numbers of rows with these words, the newest first; a limit and an offset are to follow it.
    ///
    /// The full text holds listed rows only and gives them in the list's order, so it is enough by itself, or asks a row for what it does not
    /// know.
    static func found(
        _ words: SearchWords,
        _ query: NotificationHistoryQuery,
        reader: NotificationReader,
        before: Int64?
    ) -> SQL {
        let asked = conditions(query, reader)
        var (expression, source): (String, SQL) = (words.expression, "notification_words")
        // Its name is among the words of each of its rows.
        if let name = query.program.flatMap({ SearchWords(phrase: $0) }) {
            expression = "\(name.expression) \(expression)"
        }
        var conditions: [SQL] = [
            "notification_words MATCH \(expression) AND notification_words.rowid < \(before ?? .max)"
        ]
        if query.isUnreadOnly {
            // Unread ones are mostly new: the walk ends at the oldest.
            conditions.append(
                """
                notification_words.rowid >= (
                    SELECT min(alert) FROM notification INDEXED BY notification_unread WHERE isRead = 0 AND state < 2
                )
                """
            )
        }
        if !asked.isEmpty { source += " CROSS JOIN notification ON notification.alert = notification_words.rowid" }
        return """
            SELECT notification_words.rowid FROM \(source) WHERE \((conditions + asked).joined(separator: " AND "))
            ORDER BY notification_words.rowid DESC
            """
    }

    /// The leading rows that fit into one answer; the first one always does.
    private func fitting(_ rows: some Sequence<NotificationRow>) -> [RemoteNotification] {
        var room = AnswerSize.byteLimit / 2 - 4096
        var fitting: [RemoteNotification] = []
        for row in rows {
            let told = row.told(to: reader)
            // The list is in the answer twice, under the documented name and that of existing programs.
            room -= AnswerSize.bytes(of: told.wire) + 1
            if room < 0, !fitting.isEmpty { break }
            fitting.append(told)
        }
        return fitting
    }

    // MARK: Counts

    func unreadCount() throws -> Int { try count(NotificationHistoryQuery(isUnreadOnly: true)) }

    private func count(_ query: NotificationHistoryQuery) throws -> Int {
        try database.value("SELECT count(*) FROM \(Self.part(query, reader))") ?? 0
    }

    // MARK: Catching up

    /// The changes after a number, in the order of numbers.
    func changes(after: Int64, limit: Int, isFromStart: Bool) throws -> NotificationChanges {
        let state = try NotificationCursors(database: database, now: 0).state()
        var page = NotificationChanges(
            epoch: state.epoch,
            changes: [],
            reached: after,
            hasMore: false,
            isFromStart: isFromStart,
            unreadCount: try unreadCount()
        )
        var room = AnswerSize.byteLimit - 4096
        var looked = 0
        let rows = try database.cursor(
            "SELECT \(NotificationRow.columns) FROM notification WHERE sequence > \(after) ORDER BY sequence"
        )
        while let next = try rows.next() {
            let row = NotificationRow(next)
            if reader.sees(row) {
                let change: NotificationChanges.Change =
                    row.standing == .deleted
                    ? .deleted(id: row.notification.id, sequence: row.sequence) : .kept(row.told(to: reader))
                room -= AnswerSize.bytes(of: change.wire) + 1
                guard page.changes.count < limit, room >= 0 || page.changes.isEmpty else {
                    page.hasMore = true
                    return page
                }
                page.changes.append(change)
            }
            looked += 1
            page.reached = row.sequence
            if looked == Self.lookLimit {
                page.hasMore = page.reached < state.sequence
                return page
            }
        }
        page.reached = max(page.reached, state.sequence)
        return page
    }
}
