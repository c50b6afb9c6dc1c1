import Accounts
import Foundation
import Kernel

/// Names that people choose, as they are kept: what acts on a screen or turns text around is left out.
enum ShownText {
    static let characterLimit = 64
    /// One character may have any number of accents.
    static let byteLimit = 256

    /// - Returns: Nil for a text that is too long; empty for one that shows nothing.
    static func clean(_ text: String) -> String? {
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

    /// Whether a text can be the key of an object: 1 to 200 bytes that mean themselves in a path.
    static func isObjectKey(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count) && text.hasOnlyLettersAndDigits(or: "/._-") && !text.contains("..")
            && !text.hasPrefix("/")
    }
}
