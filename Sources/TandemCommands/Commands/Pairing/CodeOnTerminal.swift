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
        let matrix = try Live.pictureMaker.terminalMatrix(shown.payload)
        let renderer = QRTerminalRenderer(style: .coloured)
        let (columns, lines) = (renderer.columns(for: matrix), renderer.lines(for: matrix) + linesBelow)
        guard let size, size.columns < columns || size.rows < lines else {
            return renderer.render(matrix) + PairingText.instructions(shown, role: role)
        }
        return """
            The code to scan needs a window of \(columns) columns and \(lines) lines; this one has \(size.columns)
            and \(size.rows). Make it larger and show a new code, or make a picture of it:
              tandem pair show --role \(role.rawValue) --png code.png
            """ + (PairingText.typing(shown).map { "\n\($0)" } ?? "")
    }
}
