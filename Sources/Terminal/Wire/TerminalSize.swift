import Kernel

/// Columns and rows of a terminal's window, each from 1 to 1000.
public struct TerminalSize: Hashable, Sendable {
    /// The range of columns and rows. Source: `docs/protocol.md`, "Terminal".
    public static let range: ClosedRange<Int64> = 1...1000
    /// 80 columns and 24 rows, which a terminal has where none are asked for.
    public static let standard = TerminalSize(checkedColumns: 80, rows: 24)

    /// Characters in a row.
    public let columns: UInt16
    /// Lines.
    public let rows: UInt16

    /// - Throws: ``TerminalError/invalidDimensions``.
    public init(columns: Int64, rows: Int64) throws(TerminalError) {
        guard Self.range.contains(columns), Self.range.contains(rows) else { throw .invalidDimensions }
        self.init(checkedColumns: UInt16(columns), rows: UInt16(rows))
    }

    private init(checkedColumns columns: UInt16, rows: UInt16) {
        self.columns = columns
        self.rows = rows
    }

    /// Nil without both numbers, and for numbers that no terminal has.
    init?(wire: JSONValue) {
        guard let columns = wire["cols"]?.integerValue, let rows = wire["rows"]?.integerValue,
            let size = try? TerminalSize(columns: columns, rows: rows)
        else { return nil }
        self = size
    }

    var members: [String: JSONValue] { ["cols": .integer(Int64(columns)), "rows": .integer(Int64(rows))] }
}
