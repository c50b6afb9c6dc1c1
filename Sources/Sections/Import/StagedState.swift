package import Foundation
package import GRDB
import Kernel
import Storage

/// A phone's state that is built beside the one that lives: a fresh place, into which the sections of a package are put, and which takes the
/// other's place by ``StateSwap`` once the package is committed. Nothing outside of its folder is changed. All of it blocks, and is used by one
/// call at a time.
///
/// What makes it durable is ``seal(keeping:)``: until then a crash leaves a folder that is thrown away.
package final class StagedState {
    let folder: URL
    private let catalogue: SectionCatalogue
    private var taken: Set<String> = []
    private var databases: [String: DatabaseQueue] = [:]
    private let databaseLimit: Int
    /// The name of the role's own database among ``databases``; no feature has an empty name.
    private static let shared = ""

    /// - Parameters:
    ///   - folder: Is made; what an earlier attempt left there is removed.
    ///   - databaseLimit: Bytes that each database may grow to: a package that is not what it says fills no disk.
    /// - Throws: What the disk says.
    package init(_ folder: URL, catalogue: SectionCatalogue, databaseLimit: Int = 64 << 30) throws {
        self.folder = folder
        self.catalogue = catalogue
        self.databaseLimit = databaseLimit
        if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
        try StateFolder.makeClosedFolder(folder)
    }

    /// Begins a section. One that is of no name here is kept for a later version, and handed on.
    ///
    /// - Throws: ``SectionError/newer(section:theirs:ours:)`` and what is wrong with the header; nothing was written then.
    ///   ``SectionError/full(section:)``, what the disk says.
    package func begin(_ header: SectionHeader) throws -> SectionReceiver {
        try header.check()
        guard taken.insert(header.name).inserted else { throw SectionError.twice(header.name) }
        return try SectionError.naming(header.name) {
            guard let entry = catalogue.entry(named: header.name) else {
                return try SectionReceiver(keeping: header, in: KeptSections(folder))
            }
            return try begin(header, of: entry)
        }
    }

    private func begin(_ header: SectionHeader, of entry: SectionCatalogue.Entry) throws -> SectionReceiver {
        let section = entry.declaration
        try Self.checkVersion(header, of: section)
        for table in header.tables where !section.tables.contains(table.name) {
            throw SectionError.damaged(
                section: header.name,
                reason: "it has the table \(table.name), which it cannot have"
            )
        }
        let database = try database(of: entry.owner)
        // The tables of the package's time; seal() brings them up to date by the steps of an update.
        let steps = section.migrations.filter { header.steps.contains($0.identifier) }
        do {
            try Schema(section.name, [steps]).apply(to: database)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            // A step that needs one which no version left out.
            throw SectionError.damaged(section: header.name, reason: "its steps are of no version")
        }
        return try SectionReceiver(header, of: entry, in: database, below: folder)
    }

    private static func checkVersion(_ header: SectionHeader, of section: SectionDeclaration) throws(SectionError) {
        let known = Set(section.migrations.map(\.identifier))
        let isNewer = header.version > section.version || !known.isSuperset(of: header.steps)
        guard !isNewer else {
            // A step without a greater version is a branch of development; to the person it is newer as well.
            let theirs = max(header.version, section.version + 1)
            throw .newer(section: header.name, theirs: theirs, ours: section.version)
        }
    }

    private func database(of owner: SectionOwner) throws -> DatabaseQueue {
        let name = owner.ownDatabase ?? Self.shared
        if let known = databases[name] { return known }
        let url: URL
        if name == Self.shared {
            url = folder.appending(path: "tandem.sqlite")
        } else {
            let place = folder.appending(path: "features/\(name)")
            try StateFolder.makeClosedFolder(place)
            url = place.appending(path: "\(name).sqlite")
        }
        var configuration = Configuration()
        // Rows come in the order of tables; seal() checks what refers to what.
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { [databaseLimit] database in
            // A crash throws the folder away, so no write waits for the disk before seal().
            try database.execute(sql: "PRAGMA synchronous = OFF")
            let page = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4096
            try database.execute(sql: "PRAGMA max_page_count = \(databaseLimit / page)")
        }
        try DurableFiles.make(url)
        let database = try DatabaseQueue(path: url.path, configuration: configuration)
        databases[name] = database
        return database
    }

    /// Brings the tables up to date, takes over what belongs to this phone, checks everything and writes it to the disk. The databases and folders of
    /// sections that did not come are there too, empty: the phone that lived here before was another one, and nothing of it stays under the new keys.
    ///
    /// - Parameter live: The role's database on this phone, from which ``SectionCatalogue/deviceTables`` are taken; nil for none.
    /// - Returns: The names that ``StateSwap`` puts into place, which are on disk beside the state.
    /// - Throws: ``SectionError/missing(section:)`` where a section with the phone's keys did not come; ``SectionError/full(section:)`` and
    ///   ``SectionError/damaged(section:reason:)``; what SQLite and the disk say. The folder is to be thrown away then.
    package func seal(keeping live: (any DatabaseReader)?) throws -> SwapPlan {
        let needed = catalogue.entries.map(\.declaration).filter { !$0.keys.isEmpty }.map(\.name)
        if let missing = needed.first(where: { !taken.contains($0) }) { throw SectionError.missing(section: missing) }
        return try SectionError.naming("tandem") { try putTogether(keeping: live) }
    }

    private func putTogether(keeping live: (any DatabaseReader)?) throws -> SwapPlan {
        var features: Set<String> = []
        for entry in catalogue.entries {
            if let name = entry.owner.feature { features.insert(name) }
            _ = try database(of: entry.owner)
        }
        for name in features { try StateFolder.makeClosedFolder(folder.appending(path: "features/\(name)")) }
        for (name, database) in databases {
            let schema = name == Self.shared ? catalogue.schema : catalogue.ownSchemas[name]
            guard let schema else { throw SectionError.badName(name) }
            try schema.apply(to: database)
        }
        for entry in catalogue.entries {
            try database(of: entry.owner).write { try entry.declaration.adapt($0) }
        }
        if let live { try keepDeviceTables(of: live) }
        for (name, database) in databases {
            try Self.check(database, of: name == Self.shared ? "tandem" : name)
            try database.close()
        }
        databases = [:]
        // A phone that was retired once is nobody's old phone under the keys that come; undoing brings its standing back.
        try DurableFiles.write(try PhoneStanding.active.stored, to: folder.appending(path: StandingKeeper.fileName))
        let plan = try SwapPlan(of: folder, features: features)
        try plan.write(to: folder)
        try DurableFiles.syncTree(folder)
        return plan
    }

    private func keepDeviceTables(of live: any DatabaseReader) throws {
        let target = try database(of: .role)
        for table in catalogue.deviceTables {
            let (columns, rows) = try live.read { database in
                let columns = try database.columns(in: table).map { "\"\($0.name)\"" }.joined(separator: ", ")
                return (columns, try Row.fetchAll(database, sql: "SELECT \(columns) FROM \"\(table)\""))
            }
            try target.write { database in
                try database.execute(sql: "DELETE FROM \"\(table)\"")
                for row in rows {
                    let marks = Array(repeating: "?", count: row.count).joined(separator: ", ")
                    let statement = try database.cachedStatement(
                        sql: "INSERT INTO \"\(table)\" (\(columns)) VALUES (\(marks))"
                    )
                    try statement.execute(arguments: StatementArguments(row.databaseValues))
                }
            }
        }
    }

    private static func check(_ database: DatabaseQueue, of section: String) throws {
        try database.read { database in
            guard try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") == "ok" else {
                throw SectionError.damaged(section: section, reason: "its tables are not sound")
            }
            guard try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") == nil else {
                throw SectionError.damaged(section: section, reason: "a row names another that is not there")
            }
        }
    }
}
