/// A person's words as an expression of FTS5. Every word is quoted, so nothing that is typed is syntax.
package struct SearchWords: Hashable, Sendable {
    /// Words of one query that are searched for.
    private static let wordLimit = 24

    /// The words, quoted, joined by FTS5's implicit AND.
    package let expression: String

    /// - Parameter query: As it is typed. The last word may go on, unless a space follows it.
    /// - Returns: Nil where no word is left, for example of punctuation alone.
    package init?(_ query: String) {
        // By scalars: a sign that joins the one before it makes another character of a quotation mark.
        let all = SearchText.indexed(query, limit: 16 << 10).unicodeScalars.split(separator: " ")
        let goesOn = query.unicodeScalars.last.map { !$0.properties.isWhitespace } ?? false
        let taken = all.prefix(Self.wordLimit).enumerated().compactMap { index, word -> String? in
            guard word.contains(where: SearchText.isOfWord) else { return nil }
            return Self.quoted(word) + (goesOn && index == all.count - 1 && Self.mayGoOn(word) ? " *" : "")
        }
        guard !taken.isEmpty else { return nil }
        expression = taken.joined(separator: " ")
    }

    /// - Parameter phrase: All of it, in this order, nothing in between.
    /// - Returns: Nil where it has no word.
    package init?(phrase: String) {
        let text = SearchText.indexed(phrase).unicodeScalars
        guard text.contains(where: SearchText.isOfWord) else { return nil }
        expression = Self.quoted(text[...])
    }

    private static func quoted(_ word: Substring.UnicodeScalarView) -> String {
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in word {
            quoted.append(scalar)
            if scalar == "\"" { quoted.append(scalar) }
        }
        quoted.append("\"")
        return String(quoted)
    }

    /// One letter begins too many words, and a character of a script without spaces is a whole word.
    private static func mayGoOn(_ word: Substring.UnicodeScalarView) -> Bool {
        let end = word.suffix(2)
        return end.count == 2 && end.allSatisfy { SearchText.isOfWord($0) && !SearchText.standsAlone($0) }
    }
}
