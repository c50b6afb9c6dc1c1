/// Markdown as plain text, for lists and for searching. One pass, so that a text costs as much as it is long.
enum MarkdownText {
    /// The text without marks of headings, quotes, emphasis and code; of a link its words, of a picture its description.
    static func plain(_ markdown: String) -> String {
        var lines: [String] = []
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = inline(Substring(line.drop { $0 == "#" || $0 == ">" || $0 == " " }))
            // A fence of code, or a line of marks alone.
            if text.isEmpty, lines.last?.isEmpty ?? true { continue }
            lines.append(text)
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    /// The first line with anything in it, at most so many characters.
    static func title(_ plain: String, limit: Int = 120) -> String {
        let line = plain.split(separator: "\n").first { $0.contains { !$0.isWhitespace } } ?? ""
        return line.count > limit ? String(line.prefix(limit - 1)) + "…" : String(line)
    }

    private static func inline(_ line: Substring) -> String {
        var result = ""
        var index = line.startIndex
        while index < line.endIndex {
            let character = line[index]
            index = line.index(after: index)
            switch character {
            case "\\" where index < line.endIndex && isPunctuation(line[index]):
                result.append(line[index])
                index = line.index(after: index)
            case "*", "`", "[": continue
            case "~" where index < line.endIndex && line[index] == "~": index = line.index(after: index)
            case "!" where index < line.endIndex && line[index] == "[": continue
            case "]" where index < line.endIndex && line[index] == "(":
                index = end(ofTarget: line, from: index)
            case "]": continue
            default: result.append(character)
            }
        }
        while result.last?.isWhitespace == true { result.removeLast() }
        return result
    }

    /// The place behind a link's target; the same place where it has none. A target holds no other opening bracket, so that no part of a line is
    /// searched twice.
    private static func end(ofTarget line: Substring, from start: String.Index) -> String.Index {
        let open = line.index(after: start)
        guard let end = line[open...].firstIndex(where: { "()[".contains($0) }), line[end] == ")" else { return start }
        return line.index(after: end)
    }

    private static func isPunctuation(_ character: Character) -> Bool {
        guard let value = character.asciiValue else { return false }
        return (0x21...0x2F).contains(value) || (0x3A...0x40).contains(value) || (0x5B...0x60).contains(value)
            || (0x7B...0x7E).contains(value)
    }
}
