import Foundation

/// Names that people choose, as they are kept: what acts on a screen or turns text around is left out.
package enum ShownName {
    package static let characterLimit = 64
    /// One character may have any number of accents.
    package static let byteLimit = 256

    /// - Returns: Nil for a text that is too long; empty for one that shows nothing.
    package static func clean(_ text: String) -> String? {
        // Before anything looks at its characters, which takes time with the length.
        guard text.utf8.count <= 4 * byteLimit else { return nil }
        let shown = String(String.UnicodeScalarView(text.unicodeScalars.filter { !TerminalText.isUnsafe($0) }))
            .trimmingCharacters(in: .whitespaces)
        guard shown.count <= characterLimit, shown.utf8.count <= byteLimit else { return nil }
        let isBlank = shown.unicodeScalars.allSatisfy {
            $0.properties.isDefaultIgnorableCodePoint || $0.properties.isWhitespace
        }
        return isBlank ? "" : shown
    }
}
