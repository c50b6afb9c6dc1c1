import AgentHistory
import Conversations
import GRDB

/// Finds out which lines of the list a write changes.
struct ListChange {
    private let tells: Bool
    private var before: [ThreadReference: AgentThread?] = [:]

    init(tells: Bool) { self.tells = tells }

    mutating func begin(_ references: Set<ThreadReference>, _ database: Database) throws {
        guard tells else { return }
        for reference in references where before[reference] == nil {
            before[reference] = .some(try FileStore.thread(reference, in: database))
        }
    }

    /// Shows the newest of several files of one thread.
    func showNewest(_ references: Set<ThreadReference>, _ database: Database) throws {
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
