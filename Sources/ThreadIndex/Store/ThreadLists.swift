import AgentHistory
import Conversations
import GRDB
import Kernel

/// Lists of threads, as calls inside of a transaction.
enum ThreadLists {
    /// - Parameter agents: Those that have a reader: the cache may hold threads of others.
    static func page(_ query: ThreadQuery, of agents: [Agent], in database: Database) throws -> ThreadListPage {
        let place = try query.cursor.map(ListCursor.init(_:))
        guard let selection = Selection(query, agents) else { return ThreadListPage(threads: [], total: 0) }
        var condition = selection.condition
        var arguments = selection.arguments
        let count = "SELECT COUNT(*) FROM \(selection.tables) WHERE \(condition)"
        let total =
            try Int.fetchOne(database.cachedStatement(sql: count), arguments: StatementArguments(arguments)) ?? 0
        if let place {
            condition += " AND (file.sortTime, file.id) < (?, ?)"
            arguments += [place.time, place.id]
        }
        arguments.append(query.limit + 1)
        let sql = """
            SELECT \(ThreadRow.columns), file.sortTime, file.id FROM \(selection.tables) WHERE \(condition)
            ORDER BY file.sortTime DESC, file.id DESC LIMIT ?
            """
        let rows = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: StatementArguments(arguments))
        let shown = rows.prefix(query.limit)
        return ThreadListPage(
            threads: shown.map { ThreadRow.thread($0) },
            next: rows.count > query.limit
                ? shown.last.map { ListCursor(time: $0[ThreadRow.count], id: $0[ThreadRow.count + 1]).text } : nil,
            total: total
        )
    }

    static func folders(_ agent: Agent?, of agents: [Agent], in database: Database) throws -> [ThreadFolder] {
        guard let selection = Selection(ThreadQuery(agent: agent), agents, index: "file_folder") else { return [] }
        let sql = """
            SELECT file.folder, COUNT(*), MAX(file.sortTime) AS newest FROM \(selection.tables)
            WHERE \(selection.condition) AND file.folder IS NOT NULL
            GROUP BY file.folder ORDER BY newest DESC, file.folder LIMIT \(ThreadFolder.limit)
            """
        return try Row.fetchAll(
            database.cachedStatement(sql: sql),
            arguments: StatementArguments(selection.arguments)
        ).map { ThreadFolder(path: $0[0], count: $0[1], updatedMilliseconds: $0[2]) }
    }

    /// The newest thread of this name.
    static func thread(_ id: String, _ agent: Agent?, of agents: [Agent], in database: Database) throws -> AgentThread?
    {
        let sql = """
            SELECT \(ThreadRow.columns) FROM file WHERE threadID = ? AND isShown = 1
            ORDER BY file.sortTime DESC, file.id DESC
            """
        return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [id]).lazy
            .map { ThreadRow.thread($0) }
            .first { agents.contains($0.agent) && (agent == nil || $0.agent == agent) }
    }

    /// A query's selection, in SQL.
    private struct Selection {
        var tables: String
        var condition = "file.isShown = 1"
        var arguments: [(any DatabaseValueConvertible)?] = []

        /// Nil where no agent is wanted.
        init?(_ query: ThreadQuery, _ agents: [Agent], index: String? = nil) {
            let wanted = query.agent.map { agent in agents.filter { $0 == agent } } ?? agents
            if wanted.isEmpty { return nil }
            if let references = query.references {
                // From the names to the threads: they are few.
                let names = references.map { JSONValue.array([.string($0.agent.rawValue), .string($0.id)]) }
                tables = "json_each(?) AS wanted CROSS JOIN file"
                condition += """
                     AND file.agent = json_extract(wanted.value, '$[0]') \
                    AND file.threadID = json_extract(wanted.value, '$[1]')
                    """
                arguments.append(JSONValue.array(names).canonicalText)
            } else {
                tables = "file INDEXED BY \(index ?? (query.folder == nil ? "file_list" : "file_folder"))"
            }
            if !query.includesAll { condition += " AND file.isInteractive = 1" }
            if query.isArchived {
                condition += " AND file.isArchived = 1"
            } else if !query.includesArchived {
                condition += " AND file.isArchived = 0"
            }
            if let folder = query.folder {
                condition += " AND file.folder = ?"
                arguments.append(folder)
            }
            condition += " AND file.agent IN (\(wanted.map { _ in "?" }.joined(separator: ", ")))"
            arguments += wanted.map { $0.rawValue as any DatabaseValueConvertible }
        }
    }
}

/// A place in a list that is sorted by time: a page goes on behind it, also when threads came or went meanwhile.
struct ListCursor {
    let time: Int64
    let id: Int64

    init(time: Int64, id: Int64) {
        self.time = time
        self.id = id
    }

    init(_ text: some StringProtocol) throws(ThreadIndexError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 44, parts.count == 2, let time = Int64(parts[0]), let id = Int64(parts[1]) else {
            throw .badCursor
        }
        self.init(time: time, id: id)
    }

    var text: String { "\(time).\(id)" }
}
