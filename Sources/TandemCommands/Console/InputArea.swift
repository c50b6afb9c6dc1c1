import Kernel

/// The last rows of a terminal in raw mode: a row of news and one to write in. Everything else is printed above them, once, and belongs to the
/// terminal, which scrolls it.
struct InputArea {
    /// Rows between the first one of the area and the cursor; nil while nothing is drawn.
    private var rowsAbove: Int?

    /// What to send to the terminal so that it shows `lines` above the area, and the area anew.
    ///
    /// - Parameters:
    ///   - lines: Safe for a terminal; each may take several rows.
    ///   - status: Safe for a terminal, cut to one row; empty for no row.
    ///   - columns: The window's.
    mutating func draw(
        printing lines: [String] = [],
        status: String,
        prompt: String,
        editor: LineEditor,
        columns: Int,
        style: Style
    ) -> String {
        var out = erase()
        for line in lines { out += line + "\r\n" }
        let status = Table.cut(status, to: max(2, columns - 1))
        if !status.isEmpty { out += style.dim(status) + "\r\n" }
        let start = TerminalText.columns(prompt)
        let (text, cursor) = editor.window(columns: max(2, columns - start))
        out += style.bold(prompt) + text + "\r"
        if start + cursor > 0 { out += "\u{1B}[\(start + cursor)C" }
        rowsAbove = status.isEmpty ? 0 : 1
        return out
    }

    /// What removes the area. The cursor then stands where its first row was.
    mutating func erase() -> String {
        guard let rows = rowsAbove else { return "" }
        rowsAbove = nil
        return "\r" + (rows > 0 ? "\u{1B}[\(rows)A" : "") + "\u{1B}[J"
    }
}
