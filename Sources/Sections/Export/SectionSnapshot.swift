import Foundation
import GRDB
import Kernel
import Storage

/// A section as it was at one moment: its header, its rows and its files. Each reading gives the same bytes, for as long as this value lives.
package struct SectionSnapshot: Sendable {
    package let header: SectionHeader
    package let files: [SectionFile]
    private let reader: (any DatabaseReader)?
    /// The lines of a section that this version does not know, as they came.
    private let keptRows: URL?

    private static let pieceBytes = 256 << 10

    init(_ header: SectionHeader, files: [SectionFile], reader: (any DatabaseReader)?, keptRows: URL? = nil) {
        self.header = header
        self.files = files
        self.reader = reader
        self.keptRows = keptRows
    }

    /// Hands out the rows as lines, in pieces of whole lines of about 256 KiB. Blocks.
    ///
    /// - Throws: What `take` throws, and what SQLite says.
    package func readRows(_ take: ([UInt8]) throws -> Void) throws {
        if let keptRows { return try Self.readFile(keptRows, take) }
        guard let reader else { return }
        try reader.read { database in
            var piece: [UInt8] = []
            for (index, table) in header.tables.enumerated() {
                let cursor = try Row.fetchCursor(database, sql: try Self.statement(table, in: database))
                while let row = try cursor.next() {
                    piece += SectionRow(table: index, values: Array(row.databaseValues)).line
                    guard piece.count >= Self.pieceBytes else { continue }
                    try take(piece)
                    piece.removeAll(keepingCapacity: true)
                }
            }
            if !piece.isEmpty { try take(piece) }
        }
    }

    /// Hands out a file's bytes in pieces. Blocks.
    ///
    /// - Throws: ``SectionError/changed(section:path:)`` where it is no more as long as it was.
    package func readFile(_ file: SectionFile, _ take: ([UInt8]) throws -> Void) throws {
        var count: Int64 = 0
        switch file.content {
        case .memory(let bytes):
            count = Int64(bytes.count)
            try take(bytes)
        case .disk(let url):
            do {
                try Self.readFile(url) { piece in
                    count += Int64(piece.count)
                    guard count <= file.size else { throw SectionError.changed(section: header.name, path: file.path) }
                    try take(piece)
                }
            } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
                throw SectionError.changed(section: header.name, path: file.path)
            }
        }
        guard count == file.size else { throw SectionError.changed(section: header.name, path: file.path) }
    }

    private static func readFile(_ url: URL, _ take: ([UInt8]) throws -> Void) throws {
        let handle = try FileHandle(forReadingFrom: url)
        defer { try? handle.close() }  // it only read
        while let piece = try handle.read(upToCount: pieceBytes), !piece.isEmpty { try take(Array(piece)) }
    }

    /// In the order of the primary key, so that each reading gives the rows in the same order.
    private static func statement(_ table: SectionHeader.Table, in database: Database) throws -> String {
        let columns = table.columns.map { "\"\($0)\"" }.joined(separator: ", ")
        let key = try database.primaryKey(table.name)
        let order = key.isRowID ? "rowid" : key.columns.map { "\"\($0)\"" }.joined(separator: ", ")
        return "SELECT \(columns) FROM \"\(table.name)\" ORDER BY \(order)"
    }
}
