import Kernel

/// The facts of a section in a package, before its rows and files.
package struct SectionHeader: Codable, Hashable, Sendable {
    /// A table's columns, in the order of the values of its rows.
    package struct Table: Codable, Hashable, Sendable {
        package var name: String
        package var columns: [String]
        package var rows: Int
        /// The last number that SQLite gave to a row of a table with AUTOINCREMENT; nil for other tables.
        package var sequence: Int64?
    }

    package var name: String
    package var version: Int
    /// The steps that the tables had taken.
    package var steps: [String]
    package var tables: [Table]
    package var fileCount: Int
    /// Bytes of all files together.
    package var fileBytes: Int64

    /// The bounds of a header that is believed. A phone of ours is far below each.
    enum Bounds {
        static let tables = 64
        static let columns = 128
        static let steps = 256
        static let nameBytes = 128
        static let rows = 50_000_000
        static let files = 2_000_000
    }

    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    /// Names of tables and columns become part of statements, so they are letters, digits and underscores only.
    private static func isIdentifier(_ text: String) -> Bool {
        (1...Bounds.nameBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
            }
    }

    /// - Throws: ``SectionError/badName(_:)``, ``SectionError/damaged(section:reason:)``.
    package func check() throws(SectionError) {
        guard Self.isName(name) else { throw .badName(String(name.prefix(64))) }
        func require(_ isTrue: Bool, _ reason: String) throws(SectionError) {
            guard isTrue else { throw .damaged(section: name, reason: reason) }
        }
        try require(version > 0, "its version is not above 0")
        try require(steps.count <= Bounds.steps && Set(steps).count == steps.count, "its steps repeat or are too many")
        try require(steps.allSatisfy { $0.utf8.count <= Bounds.nameBytes }, "a step's name is too long")
        try require(tables.count <= Bounds.tables, "it has too many tables")
        try require(Set(tables.map(\.name)).count == tables.count, "a table is there twice")
        for table in tables {
            try require(Self.isIdentifier(table.name), "a table's name is none")
            try require((1...Bounds.columns).contains(table.columns.count), "a table has no columns or too many")
            try require(table.columns.allSatisfy(Self.isIdentifier), "a column's name is none")
            try require(Set(table.columns).count == table.columns.count, "a column is there twice")
            try require((0...Bounds.rows).contains(table.rows), "a table's count of rows is out of range")
            try require(table.sequence ?? 0 >= 0, "a table's last number is below 0")
        }
        try require((0...Bounds.files).contains(fileCount) && fileBytes >= 0, "its count of files is out of range")
    }
}
