/// Text from a peer, a file name or an error, made safe for a terminal.
///
/// Control characters can run as escape sequences there (retitle the window, fill the clipboard by OSC 52), line breaks
/// forge rows, and format characters hide or turn around what a person reads. All of these are shown as escapes.
public enum TerminalText {
    /// Whether a scalar must not reach a terminal as it is: controls (C0, DEL, C1), line and paragraph separators, and
    /// format characters except the two joiners, without which Persian, Hindi and emoji families fall apart.
    public static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: false
        case 0x200C, 0x200D: false
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
            // Unassigned ones among these are reserved for further invisible marks.
            case .unassigned: scalar.properties.isDefaultIgnorableCodePoint
            default: false
            }
        }
    }

    /// Whether `text` can be shown as it is, in one row.
    public static func isSafe(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) } || !text.unicodeScalars.contains(where: isUnsafe)
    }

    /// One row: part of a sentence, a table's cell, a line of a log. Unsafe characters become `\n`, `\e`, `\u202e`.
    public static func line(_ text: String) -> String { escaped(text, keeping: []) }

    /// Text of several rows: line feeds and tabs stay, everything else is as in ``line(_:)``.
    public static func block(_ text: String) -> String { escaped(text, keeping: ["\n", "\t"]) }

    /// JSON, spaced or not: unsafe characters, which can stand only inside its strings, become `\uXXXX`. The value that is
    /// read from it stays the same.
    public static func json(_ text: String) -> String {
        guard !isSafe(text) else { return text }
        var out = ""
        out.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            if scalar == "\n" || !isUnsafe(scalar) {
                out.unicodeScalars.append(scalar)
            } else {
                for unit in String(scalar).utf16 { out += "\\u" + hexadecimal(UInt32(unit), digits: 4) }
            }
        }
        return out
    }

    /// A file's name as `ls` shows it on a terminal: quoted for a shell where a shell needs it, so that what is shown can
    /// be typed. Unsafe characters stand in `$'…'`, which bash, zsh and ksh read back.
    public static func name(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.first else { return "''" }
        let isPlain = !quotedMarksAtStart.contains(first) && !scalars.contains { isQuoted($0) || isUnsafe($0) }
        guard !isPlain else { return text }
        // Double quotes, as `ls` uses them for `it's`: without the four marks that mean something between them.
        if scalars.contains("'"), !scalars.contains(where: { marksInDoubleQuotes.contains($0) || isUnsafe($0) }) {
            return "\"\(text)\""
        }
        var out = "'"
        var isEscaping = false
        for scalar in scalars {
            if isUnsafe(scalar) {
                if !isEscaping { out += "'$'" }
                out += escape(scalar)
                isEscaping = true
                continue
            }
            if isEscaping { out += "''" }
            isEscaping = false
            if scalar == "'" { out += "'\\''" } else { out.unicodeScalars.append(scalar) }
        }
        return out + "'"
    }

    private static let quotedMarks = Set("!\"$&'()*;<=>?[\\]^`{|}".unicodeScalars)
    private static let quotedMarksAtStart = Set("#~".unicodeScalars)
    private static let marksInDoubleQuotes = Set("\"$`\\!".unicodeScalars)

    private static func isQuoted(_ scalar: Unicode.Scalar) -> Bool {
        quotedMarks.contains(scalar) || scalar.properties.isWhitespace
    }

    private static func escaped(_ text: String, keeping kept: Set<Unicode.Scalar>) -> String {
        guard !isSafe(text) else { return text }
        var out = ""
        out.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            if kept.contains(scalar) || !isUnsafe(scalar) {
                out.unicodeScalars.append(scalar)
            } else {
                out += escape(scalar)
            }
        }
        return out
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        case 0x07: "\\a"
        case 0x08: "\\b"
        case 0x09: "\\t"
        case 0x0A: "\\n"
        case 0x0B: "\\v"
        case 0x0C: "\\f"
        case 0x0D: "\\r"
        case 0x1B: "\\e"
        case ...0xFFFF: "\\u" + hexadecimal(scalar.value, digits: 4)
        default: "\\U" + hexadecimal(scalar.value, digits: 8)
        }
    }

    private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
