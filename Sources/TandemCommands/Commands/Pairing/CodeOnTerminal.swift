import Foundation
import Pairing
import QRCodes

/// A code as text for a terminal, where it has room.
enum CodeOnTerminal {
    /// Lines below the drawing: what to do with it.
    private static let linesBelow = 3

    /// The code and what to do with it.
    ///
    /// - Parameter size: The window's; nil where there is none, as in a file or a pipe.
    static func text(
        _ shown: CodeEntry,
        role: Role,
        size: (columns: Int, rows: Int)? = Running.console.window()
    ) throws -> String {
        let below = PairingText.instructions(shown, role: role)
        let width = max(1, size?.columns ?? 80)
        let linkLines = shown.link.map { ($0.utf8.count + width - 1) / width + 1 } ?? 0
        return try text(shown.drawn, linesBelow: linesBelow + linkLines, below: below, size: size) { needed, given in
            """
            The code to scan needs a window of \(needed.columns) columns and \(needed.rows) lines; this one has \(given.columns)
            and \(given.rows). Make it larger, or its letters smaller, and show a new code; or see the
            code on the page, or make a picture of it:
              tandem page --role \(role.rawValue)
              tandem pair show --role \(role.rawValue) --png code.png
            """ + (PairingText.typing(shown).map { "\n\($0)" } ?? "")
        }
    }

    /// A drawing with text below, or other text where the window has no room for both.
    ///
    /// - Parameter size: The window's; nil where there is none, as in a file or a pipe.
    static func text(
        _ payload: String,
        linesBelow: Int,
        below: String,
        size: (columns: Int, rows: Int)? = Running.console.window(),
        otherwise: (_ needed: (columns: Int, rows: Int), _ given: (columns: Int, rows: Int)) -> String
    ) throws -> String {
        let matrix = try Live.pictureMaker.terminalMatrix(payload)
        let usual = QRTerminalRenderer(style: .coloured)
        guard let size else { return usual.render(matrix) + below }
        // Cameras read a code on a screen with a border of one module, too, though less surely.
        let narrow = QRTerminalRenderer(style: .coloured, quietZone: 1)
        func room(_ renderer: QRTerminalRenderer) -> (columns: Int, rows: Int) {
            (columns: renderer.columns(for: matrix), rows: renderer.lines(for: matrix) + linesBelow)
        }
        let fitting = [usual, narrow].first { room($0).columns <= size.columns && room($0).rows <= size.rows }
        return fitting.map { $0.render(matrix) + below } ?? otherwise(room(narrow), size)
    }
}
