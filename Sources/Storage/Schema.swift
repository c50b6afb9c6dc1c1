package import GRDB

/// The tables of a role: the migrations of its stores in the order in which they run.
///
/// Stores do not share tables, so the order of their lists is free; within a list it is the order in which versions added to it.
package struct Schema: Sendable, ExpressibleByArrayLiteral {
    /// The role's name, for reports.
    package let name: String
    /// All lists, one after the other.
    package let migrations: [Migration]

    /// - Parameter lists: One for each store. An identifier that is there twice ends the process when the schema is applied.
    package init(_ name: String, _ lists: [[Migration]]) {
        self.name = name
        migrations = lists.flatMap(\.self)
    }

    /// The lists of a few stores, for tests of these.
    package init(arrayLiteral lists: [Migration]...) {
        self.init("state", lists)
    }

    /// The identifiers of ``migrations``, in their order.
    package var identifiers: [String] { migrations.map(\.identifier) }

    /// The families of this schema's migrations: those of its stores.
    package var families: Set<String> { Set(identifiers.map { Migration.family(of: $0) }) }

    /// Runs the steps that the database did not take yet.
    ///
    /// - Throws: ``SchemaError/newer(_:)``, and nothing has changed then; what SQLite says about a step, and that step left nothing.
    package func apply(to database: any DatabaseWriter) throws {
        let unknown = try database.writeWithoutTransaction { try self.unknown(in: $0) }
        guard unknown.isEmpty else { throw SchemaError.newer(unknown) }
        try migrator.migrate(database)
    }

    /// Identifiers of steps that the database took and this schema's own stores do not know: a newer version's. Those of other families are
    /// another role's or feature's, which the folder served before: nobody here reads their tables, and they stay as they are.
    func unknown(in database: Database) throws -> [String] {
        let unknown: Set<String> = try migrator.appliedIdentifiers(database).subtracting(identifiers)
        return unknown.filter { families.contains(Migration.family(of: $0)) }.sorted()
    }

    func applied(in database: Database) throws -> [String] { try migrator.appliedMigrations(database) }

    private var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in migrations { migrator.registerMigration(migration.identifier, migrate: migration.body) }
        return migrator
    }
}

/// Why a schema does not fit a database.
enum SchemaError: Error, Hashable {
    /// A newer version changed the tables in ways that this one does not know.
    case newer([String])
}
