package import Foundation
package import GRDB
package import Kernel
import Storage

/// Takes a phone's data out, section by section. All of it blocks: call it from `BlockingWork`.
///
/// The phone rests while its data moves (``PhoneStanding/handingOver(_:)``), so the databases of the role and of its features, each frozen for
/// itself, say the same, and a second export after a crash gives the same bytes.
package struct SectionExport: Sendable {
    /// The places of the phone that is taken out.
    package struct Source: Sendable {
        package var database: any DatabaseWriter
        /// A feature's own database, by its name.
        package var own: [String: any DatabaseWriter]
        /// The folder of a feature, by its name; nil where it has none yet.
        package var featureFolder: @Sendable (String) throws -> URL?
        /// The role's folder; nil in memory.
        package var state: StateFolder?
        /// Keys of a phone whose state is in memory.
        package var keys: [String: [UInt8]]

        package init(
            database: any DatabaseWriter,
            own: [String: any DatabaseWriter],
            state: StateFolder?,
            keys: [String: [UInt8]] = [:],
            featureFolder: @escaping @Sendable (String) throws -> URL?
        ) {
            self.database = database
            self.own = own
            self.state = state
            self.keys = keys
            self.featureFolder = featureFolder
        }
    }

    private let catalogue: SectionCatalogue

    package init(_ catalogue: SectionCatalogue) { self.catalogue = catalogue }

    /// Freezes every section; sections that an earlier phone handed on and this version does not know are among them, as they came.
    ///
    /// - Throws: What SQLite and the disk say.
    package func freeze(_ source: Source) throws -> [SectionSnapshot] {
        let shared = try Self.frozen(source.database)
        var frozen: [String: any DatabaseReader] = [:]
        for (name, database) in source.own { frozen[name] = try Self.frozen(database) }
        var snapshots: [SectionSnapshot] = []
        for entry in catalogue.entries {
            let reader = entry.owner.ownDatabase.map { frozen[$0] } ?? shared
            let files = try files(of: entry, in: source)
            snapshots.append(
                SectionSnapshot(try header(of: entry.declaration, in: reader, files), files: files, reader: reader)
            )
        }
        guard let state = source.state else { return snapshots }
        return snapshots
            + (try KeptSections(state.url).snapshots().filter { catalogue.entry(named: $0.header.name) == nil })
    }

    /// The database as it is now. A pool's snapshot costs nothing and blocks no writer; a database in memory is copied.
    private static func frozen(_ database: any DatabaseWriter) throws -> any DatabaseReader {
        if let pool = database as? DatabasePool { return try pool.makeSnapshot() }
        let copy = try DatabaseQueue()
        try database.backup(to: copy)
        return copy
    }

    private func header(
        of section: SectionDeclaration,
        in reader: (any DatabaseReader)?,
        _ files: [SectionFile]
    ) throws -> SectionHeader {
        let tables: [SectionHeader.Table] =
            try reader?.read { database in
                let counts = try database.tableExists("sqlite_sequence")
                return try section.tables.map { name -> SectionHeader.Table in
                    SectionHeader.Table(
                        name: name,
                        columns: try database.columns(in: name).map(\.name),
                        rows: try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \"\(name)\"") ?? 0,
                        sequence: counts
                            ? try Int64.fetchOne(
                                database,
                                sql: "SELECT seq FROM sqlite_sequence WHERE name = ?",
                                arguments: [name]
                            ) : nil
                    )
                }
            } ?? []
        return SectionHeader(
            name: section.name,
            version: section.version,
            steps: section.migrations.map(\.identifier),
            tables: tables,
            fileCount: files.count,
            fileBytes: files.reduce(0) { $0 + $1.size }
        )
    }

    private func files(of entry: SectionCatalogue.Entry, in source: Source) throws -> [SectionFile] {
        let section = entry.declaration
        var files: [SectionFile] = []
        for name in section.keys {
            let url = source.state?.keysURL.appending(path: name)
            if let url, let size = try Self.size(of: url) {
                files.append(SectionFile(path: "keys/\(name)", size: size, content: .disk(url)))
            } else if let bytes = source.keys[name] {
                files.append(SectionFile(path: "keys/\(name)", size: Int64(bytes.count), content: .memory(bytes)))
            }
        }
        for name in section.files {
            guard let url = source.state?.url.appending(path: name), let size = try Self.size(of: url) else { continue }
            files.append(SectionFile(path: "files/\(name)", size: size, content: .disk(url)))
        }
        if let feature = entry.owner.feature, !section.folders.isEmpty, let root = try source.featureFolder(feature) {
            for name in section.folders {
                files += try Self.files(below: root.appending(path: name), as: "folders/\(name)")
            }
        }
        return files
    }

    /// Regular files only, in the order of their names. A link is nothing that a phone makes, so none is followed.
    static func files(below folder: URL, as path: String) throws -> [SectionFile] {
        let manager = FileManager.default
        guard manager.fileExists(atPath: folder.path) else { return [] }
        var files: [SectionFile] = []
        for name in try manager.contentsOfDirectory(atPath: folder.path).sorted() {
            let url = folder.appending(path: name)
            let attributes = try manager.attributesOfItem(atPath: url.path)
            let inner = "\(path)/\(name)"
            switch attributes[.type] as? FileAttributeType {
            // A file that was being written when the program ended is swept by its store; it is nobody's yet.
            case .typeRegular? where !name.hasPrefix(".partial-"):
                let size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
                files.append(SectionFile(path: inner, size: size, content: .disk(url)))
            case .typeDirectory?: files += try Self.files(below: url, as: inner)
            default: continue
            }
        }
        return files
    }

    private static func size(of url: URL) throws -> Int64? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return (try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.int64Value
    }
}
