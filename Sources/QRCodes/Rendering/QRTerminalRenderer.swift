/// Renders a code as lines of text, two module rows a line.
package struct QRTerminalRenderer: Hashable, Sendable {
    package enum Style: Hashable, Sendable {
        /// Black on white by ANSI codes, independent of the terminal's colours.
        case coloured
        /// Block characters without colours, for a terminal with dark text on a light background, or the other way round.
        case plain(lightBackground: Bool)
    }

    package var style: Style
    /// The width of the border in light modules. Two are enough on a screen and save room; paper needs four.
    package var quietZone: Int

    package init(style: Style, quietZone: Int = 2) {
        self.style = style
        self.quietZone = max(0, quietZone)
    }

    /// The number of columns of the code. A terminal with fewer wraps the lines and breaks the code.
    package func columns(for matrix: QRMatrix) -> Int { matrix.side + 2 * quietZone }

    /// The number of lines of the code.
    package func lines(for matrix: QRMatrix) -> Int { (columns(for: matrix) + 1) / 2 }

    /// The lines, each ended by a line feed.
    package func render(_ matrix: QRMatrix) -> String {
        let columns = -quietZone..<(matrix.side + quietZone)
        var text = ""
        for row in stride(from: -quietZone, to: matrix.side + quietZone, by: 2) {
            // The colours come from the 256-colour cube, since a theme may redefine "black" and "white".
            if style == .coloured { text += "\u{1B}[38;5;16;48;5;231m" }
            for column in columns {
                let top = matrix.isDark(column: column, row: row)
                let bottom = matrix.isDark(column: column, row: row + 1)
                text += block(top: isInked(dark: top), bottom: isInked(dark: bottom))
            }
            // The colours are reset before the line feed: a terminal fills the rest of the line with the current background.
            if style == .coloured { text += "\u{1B}[0m" }
            text += "\n"
        }
        return text
    }

    /// Whether a module is drawn in the text's colour rather than left as background.
    private func isInked(dark: Bool) -> Bool {
        switch style {
        case .coloured, .plain(lightBackground: true): dark
        case .plain(lightBackground: false): !dark
        }
    }

    private func block(top: Bool, bottom: Bool) -> String {
        switch (top, bottom) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
