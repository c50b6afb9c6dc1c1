/// Texts for one line of a list.
package enum ShortText {
    /// Characters of a title: 120 with the ellipsis. Source: `docs/threads.md`, "Titles and times".
    package static let titleLimit = 119

    /// One line of at most `limit` characters: white space joined, secrets folded, an ellipsis where it was cut.
    package static func line(_ text: String, limit: Int = titleLimit) -> String {
        // Far more than is kept, and little enough for a message of megabytes.
        let start = ItemText(String(decoding: text.utf8.prefix(16 << 10), as: UTF8.self)).text
        if let line = ofASCII(start, limit: limit) { return line }
        let (words, isWhole) = words(of: start, limit: limit)
        let kept = words.prefix(limit)
        return isWhole && kept.endIndex == words.endIndex ? words : kept + "…"
    }

    /// The words of a text with a space between each two, or the first of them: then more than `limit` characters.
    private static func words(of text: String, limit: Int) -> (text: String, isWhole: Bool) {
        var words = ""
        var pieces = 0
        var isBetween = false
        for character in text {
            if character.isWhitespace {
                isBetween = !words.isEmpty
                continue
            }
            // A space and what follows it can become one character, so that half of the pieces are characters at least.
            if pieces > 2 * limit + 2 { return (words, false) }
            if isBetween {
                words.append(" ")
                pieces += 1
                isBetween = false
            }
            words.append(character)
            pieces += 1
        }
        return (words, true)
    }

    /// The line of a text that is all ASCII, where every byte is a character; nil for any other text. Most texts are, and telling
    /// characters apart by Unicode's rules took a third of the time of reading a history for the list.
    private static func ofASCII(_ text: String, limit: Int) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
            var line: [UInt8] = []
            var isBetween = false
            for byte in bytes {
                if byte == 0x20 || (0x09...0x0D).contains(byte) {
                    isBetween = !line.isEmpty
                    continue
                }
                if isBetween {
                    line.append(0x20)
                    isBetween = false
                }
                line.append(byte)
                if line.count > limit { return String(decoding: line.prefix(limit), as: UTF8.self) + "…" }
            }
            return String(decoding: line, as: UTF8.self)
        }
    }
}
