import AgentHistory
import Conversations
import GRDB
import Storage

/// Searching, as a call inside of a transaction.
enum TextSearch {
    /// Where a search goes on: first in the titles, by the threads' time, then in the items, by theirs.
    private enum Place {
        case titles(after: ListCursor?)
        case items(before: Int64?)

        init(_ cursor: String?) throws(ThreadIndexError) {
            guard let cursor else {
                self = .titles(after: nil)
                return
            }
            let rest = cursor.dropFirst()
            switch cursor.first {
            case "t": self = .titles(after: try ListCursor(rest))
            case "i" where rest.isEmpty: self = .items(before: nil)
            case "i":
                guard rest.utf8.count <= 20, let number = Int64(rest) else { throw .badCursor }
                self = .items(before: number)
            default: throw .badCursor
            }
        }

        var text: String {
            switch self {
            case .titles(let cursor): "t" + (cursor?.text ?? "")
            case .items(let number): "i" + (number.map(String.init) ?? "")
            }
        }
    }

    static func hits(_ search: ThreadSearch, of agents: [Agent], in database: Database) throws -> SearchPage {
        guard search.query.unicodeScalars.count <= ThreadSearch.queryLimit else {
            throw ThreadIndexError.queryTooLong(limit: ThreadSearch.queryLimit)
        }
        var place = try Place(search.cursor)
        guard let expression = SearchExpression(search.query) else { return SearchPage(hits: []) }
        let filter = Filter(search, agents)
        var hits: [ThreadHit<AgentThread>] = []
        if case .titles(let cursor) = place {
            let found = try titles(expression, filter, after: cursor, limit: search.limit + 1, database)
            hits = found.prefix(search.limit).map(\.hit)
            if found.count > search.limit {
                let last = found[search.limit - 1].place
                return SearchPage(hits: hits, next: Place.titles(after: last).text)
            }
            place = .items(before: nil)
        }
        guard case .items(let number) = place else { return SearchPage(hits: hits) }
        let wanted = search.limit - hits.count
        let found = try items(expression, search, filter, before: number, limit: wanted + 1, database)
        hits += found.prefix(wanted).map(\.hit)
        guard found.count > wanted else { return SearchPage(hits: hits) }
        let last = wanted > 0 ? found[wanted - 1].number : number
        return SearchPage(hits: hits, next: Place.items(before: last).text)
    }

    /// The condition for the threads that are searched.
    private struct Filter {
        var condition = "file.isShown = 1"
        var arguments: [(any DatabaseValueConvertible)?] = []

        init(_ search: ThreadSearch, _ agents: [Agent]) {
            let wanted = search.agent.map { agent in agents.filter { $0 == agent } } ?? agents
            condition += " AND file.agent IN (\(wanted.map { _ in "?" }.joined(separator: ", ")))"
            arguments += wanted.map { $0.rawValue as any DatabaseValueConvertible }
            if let folder = search.folder {
                condition += " AND file.folder = ?"
                arguments.append(folder)
            }
        }
    }

    private static var marks: [(any DatabaseValueConvertible)?] {
        [String(SearchText.opening), String(SearchText.closing)]
    }

    private static func titles(
        _ expression: SearchExpression,
        _ filter: Filter,
        after cursor: ListCursor?,
        limit: Int,
        _ database: Database
    ) throws -> [(hit: ThreadHit<AgentThread>, place: ListCursor)] {
        // Marks are made for those that are shown, not for all that are sorted.
        let sql = """
            SELECT \(ThreadRow.columns), file.sortTime, file.id, highlight(title_index, 0, ?, ?)
            FROM (
                SELECT file.id AS id FROM title_index CROSS JOIN file ON file.id = title_index.rowid
                WHERE title_index MATCH ? AND \(filter.condition)
                \(cursor == nil ? "" : "AND (file.sortTime, file.id) < (?, ?)")
                ORDER BY file.sortTime DESC, file.id DESC LIMIT ?
            ) AS found
            CROSS JOIN title_index ON title_index.rowid = found.id CROSS JOIN file ON file.id = found.id
            WHERE title_index MATCH ?
            ORDER BY file.sortTime DESC, file.id DESC
            """
        var arguments = marks + [expression.ofTitles] + filter.arguments
        if let cursor { arguments += [cursor.time, cursor.id] }
        arguments += [limit, expression.ofTitles]
        return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: StatementArguments(arguments)).map {
            row in
            let snippet = Snippet(row[ThreadRow.count + 2] ?? "")
            let hit = ThreadHit(
                thread: ThreadRow.thread(row),
                item: nil,
                cursor: nil,
                kind: "title",
                snippet: snippet.text,
                marks: snippet.marks
            )
            return (hit, ListCursor(time: row[ThreadRow.count], id: row[ThreadRow.count + 1]))
        }
    }

    private static func items(
        _ expression: SearchExpression,
        _ search: ThreadSearch,
        _ filter: Filter,
        before number: Int64?,
        limit: Int,
        _ database: Database
    ) throws -> [(hit: ThreadHit<AgentThread>, number: Int64)] {
        // From the index of words to the rows, in the order of their numbers: only what is shown is read.
        let sql = """
            SELECT \(ThreadRow.columns), item.id, item.itemID, item.position, item.kind, highlight(item_index, 0, ?, ?)
            FROM item_index CROSS JOIN item ON item.id = item_index.rowid CROSS JOIN file ON file.id = item.file
            WHERE item_index MATCH ? AND item_index.rowid < ? AND \(filter.condition)
            ORDER BY item_index.rowid DESC LIMIT ?
            """
        var arguments = marks
        arguments += [expression.ofItems(agent: search.agent, folder: search.folder), number ?? .max]
        arguments += filter.arguments
        arguments.append(limit)
        return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: StatementArguments(arguments)).map {
            row in
            let first = ThreadRow.count
            let snippet = Snippet(row[first + 4] ?? "")
            let id: String = row[first + 1]
            let hit = ThreadHit(
                thread: ThreadRow.thread(row),
                // An item that its agent gave no id cannot be asked for.
                item: id.isEmpty ? nil : id,
                cursor: id.isEmpty ? nil : ConversationCursor(offset: row[first + 2]),
                kind: row[first + 3],
                snippet: snippet.text,
                marks: snippet.marks
            )
            return (hit, row[first])
        }
    }
}
