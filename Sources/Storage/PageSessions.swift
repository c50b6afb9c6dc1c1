import Foundation
package import GRDB

/// The browsers that are signed in to a role's page: hashes of their cookies, never the cookies.
package struct PageSessions: Sendable {
    package static let migrations = [
        Migration(
            "page-1",
            sql: """
                CREATE TABLE page_session (
                    hash BLOB PRIMARY KEY NOT NULL,
                    begunAt INTEGER NOT NULL,
                    endsAt INTEGER NOT NULL
                ) WITHOUT ROWID
                """
        ),
        Migration(
            "page-2",
            sql: """
                -- The browser that a method of the role does something for until it is signed out.
                CREATE TABLE page_binding (method TEXT PRIMARY KEY NOT NULL, hash BLOB NOT NULL) WITHOUT ROWID
                """
        ),
    ]

    /// One browser.
    package struct Entry: Hashable, Sendable {
        package let hash: [UInt8]
        /// Milliseconds since 1970-01-01T00:00:00Z.
        package let begunAt: Int64
        package let endsAt: Int64

        package init(hash: [UInt8], begunAt: Int64, endsAt: Int64) {
            self.hash = hash
            self.begunAt = begunAt
            self.endsAt = endsAt
        }
    }

    private let database: any DatabaseWriter

    /// - Parameter database: The role's, with these ``migrations``.
    package init(_ database: any DatabaseWriter) { self.database = database }

    /// The sessions that have not ended, the oldest first; the others are removed.
    package func open(at milliseconds: Int64) throws -> [Entry] {
        try database.write { database in
            try database.run("DELETE FROM page_session WHERE endsAt <= \(milliseconds)")
            return try database.rows("SELECT hash, begunAt, endsAt FROM page_session ORDER BY begunAt").map { row in
                Entry(hash: Array(row["hash"] as Data), begunAt: row["begunAt"], endsAt: row["endsAt"])
            }
        }
    }

    /// Adds a session, which is on disk when this returns.
    package func add(_ entry: Entry) async throws {
        try await database.write { database in
            try database.run(
                "INSERT OR REPLACE INTO page_session VALUES (\(Data(entry.hash)), \(entry.begunAt), \(entry.endsAt))"
            )
        }
    }

    package func remove(_ hash: [UInt8]) async throws {
        try await database.write { database in
            try database.run("DELETE FROM page_session WHERE hash = \(Data(hash))")
        }
    }

    /// Sets the browser that a method does something for from now on, in place of the one before. On disk when this returns.
    package func bind(_ method: String, to hash: [UInt8]) async throws {
        try await database.write { database in
            try database.run("INSERT OR REPLACE INTO page_binding VALUES (\(method), \(Data(hash)))")
        }
    }

    /// The hash of the browser that a method does something for, also of one that is signed out; nil for none.
    package func bound(_ method: String) async throws -> [UInt8]? {
        let hash: Data? = try await database.read {
            try $0.value("SELECT hash FROM page_binding WHERE method = \(method)")
        }
        return hash.map(Array.init)
    }

    /// Forgets the browser of a method, only where that one is still set.
    package func unbind(_ method: String, from hash: [UInt8]) async throws {
        try await database.write { database in
            try database.run("DELETE FROM page_binding WHERE method = \(method) AND hash = \(Data(hash))")
        }
    }

    package func removeAll() async throws {
        try await database.write { try $0.run("DELETE FROM page_session") }
    }
}
