import Foundation
package import GRDB
package import Kernel

/// What of a phone is in no section and on no list of things that stay: forgotten by whoever added it, and lost at the next move. For tests.
package struct SectionCoverage: Sendable {
    private let catalogue: SectionCatalogue
    private let left: [SectionOwner: Set<LeftBehind.Thing>]

    /// - Parameter left: The things that stay, of the role and of each feature.
    package init(_ catalogue: SectionCatalogue, leaving left: [SectionOwner: [LeftBehind]]) {
        self.catalogue = catalogue
        self.left = left.mapValues { Set($0.map(\.thing)) }
    }

    private func left(to name: String?) -> Set<LeftBehind.Thing> {
        left.filter { $0.key.feature == name }.values.reduce(into: []) { $0.formUnion($1) }
    }

    /// The tables of a database that nothing names.
    ///
    /// - Parameter name: The feature's whose own database it is; nil for the role's, where features have tables, too.
    package func strayTables(in database: any DatabaseReader, of name: String?) throws -> [String] {
        // Indices of words are virtual tables over others, made again from their rows.
        let tables = try database.read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM pragma_table_list
                    WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'grdb_migrations'
                    ORDER BY name
                    """
            )
        }
        let here = catalogue.entries.filter { $0.owner.ownDatabase == name }
        let staying = left.filter { $0.key.ownDatabase == name }.values.reduce(into: Set()) { $0.formUnion($1) }
        let named = Set(here.flatMap(\.declaration.tables)).union(catalogue.deviceTables)
        return tables.filter { !named.contains($0) && !staying.contains(.table($0)) }
    }

    /// The files and folders of a state folder that nothing names, as paths within it.
    package func strayFiles(in state: StateFolder) throws -> [String] {
        let manager = FileManager.default
        func names(_ url: URL) throws -> [String] {
            manager.fileExists(atPath: url.path) ? try manager.contentsOfDirectory(atPath: url.path).sorted() : []
        }
        // A feature, too, may keep a folder of its own beside the role's files.
        let staying = left.values.reduce(into: Set()) { $0.formUnion($1) }
        let prefixes = staying.compactMap { if case .keys(let prefix) = $0 { prefix } else { nil } }
        let databases = [
            "tandem.sqlite", "tandem.sqlite-wal", "tandem.sqlite-shm", "keys", "features", KeptSections.folderName,
        ]
        let files = Set(catalogue.entries.flatMap(\.declaration.files) + databases)
        var stray = try names(state.url).filter { !files.contains($0) && !staying.contains(.file($0)) }
        let keys = Set(catalogue.entries.flatMap(\.declaration.keys))
        stray += try names(state.keysURL)
            .filter { name in
                !keys.contains(name) && !staying.contains(.key(name)) && !prefixes.contains(where: name.hasPrefix)
            }
            .map { "keys/\($0)" }
        for feature in try names(state.url.appending(path: "features")) {
            let own = ["", "-wal", "-shm"].map { "\(feature).sqlite\($0)" }
            let folders = catalogue.entries.filter { $0.owner.feature == feature }.flatMap(\.declaration.folders)
            let staying = left(to: feature)
            stray += try names(state.url.appending(path: "features/\(feature)"))
                .filter { !own.contains($0) && !folders.contains($0) && !staying.contains(.folder($0)) }
                .map { "features/\(feature)/\($0)" }
        }
        return stray
    }
}
