import AgentHistory
import Conversations
import GRDB

extension FileStore {
    /// Inserts a file. The newest of a thread's files is shown: for a thread that is not there yet this one, until the others are looked at.
    private static let insert = """
        INSERT INTO file (\(FileColumns.names), isShown)
        VALUES (\(FileColumns.places), ? IS NOT NULL AND NOT EXISTS (SELECT 1 FROM file WHERE threadID = ? AND agent = ?))
        ON CONFLICT DO NOTHING
        """

    /// Notes what files say that the index has no rows of, many at a time, without telling of each: for the first look at thousands.
    static func add(_ files: [ScannedFile], in database: Database) throws -> FileChanges {
        let last = try TitleIndex.lastRow(in: database)
        let hasNames = try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM name)") ?? false
        let insert = try database.cachedStatement(sql: insert)
        var result = FileChanges()
        var known: [ScannedFile] = []
        for file in files {
            let agent = file.entry.agent
            var given: String?
            if hasNames, let thread = file.thread { given = try name(of: thread.id, agent, in: database) }
            var arguments = FileColumns.values(of: file, named: given, isTextDue: true)
            arguments += [file.thread?.id, file.thread?.id, agent.rawValue]
            try insert.execute(arguments: StatementArguments(arguments))
            guard database.changesCount > 0 else {
                // Somebody asked for the thread meanwhile.
                known.append(file)
                continue
            }
            if let id = file.thread?.id {
                result.known[file.entry.path] = ThreadReference(agent: agent, id: id)
            } else {
                result.forgotten.append(file.entry.path)
            }
        }
        try TitleIndex.add(after: last, in: database)
        let hidden = """
            SELECT DISTINCT agent, threadID FROM file NOT INDEXED WHERE id > ? AND isShown = 0 AND threadID IS NOT NULL
            """
        let several = try Row.fetchAll(database.cachedStatement(sql: hidden), arguments: [last]).map {
            ThreadReference(agent: Agent(rawValue: $0[0]), id: $0[1])
        }
        try ListChange(tells: false).showNewest(Set(several), database)
        if !known.isEmpty { result.merge(try apply(known, tells: false, in: database)) }
        return result
    }
}
