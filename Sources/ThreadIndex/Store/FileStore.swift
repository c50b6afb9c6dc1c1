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
struct ReadFile: Sendable {
    let entry: HistoryEntry
    /// Nil for a file without a thread. Its title is the one without the names that people gave.
    let thread: AgentThread?
}

/// What a write changed.
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
        try fetch("WHERE path = ? AND agent = ?", [path, agent.rawValue], database).first
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

    /// Of several files of the thread the newest.
    static func thread(_ reference: ThreadReference, in database: Database) throws -> AgentThread? {
        let sql = "SELECT \(ThreadRow.columns) FROM file WHERE threadID = ? AND agent = ? AND isShown = 1"
        return try Row.fetchOne(
            database.cachedStatement(sql: sql),
            arguments: [reference.id, reference.agent.rawValue]
        ).map { ThreadRow.thread($0) }
    }

    // MARK: Writing

    /// Notes what files say.
    ///
    /// - Parameter tells: Whether to find out which lines of the list changed; not for the first look at thousands of files.
    static func apply(_ files: [ReadFile], tells: Bool, in database: Database) throws -> FileChanges {
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
            try change.settle(references, database)
        }
        result.changes = try change.end(database)
        return result
    }

    /// The same file under another path.
    static func move(_ row: FileRow, to entry: HistoryEntry, in database: Database) throws -> FileChanges {
        let references = Set([row.thread].compactMap(\.self))
        var change = ListChange(tells: true)
        try change.begin(references, database)
        // Something else was at that path and is gone, or its own row moves in this transaction, too.
        let taken = "SELECT id FROM file WHERE agent = ? AND key = ? AND id <> ?"
        let key = FileName.key(entry.path)
        let others = try Int64.fetchAll(database, sql: taken, arguments: [entry.agent.rawValue, key, row.id])
        var result = try remove(others, in: database)
        try database.execute(
            sql: "UPDATE file SET key = ?, path = ?, isArchived = ? WHERE id = ?",
            arguments: [key, entry.path, entry.isArchived, row.id]
        )
        try change.settle(references, database)
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
                let row = try Row.fetchOne(
                    database,
                    sql: "SELECT agent, threadID, path FROM file WHERE id = ?",
                    arguments: [id]
                )
            else { continue }
            let reference = (row[1] as String?).map { ThreadReference(agent: Agent(rawValue: row[0]), id: $0) }
            let references = Set([reference].compactMap(\.self))
            try change.begin(references, database)
            try TextStore.removeItems(of: id, in: database)
            try database.execute(sql: "DELETE FROM file WHERE id = ?", arguments: [id])
            try change.settle(references, database)
            result.forgotten.append(row[2])
        }
        result.changes = try change.end(database)
        return result
    }

    // MARK: Names

    static func namesIdentity(of agent: Agent, in database: Database) throws -> FileIdentity? {
        try Row.fetchOne(
            database,
            sql: "SELECT device, inode, size, modified FROM names_file WHERE agent = ?",
            arguments: [agent.rawValue]
        ).map { FileIdentity(device: $0[0], inode: $0[1], size: $0[2], modified: $0[3]) }
    }

    /// Takes the names that people gave, and gives threads their titles.
    static func take(
        names: [String: String],
        from identity: FileIdentity?,
        of agent: Agent,
        in database: Database
    ) throws -> FileChanges {
        var old: [String: String] = [:]
        let known = try Row.fetchCursor(
            database,
            sql: "SELECT threadID, name FROM name WHERE agent = ?",
            arguments: [agent.rawValue]
        )
        while let row = try known.next() { old[row[0]] = row[1] }
        let changed = Set(names.lazy.filter { old[$0.key] != $0.value }.map(\.key))
            .union(old.keys.lazy.filter { names[$0] == nil })
        let references = Set(changed.map { ThreadReference(agent: agent, id: $0) })
        var change = ListChange(tells: true)
        try change.begin(references, database)
        for id in changed {
            if let name = names[id] {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO name VALUES (?, ?, ?)",
                    arguments: [agent.rawValue, id, name]
                )
            } else {
                try database.execute(
                    sql: "DELETE FROM name WHERE agent = ? AND threadID = ?",
                    arguments: [agent.rawValue, id]
                )
            }
            let own = "SELECT id, ownTitle FROM file WHERE threadID = ? AND agent = ?"
            for row in try Row.fetchAll(database, sql: own, arguments: [id, agent.rawValue]) {
                let title = names[id] ?? row[1] ?? ""
                try database.execute(
                    sql: "UPDATE file SET title = ?, searchTitle = ? WHERE id = ?",
                    arguments: [title, SearchText.indexed(title), row[0] as Int64]
                )
            }
        }
        if let identity {
            try database.execute(
                sql: "INSERT OR REPLACE INTO names_file VALUES (?, ?, ?, ?, ?)",
                arguments: StatementArguments([agent.rawValue] + identity.columns)
            )
        } else {
            try database.execute(sql: "DELETE FROM names_file WHERE agent = ?", arguments: [agent.rawValue])
        }
        return FileChanges(changes: try change.end(database))
    }

    // MARK: One file

    private static let assigned = [
        "path", "device", "inode", "size", "modified", "isArchived", "threadID", "ownTitle", "title", "searchTitle",
        "folder", "branch", "provider", "version", "source", "parentID", "created", "updated", "lastMessage",
        "fileSize",
        "isInteractive", "sortTime", "isTextDue",
    ]
    private static let upsert = """
        INSERT INTO file (agent, key, \(assigned.joined(separator: ", ")))
        VALUES (\(Array(repeating: "?", count: assigned.count + 2).joined(separator: ", ")))
        ON CONFLICT (agent, key) DO UPDATE SET
        \(assigned.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        """

    private static func store(_ file: ReadFile, _ old: OldFile?, _ database: Database) throws {
        let entry = file.entry
        let thread = file.thread
        let fate = old?.textFate(now: file) ?? .begins
        if let old, fate == .begins { try TextStore.forget(old.id, in: database) }
        let given = try thread.flatMap { thread in
            try String.fetchOne(
                database.cachedStatement(sql: "SELECT name FROM name WHERE agent = ? AND threadID = ?"),
                arguments: [entry.agent.rawValue, thread.id]
            )
        }
        let title = given ?? thread?.title
        var arguments: [(any DatabaseValueConvertible)?] = [
            entry.agent.rawValue, FileName.key(entry.path), entry.path,
        ]
        arguments += entry.identity.columns
        arguments += [entry.isArchived, thread?.id, thread?.title, title, title.map { SearchText.indexed($0) }]
        arguments += [
            thread?.workingFolder, thread?.gitBranch, thread?.modelProvider, thread?.version, thread?.source?.word,
            thread?.parentID, thread?.createdMilliseconds, thread?.updatedMilliseconds,
            thread?.lastMessageMilliseconds, thread?.size, thread?.isInteractive ?? false,
        ]
        arguments += [
            thread.map { $0.lastMessageMilliseconds ?? $0.updatedMilliseconds } ?? 0, thread != nil && fate != .whole,
        ]
        try database.cachedStatement(sql: upsert).execute(arguments: StatementArguments(arguments))
    }
}

