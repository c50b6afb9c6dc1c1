import Foundation
import GRDB
import Kernel
import Storage

/// The same rows in a table with no index but its own, no counts, no full text.
struct PlainHistory: Sendable {
    static let migrations = [
        Migration(
            "plain-1",
            sql: """
                CREATE TABLE plain (
                    number INTEGER PRIMARY KEY, id TEXT NOT NULL, program TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL,
                    isRead INTEGER NOT NULL, createdAt INTEGER NOT NULL
                )
                """
        )
    ]

    private struct Write: Sendable {
        let title: String
        let body: String
    }

    private let database: DatabasePool
    private let writer: GroupWriter<Write, Void>

    init(_ database: DatabasePool) {
        self.database = database
        writer = GroupWriter(database, capacity: 4096) { write, database in
            try database.cachedStatement(
                sql: "INSERT INTO plain (id, program, title, body, isRead, createdAt) VALUES (?, ?, ?, ?, 0, ?)"
            ).execute(arguments: [
                UUID.randomText(), "program", write.title, write.body, Date.now.millisecondsSince1970,
            ])
        }
    }

    func fill(rows: Int) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                    INSERT INTO plain SELECT i, printf('%08x-0000-4000-8000-%012x', i * 2654435761 % 4294967296, i),
                        'program ' || (i % 40), 'Message ' || i, 'from person ' || (i % 977) || ' about topic ' || (i % 7919),
                        i % 20 > 0, 0 FROM n
                    """,
                arguments: [rows]
            )
        }
    }

    /// Takes a page of changes as it came.
    func take(_ page: JSONValue) async throws {
        let rows = page.objectValue?["changes"]?.arrayValue ?? []
        try await database.write { database in
            let statement = try database.cachedStatement(
                sql: "INSERT INTO plain (id, program, title, body, isRead, createdAt) VALUES (?, ?, ?, ?, 0, ?)"
            )
            for row in rows {
                let members = row.objectValue ?? [:]
                try statement.execute(arguments: [
                    members["id"]?.stringValue, members["program"]?.stringValue ?? "", members["title"]?.stringValue,
                    members["body"]?.stringValue, members["createdAt"]?.integerValue,
                ])
            }
        }
    }

    func count() async throws -> Int {
        try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM plain") ?? 0 }
    }

    func write(_ title: String, _ body: String) async throws {
        try await writer.write(Write(title: title, body: body))
    }

    func page(before: Int64) async throws -> Int {
        try await rows("WHERE number < ? ORDER BY number DESC LIMIT 50", [before])
    }

    func page(offset: Int) async throws -> Int { try await rows("ORDER BY number DESC LIMIT 50 OFFSET ?", [offset]) }

    private func rows(_ end: String, _ arguments: StatementArguments) async throws -> Int {
        try await database.read { database in
            try Row.fetchAll(database.cachedStatement(sql: "SELECT * FROM plain \(end)"), arguments: arguments).count
        }
    }

    func write(_ count: Int, by senders: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { [writer] group in
            for sender in 0..<senders {
                group.addTask {
                    for number in 0..<count / senders {
                        try await writer.write(
                            Write(title: "Message \(number)", body: "from person \(sender) about topic \(number)")
                        )
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
