package import GRDB
import PortForwarding
package import Storage

/// The list of ports that the owner opened to phones, in the computer's database.
package struct PortGrants: Sendable {
    package static let migrations = [
        Migration(
            "ports-1",
            sql: """
                CREATE TABLE portGrant (
                    port INTEGER NOT NULL, phone TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (port, phone)
                ) STRICT, WITHOUT ROWID
                """
        )
    ]

    /// One line of the list.
    package struct Grant: Hashable, Sendable {
        package var port: Int
        /// A phone's id; empty for every phone that has the right.
        package var phone: String
        package var name: String
    }

    private let database: any DatabaseWriter

    /// - Parameter database: With these ``migrations``.
    package init(_ database: any DatabaseWriter) { self.database = database }

    /// All, by port and phone.
    package func all() async throws -> [Grant] { try await database.read { try Self.fetch($0) } }

    /// The ports of one phone with the names that are shown to it, by number. What is said for the phone alone goes before what is said for all.
    package func ports(of phone: String) async throws -> [(port: Int, name: String)] {
        var names: [Int: String] = [:]
        for grant in try await all() where grant.phone.isEmpty || grant.phone == phone {
            if names[grant.port]?.isEmpty ?? true || !grant.name.isEmpty { names[grant.port] = grant.name }
        }
        return names.sorted { $0.key < $1.key }.map { (port: $0.key, name: $0.value) }
    }

    /// - Throws: ``PortError/tooManyPorts(limit:)``, what the disk says.
    package func add(_ grant: Grant) async throws {
        try await database.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO portGrant (port, phone, name) VALUES (?, ?, ?)",
                arguments: [grant.port, grant.phone, grant.name]
            )
            guard try Self.fetch(database).count <= PortLimits.grants else {
                throw PortError.tooManyPorts(limit: PortLimits.grants)
            }
        }
    }

    /// Takes a port off the list.
    ///
    /// - Parameter phone: For this phone alone; empty for the line of every phone; nil for all lines.
    /// - Returns: Whether it was there.
    package func remove(_ port: Int, phone: String?) async throws -> Bool {
        try await database.write { database in
            if let phone {
                try database.execute(
                    sql: "DELETE FROM portGrant WHERE port = ? AND phone = ?",
                    arguments: [port, phone]
                )
            } else {
                try database.execute(sql: "DELETE FROM portGrant WHERE port = ?", arguments: [port])
            }
            return database.changesCount > 0
        }
    }

    /// Forgets what was said for one phone.
    package func forget(_ phone: String) async throws {
        try await database.write { database in
            try database.execute(sql: "DELETE FROM portGrant WHERE phone = ?", arguments: [phone])
        }
    }

    private static func fetch(_ database: Database) throws -> [Grant] {
        try Row.fetchAll(database, sql: "SELECT port, phone, name FROM portGrant ORDER BY port, phone").map { row in
            Grant(port: row["port"], phone: row["phone"], name: row["name"])
        }
    }
}