/// What the index knew of a file before it was read again.
private struct OldFile {
    /// What becomes of the text that was read of it.
    enum TextFate {
        /// It is read from its beginning.
        case begins
        /// It is read on.
        case goesOn
        /// Nothing came to it.
        case whole
    }

    let id: Int64
    let threadID: String?
    let path: String
    let folder: String?
    /// The state of the file that the text is of; nil where none was read.
    let text: FileIdentity?
    let hasOlder: Bool

    static func at(_ key: String, _ agent: Agent, _ database: Database) throws -> OldFile? {
        let sql = """
            SELECT id, threadID, path, folder, newerOffset, textDevice, textInode, textSize, textModified, olderOffset
            FROM file WHERE agent = ? AND key = ?
            """
        let row = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [agent.rawValue, key])
        return row.map { row in
            var text: FileIdentity?
            if row[4] != nil, let device = row[5] as Int64?, let inode = row[6] as Int64?,
                let size = row[7] as Int64?, let modified = row[8] as Int64?
            {
                text = FileIdentity(device: device, inode: inode, size: size, modified: modified)
            }
            return OldFile(
                id: row[0],
                threadID: row[1],
                path: row[2],
                folder: row[3],
                text: text,
                hasOlder: row[9] != nil
            )
        }
    }

    func textFate(now file: ReadFile) -> TextFate {
        let now = file.entry.identity
        // The index of words knows the folder.
        guard let text, let thread = file.thread, thread.workingFolder == folder else { return .begins }
        guard text.isSameFile(as: now) else {
            // Compressed or unpacked: the text is the same, and so is the place in it. A file that was replaced begins anew.
            return FileName.isPacked(path) != FileName.isPacked(file.entry.path) ? .goesOn : .begins
        }
        if now == text { return hasOlder ? .goesOn : .whole }
        return now.size > text.size ? .goesOn : .begins
    }
}

/// Finds out which lines of the list a write changes.
private struct ListChange {
    private let tells: Bool
    private var before: [ThreadReference: AgentThread?] = [:]

    init(tells: Bool) { self.tells = tells }

    mutating func begin(_ references: Set<ThreadReference>, _ database: Database) throws {
        guard tells else { return }
        for reference in references where before[reference] == nil {
            before[reference] = .some(try FileStore.thread(reference, in: database))
        }
    }

    /// Of several files of one thread the newest is shown.
    func settle(_ references: Set<ThreadReference>, _ database: Database) throws {
        for reference in references {
            let sql = "SELECT id, isShown FROM file WHERE threadID = ? AND agent = ? ORDER BY modified DESC, path DESC"
            let rows = try Row.fetchAll(
                database.cachedStatement(sql: sql),
                arguments: [reference.id, reference.agent.rawValue]
            )
            for (index, row) in rows.enumerated() where (row[1] as Bool) != (index == 0) {
                try database.cachedStatement(sql: "UPDATE file SET isShown = ? WHERE id = ?").execute(
                    arguments: [index == 0, row[0] as Int64]
                )
            }
        }
    }

    func end(_ database: Database) throws -> [ThreadChange] {
        try before.compactMap { reference, before in
            let now = try FileStore.thread(reference, in: database)
            guard now != before else { return nil }
            return now.map { .changed($0) } ?? .removed(reference)
        }
    }
}
