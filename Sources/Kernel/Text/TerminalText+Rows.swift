extension TerminalText {
    /// Breaks a text at its spaces, so that no row is wider than a window, with every row but the first set in.
    ///
    /// A word that is wider than a row stands whole on a row of its own: a link or a path that is broken cannot be opened or copied.
    ///
    /// - Parameters:
    ///   - width: Columns of the window. Nil, or less than 20 columns behind the indent: nothing is broken.
    ///   - column: Where the first row begins.
    ///   - indent: Where every other row begins.
    public static func rows(_ text: String, width: Int?, from column: Int = 0, indent: Int = 0) -> String {
        guard let width, width - indent >= leastRow, column + columns(text) > width else { return text }
        var rows = ""
        var place = column
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let wide = columns(String(word))
            if rows.isEmpty {
                rows += word
                place += wide
            } else if place + 1 + wide <= width {
                rows += " " + word
                place += 1 + wide
            } else {
                rows += "\n" + String(repeating: " ", count: indent) + word
                place = indent + wide
            }
        }
        return rows
    }

    private static let leastRow = 20
}
