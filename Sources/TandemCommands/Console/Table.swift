import Kernel

/// Rows of cells in columns, measured as a terminal draws them.
struct Table {
    private static let gap = 2
    /// Columns that a cell is filled up to where there is no window, so that one long title does not make every row as long.
    private static let filled = 48

    private let cells: [[String]]
    /// Columns that are typed again elsewhere, such as ids: they are cut after what is long besides them.
    private let keys: Set<Int>

    init(header: [String], rows: [[String]]) {
        cells = ([header] + rows).map { $0.map(TerminalText.line) }
        keys = Set(header.indices.filter { header[$0] == "ID" })
    }

    /// - Parameter width: The window's; nil where there is none, and nothing is cut.
    func text(width: Int?) -> String {
        let widths = width.map(widths(within:)) ?? natural
        return cells.map { row in
            let line = zip(row, widths)
                .map { width == nil ? TerminalText.padded($0, to: min($1, Self.filled)) : Self.fitted($0, to: $1) }
                .joined(separator: String(repeating: " ", count: Self.gap))
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    private var natural: [Int] {
        (cells.first ?? []).indices.map { column in
            cells.map { $0.indices.contains(column) ? TerminalText.columns($0[column]) : 0 }.max() ?? 0
        }
    }

    private func widths(within width: Int) -> [Int] {
        var widths = natural
        let others = widths.indices.filter { !keys.contains($0) }
        // First what is long anyway, then the ids, of which the beginning tells one from another, then every column.
        for (columns, least) in [(others, 12), (Array(keys), 16), (others, 8), (Array(widths.indices), 1)] {
            while widths.reduce(0, +) + Self.gap * (widths.count - 1) > width {
                guard let widest = columns.max(by: { widths[$0] < widths[$1] }), widths[widest] > least else { break }
                widths[widest] -= 1
            }
        }
        return widths
    }

    private static func fitted(_ text: String, to columns: Int) -> String {
        TerminalText.padded(cut(text, to: columns), to: columns)
    }

    /// The text as it is where it has room, else its beginning and an ellipsis.
    static func cut(_ text: String, to columns: Int) -> String {
        guard TerminalText.columns(text) > columns else { return text }
        var kept = ""
        for character in text {
            guard TerminalText.columns(kept + String(character)) < columns else { break }
            kept.append(character)
        }
        return kept + "…"
    }
}
