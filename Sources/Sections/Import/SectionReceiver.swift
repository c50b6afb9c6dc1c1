package import Foundation
import GRDB
import Kernel

/// Takes one section into a ``StagedState``: pieces of rows, then files, then ``finish()``. Blocks, and is used by one call at a time.
package final class SectionReceiver {
    private enum Target {
        case tables(DatabaseQueue, SectionDeclaration, feature: String?)
        /// A section that this version does not know, as it came.
        case kept(rows: FileHandle, KeptSections)
    }

    private let header: SectionHeader
    private let target: Target
    private let folder: URL
    /// The declared types of each table's columns, in the header's order; empty for a section that is kept as it came.
    private let types: [[String]]
    private var counts: [Int]
    private var rest: [UInt8] = []
    private var waiting: [SectionRow] = []
    private var waitingBytes = 0
    private var files: (count: Int, bytes: Int64) = (0, 0)
    private var paths: Set<String> = []
    /// The file that the caller writes now.
    private var file: (url: URL, size: Int64)?

    private static let groupBytes = 1 << 20

    init(_ header: SectionHeader, of entry: SectionCatalogue.Entry, in database: DatabaseQueue, below folder: URL)
        throws
    {
        self.header = header
        self.folder = folder
        target = .tables(database, entry.declaration, feature: entry.owner.feature)
        counts = Array(repeating: 0, count: header.tables.count)
        types = try database.write { database in
            try header.tables.map { table in
                let pairs = try database.columns(in: table.name).map { ($0.name, $0.type.uppercased()) }
                let own = Dictionary(uniqueKeysWithValues: pairs)
                guard Set(own.keys) == Set(table.columns) else {
                    throw SectionError.damaged(
                        section: header.name,
                        reason: "the columns of \(table.name) are not its version's"
                    )
                }
                // Steps put first rows into some tables, which the package has as they were on the old phone.
                try database.execute(sql: "DELETE FROM \"\(table.name)\"")
                return table.columns.map { own[$0] ?? "" }
            }
        }
    }

    init(keeping header: SectionHeader, in kept: KeptSections) throws {
        self.header = header
        folder = kept.folder(of: header.name)
        types = []
        counts = Array(repeating: 0, count: header.tables.count)
        try StateFolder.makeClosedFolder(folder)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try DurableFiles.write(Array(try encoder.encode(header)), to: kept.headerURL(of: header.name))
        try DurableFiles.write([], to: kept.rowsURL(of: header.name))
        target = .kept(rows: try FileHandle(forWritingTo: kept.rowsURL(of: header.name)), kept)
    }

    /// Takes the next bytes of the rows; a piece may end within a line.
    ///
    /// - Throws: ``SectionError/damaged(section:reason:)``, ``SectionError/full(section:)``, what SQLite and the disk say.
    package func take(rows piece: [UInt8]) throws {
        try SectionError.naming(header.name) { try takeLines(of: piece) }
    }

    private func takeLines(of piece: [UInt8]) throws {
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: 0x0A) {
            let line = rest + piece[start..<end]
            rest = []
            try take(line)
            start = end + 1
        }
        rest += piece[start...]
        guard rest.count <= SectionRow.byteLimit else { throw damaged("a row is too long") }
    }

    private func take(_ line: [UInt8]) throws {
        let row = try SectionRow(line, in: header)
        counts[row.table] += 1
        guard counts[row.table] <= header.tables[row.table].rows else { throw damaged("it has more rows than it says") }
        if case .kept(let handle, _) = target { return try handle.write(contentsOf: Data(line + [0x0A])) }
        guard zip(row.values, types[row.table]).allSatisfy(Self.fits) else {
            throw damaged("a row does not fit its table")
        }
        waiting.append(row)
        waitingBytes += line.count
        if waitingBytes >= Self.groupBytes { try writeWaiting() }
    }

    /// Whether a column takes a value as its declared type says: SQLite itself holds only STRICT tables to that, and stores trust their columns.
    private static func fits(_ value: DatabaseValue, _ type: String) -> Bool {
        switch (value.storage, type) {
        case (.null, _), (_, "ANY"), (.int64, "INTEGER"), (.int64, "INT"), (.int64, "REAL"), (.double, "REAL"),
            (.string, "TEXT"), (.blob, "BLOB"):
            true
        default: false
        }
    }

    private func writeWaiting() throws {
        guard case .tables(let database, _, _) = target, !waiting.isEmpty else { return }
        do {
            try database.write { database in
                for row in waiting {
                    let table = header.tables[row.table]
                    let columns = table.columns.map { "\"\($0)\"" }.joined(separator: ", ")
                    let marks = Array(repeating: "?", count: table.columns.count).joined(separator: ", ")
                    let statement = try database.cachedStatement(
                        sql: "INSERT INTO \"\(table.name)\" (\(columns)) VALUES (\(marks))"
                    )
                    try statement.execute(arguments: StatementArguments(row.values))
                }
            }
        } catch let error as DatabaseError {
            switch error.resultCode {
            // Two rows of one key, an empty column that may not be, or a text in a number's place: no phone made these.
            case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: throw damaged("a row does not fit its table")
            default: throw error
            }
        }
        waiting.removeAll(keepingCapacity: true)
        waitingBytes = 0
    }

    /// The place for a file of the section, which is empty and there now. The caller writes it before the next call, and syncs nothing: that is done
    /// once for all.
    ///
    /// - Parameters:
    ///   - path: `folders/…`, `keys/…` or `files/…`.
    ///   - size: Bytes, as the package says.
    /// - Throws: ``SectionError/damaged(section:reason:)`` for a path that is none or not this section's, or comes twice, and where the file before is
    ///   not as long as the package said; ``SectionError/full(section:)``, what the disk says.
    package func place(forFile path: String, size: Int64) throws -> URL {
        try checkFile()
        guard SectionFile.isSafe(path), size >= 0 else { throw damaged("a file's path or size is none") }
        // Names that some file systems take for one would overwrite each other there.
        guard paths.insert(path.precomposedStringWithCanonicalMapping.lowercased()).inserted else {
            throw damaged("a file is there twice")
        }
        let (bytes, isTooLarge) = files.bytes.addingReportingOverflow(size)
        files = (files.count + 1, bytes)
        guard !isTooLarge, files.count <= header.fileCount, bytes <= header.fileBytes else {
            throw damaged("it has more files than it says")
        }
        let url = try url(of: path)
        try StateFolder.makeClosedFolder(url.deletingLastPathComponent())
        try SectionError.naming(header.name) { try DurableFiles.make(url) }
        file = (url, size)
        return url
    }

    /// The file that was written last is as long as the package said.
    private func checkFile() throws {
        guard let (url, size) = file else { return }
        file = nil
        let written = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber
        guard written?.int64Value == size else { throw damaged("a file is not as long as it says") }
    }

    private func url(of path: String) throws -> URL {
        guard case .tables(_, let section, let feature) = target else { return folder.appending(path: path) }
        guard section.roots.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) else {
            throw damaged("it has a file that it cannot have")
        }
        let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
        return switch (parts[0], feature) {
        case ("keys", _): folder.appending(path: path)
        case ("folders", let feature?): folder.appending(path: "features/\(feature)/\(parts[1])")
        default: folder.appending(path: parts[1])
        }
    }

    /// Ends the section: everything that its header says has come.
    ///
    /// - Throws: ``SectionError/damaged(section:reason:)`` where it has not; ``SectionError/full(section:)``, what SQLite and the disk say.
    package func finish() throws {
        try SectionError.naming(header.name) { try finishRows() }
        try checkFile()
        guard files == (header.fileCount, header.fileBytes) else { throw damaged("it has fewer files than it says") }
    }

    private func finishRows() throws {
        guard rest.isEmpty else { throw damaged("its last row has no end") }
        try writeWaiting()
        guard counts == header.tables.map(\.rows) else { throw damaged("it has fewer rows than it says") }
        switch target {
        case .kept(let handle, _): try handle.close()
        case .tables(let database, _, _):
            try database.write { database in
                for table in header.tables {
                    guard let sequence = table.sequence else { continue }
                    try database.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table.name])
                    try database.execute(
                        sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
                        arguments: [table.name, sequence]
                    )
                }
            }
        }
    }

    private func damaged(_ reason: String) -> SectionError { .damaged(section: header.name, reason: reason) }
}
