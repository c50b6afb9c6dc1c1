import Foundation
import Kernel

/// The cleaning of texts that a peer says about itself, so that they may be stored, shown and logged.
/// Source: `docs/protocol.md`, "What is checked".
public enum PeerText {
    /// Whether `text` may be an identifier: at most 256 ASCII letters, digits and `_ : . # @ -`.
    public static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count <= 256
            && text.hasOnlyLettersAndDigits(or: "_:.#@-")
    }

    /// A name without shell metacharacters, control characters and marks that turn text around; at most 128
    /// characters. Empty becomes "Unnamed device".
    public static func name(_ text: String) -> String { words(text) ?? "Unnamed device" }

    /// Words that are no identifier, cleaned like a name; at most 128 characters.
    ///
    /// - Returns: Nil when nothing is left of them.
    static func words(_ text: String) -> String? { cleaned(text) { isHidden($0) || shellMarks.contains($0) } }

    /// The text cut to at most `bytes` of UTF-8, whole characters only.
    static func shortened(_ text: String, toBytes bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        var short = ""
        var room = bytes
        for character in text {
            room -= character.utf8.count
            guard room >= 0 else { break }
            short.append(character)
        }
        return short
    }

    private static let shellMarks = Set("`$;&|<>\\\"'(){}[]*?!#~^%".unicodeScalars)

    /// A device's name as the person at this machine typed it, without invisible characters and marks that turn text around; at most 128
    /// characters.
    ///
    /// - Returns: Nil when nothing is left of it.
    package static func typedName(_ text: String) -> String? { cleaned(text, without: isHidden) }

    private static func cleaned(_ text: String, without isUnwanted: (Unicode.Scalar) -> Bool) -> String? {
        var scalars = String.UnicodeScalarView()
        // The loop is bounded, because the text may be as long as a frame.
        for scalar in text.unicodeScalars.prefix(512) where !isUnwanted(scalar) { scalars.append(scalar) }
        let trimmed = String(scalars).trimmingCharacters(in: .whitespaces)
        return trimmed.isEmpty ? nil : String(trimmed.prefix(128))
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        default: false
        }
    }
}
