import AgentHistory
import Conversations
import Foundation
import GRDB
import Storage

/// A file as the index saw it last.
struct FileRow: Sendable {
    let id: Int64
    let key: String
    let path: String
    let identity: FileIdentity
    let isArchived: Bool
    /// Nil for a file without a thread.
    let thread: ThreadReference?
}

/// A file that was looked into.
struct ScannedFile: Sendable {
    let entry: HistoryEntry
    /// Nil for a file without a thread. Its title is the one without the names that people gave.
    let thread: AgentThread?
    /// The title as the index of words holds it.
    let searchTitle: String?
    /// The processor's time that it took.
    let cost: Duration

    init(entry: HistoryEntry, thread: AgentThread?, cost: Duration = .zero) {
        self.entry = entry
        self.thread = thread
        self.cost = cost
        searchTitle = thread.map { SearchText.indexed($0.title) }
    }
}

/// The changes made by one write.
struct FileChanges: Sendable {
    var changes: [ThreadChange] = []
    /// Files that hold a thread from now on.
    var known: [String: ThreadReference] = [:]
    /// Files that do not any more.
    var forgotten: [String] = []

    mutating func merge(_ other: FileChanges) {
        changes += other.changes
        known.merge(other.known) { _, new in new }
        forgotten += other.forgotten
    }
}

/// The rows of files, as calls inside of a transaction.
enum FileStore {
    // MARK: Reading

    static func rows(of agent: Agent, in database: Database) throws -> [FileRow] {
        try fetch("WHERE agent = ?", [agent.rawValue], database)
    }

    static func row(at path: String, of agent: Agent, in database: Database) throws -> FileRow? {
        let row = try fetch("WHERE key = ? AND agent = ?", [FileName.key(path), agent.rawValue], database).first
        return row?.path == path ? row : nil
    }

