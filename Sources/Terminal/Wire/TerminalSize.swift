/// Columns and rows of a terminal's window, each from 1 to 1000.
public struct TerminalSize: Hashable, Sendable {
    public static let range: ClosedRange<Int64> = 1...1000
    public static let standard = TerminalSize(checkedColumns: 80, rows: 24)

    public let columns: UInt16
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
}
