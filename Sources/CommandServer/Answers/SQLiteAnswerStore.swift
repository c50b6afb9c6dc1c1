package import Commands
package import Foundation
package import GRDB
import Kernel
package import Storage

/// Durable commands in the desktop's database: the last 1000 of each asker, for seven days.
package struct SQLiteAnswerStore: AnswerStore {
    static let countLimit = 1000
    static let answerLimit = 65_536
    private static let lifetimeMilliseconds: Int64 = 7 * 24 * 3_600_000

    package static let migrations = [
        Migration(
            "remote-answer-1",
            sql: """
                CREATE TABLE remoteAnswer (
                    number INTEGER PRIMARY KEY AUTOINCREMENT, caller TEXT NOT NULL, requestId TEXT NOT NULL,
                    method TEXT NOT NULL, begunAt INTEGER NOT NULL, answerJson TEXT, UNIQUE (caller, requestId)
                ) STRICT;
                CREATE INDEX remoteAnswerByAge ON remoteAnswer (begunAt);
                """
        )
    ]

    private let database: any DatabaseWriter

    /// - Parameter database: The role's database, with these ``migrations``.
    package init(_ database: any DatabaseWriter) { self.database = database }

    package func begin(_ id: String, of method: String, from caller: String, now: Date) async throws -> KnownCommand? {
        let time = now.millisecondsSince1970
        return try await database.write { database in
            let oldest = time - Self.lifetimeMilliseconds
            try database.run("DELETE FROM remoteAnswer WHERE begunAt < \(oldest)")
            let row = try database.row(
                "SELECT answerJson FROM remoteAnswer WHERE caller = \(caller) AND requestId = \(id)"
            )
            if let row { return Self.known(id, answer: row["answerJson"]) }
            try database.run(
                """
                INSERT INTO remoteAnswer (caller, requestId, method, begunAt)
                VALUES (\(caller), \(id), \(method), \(time))
                """
            )
            try database.run(
                """
                DELETE FROM remoteAnswer WHERE number IN (
                    SELECT number FROM remoteAnswer WHERE caller = \(caller) ORDER BY number DESC
                        LIMIT -1 OFFSET \(Self.countLimit)
                )
                """
            )
            return nil
        }
    }

    package func finish(_ id: String, from caller: String, with response: CommandResponse) async throws {
        let answer = Self.text(of: response)
        try await database.write { database in
            try database.run(
                "UPDATE remoteAnswer SET answerJson = \(answer) WHERE caller = \(caller) AND requestId = \(id)"
            )
        }
    }

    package func forget(_ id: String, from caller: String) async throws {
        try await database.write { database in
            try database.run("DELETE FROM remoteAnswer WHERE caller = \(caller) AND requestId = \(id)")
        }
    }

    /// A very large answer is not kept: that the command was done is what counts.
    private static func text(of response: CommandResponse) -> String {
        let text = response.envelope(form: .object).canonicalText
        guard text.utf8.count > answerLimit else { return text }
        let short = CommandResponse(id: response.id, outcome: .success(["answerDropped": true]))
        return short.envelope(form: .object).canonicalText
    }

    /// A row that cannot be read any more was answered, but its answer is lost.
    private static func known(_ id: String, answer: String?) -> KnownCommand {
        guard let answer, let envelope = try? JSONValue(parsing: answer.utf8),
            let response = try? CommandResponse(envelope: envelope)
        else { return .begun }
        return .answered(response)
    }
}
