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
            before = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT alert FROM notification WHERE id = ?"),
                arguments: [id]
            )
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
            // One more than is asked for tells whether there are older ones.
            var wider = query
            wider.limit += 1
            let rows = try list(wider, before: before, offset: offset)
            history.notifications = fitting(rows.prefix(query.limit))
            history.hasMore = history.notifications.count < rows.count
            history.total = try total(query)
        }
        return history
    }

    /// Reads a page by merging: each audience has an index in the list's order, and SQLite merges what comes from them.
    private func list(_ query: NotificationHistoryQuery, before: Int64?, offset: Int) throws -> [NotificationRow] {
        if reader.isLimited { return try listUnmirrored(query, before: before, offset: offset) }
        var (before, skipped) = (before ?? .max, 0)
        if offset > 0 {
            guard let start = try start(of: query, behind: offset) else { return [] }
            (before, skipped) = start
        }
        let place = Self.numbers(query, reader: reader, hasOwn: try hasOwn())
        let sql = """
            SELECT \(NotificationRow.columns) FROM notification
            WHERE alert IN (\(place.sql)) ORDER BY alert DESC
            """
        return try Row.fetchAll(
            database.cachedStatement(sql: sql),
            arguments: StatementArguments(place.arguments(before, query.limit, skipped))
        ).map { NotificationRow($0) }
    }

    /// The part that a phone without the right to all sees: an index of its own holds it.
    private func listUnmirrored(
        _ query: NotificationHistoryQuery,
        before: Int64?,
        offset: Int
    ) throws -> [NotificationRow] {
        let part = unmirrored(query.isUnreadOnly, program: query.program)
        let sql = """
            SELECT \(NotificationRow.columns) FROM notification WHERE alert IN (
                SELECT alert FROM \(part.sql) AND alert < ? ORDER BY alert DESC LIMIT ? OFFSET ?
            ) ORDER BY alert DESC
            """
        return try Row.fetchAll(
            database.cachedStatement(sql: sql),
            arguments: StatementArguments(part.arguments + [before ?? .max, query.limit, offset])
        ).map { NotificationRow($0) }
    }

    /// The SQL that follows `FROM`, and its arguments, for rows that a phone without the right to all sees.
    private func unmirrored(
        _ isUnreadOnly: Bool,
        program: String?
    ) -> (sql: String, arguments: [any DatabaseValueConvertible]) {
        var (sql, arguments) = reader.condition
        if isUnreadOnly { sql += " AND isRead = 0" }
        if let program {
            sql += " AND program = ?"
            arguments.append(program)
        }
        return ("notification INDEXED BY notification_unmirrored WHERE state = 0" + sql, arguments)
    }

    /// Where the block of a page begins, and how many rows of the block are before the page; nil behind the last row.
    private func start(
        of query: NotificationHistoryQuery,
        behind offset: Int
    ) throws -> (before: Int64, skipped: Int)? {
        let counted = counted(program: query.program)
        let column = query.isUnreadOnly ? "unread" : "total"
        let sql = """
            SELECT block, sum(\(column)) AS rows FROM notification_count \(counted.filter)
            GROUP BY block ORDER BY block DESC
            """
        var skipped = offset
        let blocks = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: counted.arguments)
        while let next = try blocks.next() {
            let (block, rows): (Int64, Int) = (next["block"], next["rows"])
            guard skipped >= rows else { return ((block + 1) << NotificationTables.blockBits, skipped) }
            skipped -= rows
        }
        return nil
    }

    /// The statement that finds a page's rows, and what it is given.
    ///
    /// The indexes are named: by its statistics SQLite would rather walk through the rows themselves, which are twenty times as wide.
    static func numbers(
        _ query: NotificationHistoryQuery,
        reader: NotificationReader,
        hasOwn: Bool
    ) -> (sql: String, arguments: (_ before: Int64, _ limit: Int, _ offset: Int) -> [any DatabaseValueConvertible]) {
        let unread = query.isUnreadOnly ? "isRead = 0 AND state < 2 AND state = 0" : "state = 0"
        let end = " ORDER BY alert DESC LIMIT ? OFFSET ?"
        func part(_ audience: String, _ index: String, _ unreadIndex: String) -> String {
            """
            SELECT alert FROM notification INDEXED BY notification_\(query.isUnreadOnly ? unreadIndex : index) \
            WHERE \(unread)\(audience) AND alert < ?
            """
        }
        if let program = query.program {
            func ofProgram(_ audience: String) -> String { part(audience, "programs", "unreadPrograms") }
            // Rows for other phones alone are passed over in the index, which holds the device for that.
            guard case .device(let id) = reader else {
                return (ofProgram(" AND program = ?") + end, { [program, $0, $1, $2] })
            }
            return (ofProgram(" AND program = ? AND +device IN ('', ?)") + end, { [program, id, $0, $1, $2] })
        }
        guard case .device(let id) = reader else {
            return (part("", "everyones", "everyonesUnread") + end, { [$0, $1, $2] })
        }
        let everyones = part(" AND device = ''", "list", "unread")
        guard hasOwn else { return (everyones + end, { [$0, $1, $2] }) }
        return (everyones + " UNION ALL " + part(" AND device = ?", "list", "unread") + end, { [$0, id, $0, $1, $2] })
    }

    private func hasOwn() throws -> Bool {
        guard let id = reader.device else { return false }
        return try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM notification_count WHERE device = ?)"),
            arguments: [id]
        ) ?? false
    }

    private func search(
        _ words: SearchWords,
        _ query: NotificationHistoryQuery,
        before: Int64?,
        offset: Int
    ) throws -> (rows: [RemoteNotification], hasMore: Bool, total: Int) {
        let found = try Self.found(words, query, reader: reader, before: before, hasOthers: hasOthers())
        func numbers(_ limit: Int, _ offset: Int) throws -> [Int64] {
            try Int64.fetchAll(
                database.cachedStatement(sql: found.sql),
                arguments: StatementArguments(found.arguments + [limit, offset])
            )
        }
        // The page and the count are of one walk.
        let skipped = max(0, offset + query.limit - Self.countLimit)
        let window = try numbers(Self.countLimit, skipped)
        let total = window.isEmpty && skipped > 0 ? try numbers(Self.countLimit, 0).count : skipped + window.count
        let statement = try database.cachedStatement(
            sql: "SELECT \(NotificationRow.columns) FROM notification WHERE alert = ?"
        )
        let rest = window.dropFirst(offset - skipped)
        let rows = try rest.prefix(query.limit).compactMap { alert in
            try Row.fetchOne(statement, arguments: [alert]).map { NotificationRow($0) }
        }
        let told = fitting(rows)
        return (told, told.count < rest.count, total)
    }

    /// The statement that finds the numbers of rows with these words, the newest first; a limit and an offset are to follow its arguments.
    ///
    /// The full text holds listed rows only and gives them in the list's order, so it is enough by itself, or asks a row for what it does not
    /// know.
    static func found(
        _ words: SearchWords,
        _ query: NotificationHistoryQuery,
        reader: NotificationReader,
        before: Int64?,
        hasOthers: Bool
    ) -> (sql: String, arguments: [any DatabaseValueConvertible]) {
        var (expression, source) = (words.expression, "notification_words")
        var condition = "notification_words MATCH ? AND notification_words.rowid < ?"
        var rest: (conditions: [String], arguments: [any DatabaseValueConvertible]) = ([], [])
        switch reader {
        case .device(let id) where hasOthers:
            rest.conditions.append("notification.device IN ('', ?)")
            rest.arguments.append(id)
        case .limited(let id, let since):
            rest.conditions.append("notification.device IN ('', ?) AND isMirrored = 0 AND alert > ?")
            rest.arguments += [id, since]
        case .owner, .device: break
        }
        if query.isUnreadOnly {
            // Unread ones are mostly new: the walk ends at the oldest.
            condition += """
                 AND notification_words.rowid >= (
                    SELECT min(alert) FROM notification INDEXED BY notification_everyonesUnread WHERE isRead = 0 AND state < 2
                )
                """
            rest.conditions.append("notification.isRead = 0")
        }
        if let program = query.program {
            // Its name is among the words of each of its rows.
            if let name = SearchWords(phrase: program) { expression = "\(name.expression) \(expression)" }
            rest.conditions.append("notification.program = ?")
            rest.arguments.append(program)
        }
        if !rest.conditions.isEmpty {
            source += " CROSS JOIN notification ON notification.alert = notification_words.rowid"
            condition += " AND " + rest.conditions.joined(separator: " AND ")
        }
        return (
            """
            SELECT notification_words.rowid FROM \(source) WHERE \(condition)
            ORDER BY notification_words.rowid DESC LIMIT ? OFFSET ?
            """,
            [expression, before ?? .max] + rest.arguments
        )
    }

    /// Whether something is listed that another phone alone sees.
    private func hasOthers() throws -> Bool {
        guard case .device(let id) = reader else { return false }
        return try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM notification_count WHERE device > '' AND device <> ?)"
            ),
            arguments: [id]
        ) ?? false
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

    private func total(_ query: NotificationHistoryQuery) throws -> Int {
        try count(query.isUnreadOnly ? "unread" : "total", program: query.program)
    }

    func unreadCount() throws -> Int { try count("unread", program: nil) }

    private func count(_ column: String, program: String?) throws -> Int {
        if reader.isLimited {
            let part = unmirrored(column == "unread", program: program)
            return try Int.fetchOne(
                database.cachedStatement(sql: "SELECT count(*) FROM \(part.sql)"),
                arguments: StatementArguments(part.arguments)
            ) ?? 0
        }
        let counted = counted(program: program)
        return try Int.fetchOne(
            database.cachedStatement(sql: "SELECT sum(\(column)) FROM notification_count \(counted.filter)"),
            arguments: counted.arguments
        ) ?? 0
    }

    /// The filter for the counts that are this reader's.
    private func counted(program: String?) -> (filter: String, arguments: StatementArguments) {
        var (conditions, arguments): ([String], [any DatabaseValueConvertible]) = ([], [])
        if case .device(let id) = reader {
            conditions.append("device IN ('', ?)")
            arguments.append(id)
        }
        if let program {
            conditions.append("program = ?")
            arguments.append(program)
        }
        let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        return (filter, StatementArguments(arguments))
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
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: "SELECT \(NotificationRow.columns) FROM notification WHERE sequence > ? ORDER BY sequence"
            ),
            arguments: [after]
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
