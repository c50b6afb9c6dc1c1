/// Text of other programs, cut to a size that is kept and sent on.
package enum BoundedText {
    /// The first scalars of `text` that fit into `limit` bytes of UTF-8.
    package static func cut(_ text: String, limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        return decoded(text.utf8.prefix(limit), isCut: true)
    }

    /// One line: control characters and line breaks become spaces, and the ends are trimmed.
    package static func line(_ text: String, limit: Int) -> String {
        // Characters that are thrown away or trimmed may stand in front.
        var line = String.UnicodeScalarView()
        for scalar in cut(text, limit: limit * 4).unicodeScalars {
            let isBreak =
                isControl(scalar) || scalar == "\n" || scalar == "\t"
                || "\u{2028}\u{2029}".unicodeScalars.contains(scalar)
            if isBreak || scalar == " " {
                if line.last != " ", !line.isEmpty { line.append(" ") }
            } else {
                line.append(scalar)
            }
        }
        if line.last == " " { line.removeLast() }
        return cut(String(line), limit: limit)
    }

    /// Bytes of another program as text. What is not UTF-8 becomes the replacement character.
    ///
    /// - Parameter isCut: The bytes may end within a character, which is left out then.
    package static func decoded(_ bytes: some BidirectionalCollection<UInt8>, isCut: Bool) -> String {
        guard isCut else { return String(decoding: Array(bytes), as: UTF8.self) }
        var kept = Array(bytes)
        // At most three bytes follow the first of a character.
        var tail = 0
        while tail < 3, let last = kept.last, last & 0xC0 == 0x80 {
            kept.removeLast()
            tail += 1
        }
        if let lead = kept.last, lead >= 0xC0 {
            let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
            if tail + 1 == length {
                return String(decoding: Array(bytes), as: UTF8.self)
            }
            kept.removeLast()
            return String(decoding: kept, as: UTF8.self)
        }
        return String(decoding: tail == 0 ? kept : Array(bytes), as: UTF8.self)
    }

    /// C0 and C1 except tab and line feed.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F: true
        default: false
        }
    }
}