    private static func fetch(_ condition: String, _ arguments: StatementArguments, _ database: Database) throws
        -> [FileRow]
    {
        let sql =
            "SELECT id, key, path, device, inode, size, modified, isArchived, agent, threadID FROM file \(condition)"
        return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).map { row in
            FileRow(
                id: row[0],
                key: row[1],
                path: row[2],
                identity: FileIdentity(device: row[3], inode: row[4], size: row[5], modified: row[6]),
                isArchived: row[7],
                thread: (row[9] as String?).map { ThreadReference(agent: Agent(rawValue: row[8]), id: $0) }
            )
        }
    }

    /// The thread of a reference, from the newest of its files.
    static func thread(_ reference: ThreadReference, in database: Database) throws -> AgentThread? {
        let sql = "SELECT \(ThreadRow.columns) FROM file WHERE threadID = ? AND agent = ? AND isShown = 1"
        return try Row.fetchOne(
            database.cachedStatement(sql: sql),
            arguments: [reference.id, reference.agent.rawValue]
        ).map { ThreadRow.thread($0) }
    }

    /// The thread of a file, where it is the one that is shown.
    static func shownThread(ofFile id: Int64, in database: Database) throws -> AgentThread? {
        let sql = "SELECT \(ThreadRow.columns) FROM file WHERE id = ? AND isShown = 1"
        return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [id]).map { ThreadRow.thread($0) }
    }

    // MARK: Writing

    /// Notes what files say.
    ///
    /// - Parameter tells: Whether to find out which lines of the list changed; not for the first look at thousands of files.
    static func apply(_ files: [ScannedFile], tells: Bool, in database: Database) throws -> FileChanges {
        var result = FileChanges()
        var change = ListChange(tells: tells)
        for file in files {
            let agent = file.entry.agent
            let old = try OldFile.at(FileName.key(file.entry.path), agent, database)
            let references = Set(
                [old?.threadID, file.thread?.id].compactMap(\.self).map { ThreadReference(agent: agent, id: $0) }
            )
            try change.begin(references, database)
            try store(file, old, database)
            if let old, old.path != file.entry.path { result.forgotten.append(old.path) }
            if let id = file.thread?.id {
                result.known[file.entry.path] = ThreadReference(agent: agent, id: id)
            } else {
                result.forgotten.append(file.entry.path)
            }
            try change.showNewest(references, database)
        }
        result.changes = try change.end(database)
        return result
    }

    /// Records that a file moved to another path.
    static func move(_ row: FileRow, to entry: HistoryEntry, in database: Database) throws -> FileChanges {
        let references = Set([row.thread].compactMap(\.self))
        var change = ListChange(tells: true)
        try change.begin(references, database)
        // Something else was at that path and is gone, or its own row moves in this transaction, too.
        let taken = "SELECT id FROM file WHERE agent = ? AND key = ? AND id <> ?"
        let key = FileName.key(entry.path)
        let others = try Int64.fetchAll(database, sql: taken, arguments: [entry.agent.rawValue, key, row.id])
        var result = try remove(others, in: database)
        try database.run(
            "UPDATE file SET key = \(key), path = \(entry.path), isArchived = \(entry.isArchived) WHERE id = \(row.id)"
        )
        try change.showNewest(references, database)
        result.forgotten.append(row.path)
        if let thread = row.thread { result.known[entry.path] = thread }
        result.changes += try change.end(database)
        return result
    }

    /// Files that are gone.
    static func remove(_ ids: [Int64], in database: Database) throws -> FileChanges {
        var result = FileChanges()
        var change = ListChange(tells: true)
        for id in ids {
            guard
                let row = try database.row("SELECT agent, threadID, path FROM file WHERE id = \(id)")
            else { continue }
            let reference = (row[1] as String?).map { ThreadReference(agent: Agent(rawValue: row[0]), id: $0) }
            let references = Set([reference].compactMap(\.self))
            try change.begin(references, database)
            try TextStore.removeItems(of: id, in: database)
            try database.run("DELETE FROM file WHERE id = \(id)")
            try change.showNewest(references, database)
            result.forgotten.append(row[2])
        }
        result.changes = try change.end(database)
        return result
    }

    // MARK: Names

    static func namesIdentity(of agent: Agent, in database: Database) throws -> FileIdentity? {
        try database.row("SELECT device, inode, size, modified FROM names_file WHERE agent = \(agent.rawValue)").map {
            FileIdentity(device: $0[0], inode: $0[1], size: $0[2], modified: $0[3])
        }
    }

    /// Takes the names that people gave, and gives threads their titles.
    static func take(
        names: [String: String],
        from identity: FileIdentity?,
        of agent: Agent,
        in database: Database
    ) throws -> FileChanges {
        var old: [String: String] = [:]
        let known = try database.cursor("SELECT threadID, name FROM name WHERE agent = \(agent.rawValue)")
        while let row = try known.next() { old[row[0]] = row[1] }
        let changed = Set(names.lazy.filter { old[$0.key] != $0.value }.map(\.key))
            .union(old.keys.lazy.filter { names[$0] == nil })
        let references = Set(changed.map { ThreadReference(agent: agent, id: $0) })
        var change = ListChange(tells: true)
        try change.begin(references, database)
        for id in changed {
            if let name = names[id] {
                try database.run("INSERT OR REPLACE INTO name VALUES (\(agent.rawValue), \(id), \(name))")
            } else {
                try database.run("DELETE FROM name WHERE agent = \(agent.rawValue) AND threadID = \(id)")
            }
            let own = "SELECT id, ownTitle FROM file WHERE threadID = ? AND agent = ?"
            for row in try Row.fetchAll(database, sql: own, arguments: [id, agent.rawValue]) {
                let title = names[id] ?? row[1] ?? ""
                try database.run(
                    """
                    UPDATE file SET title = \(title), searchTitle = \(SearchText.indexed(title))
                    WHERE id = \(row[0] as Int64)
                    """
                )
            }
        }
        if let identity {
            try database.execute(
                sql: "INSERT OR REPLACE INTO names_file VALUES (?, ?, ?, ?, ?)",
                arguments: StatementArguments([agent.rawValue] + identity.columns)
            )
        } else {
            try database.run("DELETE FROM names_file WHERE agent = \(agent.rawValue)")
        }
        return FileChanges(changes: try change.end(database))
    }

    // MARK: One file

    private static let upsert = """
        INSERT INTO file (\(FileColumns.names))
        VALUES (\(FileColumns.places))
        ON CONFLICT (agent, key) DO UPDATE SET
        \(FileColumns.assignments)
        """

    private static func store(_ file: ScannedFile, _ old: OldFile?, _ database: Database) throws {
        let fate = old?.textFate(now: file) ?? .begins
        if let old, fate == .begins { try TextStore.forget(old.id, in: database) }
        let given = try file.thread.flatMap { try name(of: $0.id, file.entry.agent, in: database) }
        let arguments = FileColumns.values(of: file, named: given, isTextDue: fate != .whole)
        try database.cachedStatement(sql: upsert).execute(arguments: StatementArguments(arguments))
        if old == nil { try TitleIndex.add(after: database.lastInsertedRowID - 1, in: database) }
    }

    /// The name that a person gave a thread.
    static func name(of id: String, _ agent: Agent, in database: Database) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT name FROM name WHERE agent = ? AND threadID = ?"),
            arguments: [agent.rawValue, id]
        )
    }
}
