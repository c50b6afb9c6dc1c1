import Conversations

/// A person's words as an expression of FTS5. Every word is quoted, so nothing that is typed is syntax.
struct SearchExpression: Hashable {
    /// Words of one query that are searched for.
    private static let wordLimit = 24

    /// The words, quoted, joined by FTS5's implicit AND.
    private let words: String

    /// - Parameter query: As it is typed. The last word may go on, unless a space follows it.
    /// - Returns: Nil where no word is left, for example of punctuation alone.
    init?(_ query: String) {
        // By scalars: a sign that joins the one before it makes another character of a quotation mark.
        let all = SearchText.indexed(query, limit: 16 << 10).unicodeScalars.split(separator: " ")
        let goesOn = query.unicodeScalars.last.map { !$0.properties.isWhitespace } ?? false
        let taken = all.prefix(Self.wordLimit).enumerated().compactMap { index, word -> String? in
            guard word.contains(where: SearchText.isOfWord) else { return nil }
            return Self.quoted(word) + (goesOn && index == all.count - 1 && Self.mayGoOn(word) ? " *" : "")
        }
        guard !taken.isEmpty else { return nil }
        words = taken.joined(separator: " ")
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

    /// For the index of titles.
    var ofTitles: String { "{searchTitle} : (\(words))" }

    /// For the index of items.
    func ofItems(agent: Agent?, folder: String?) -> String {
        let places = [agent.map(Place.word(of:)), folder.map(Place.word(ofFolder:))].compactMap(\.self)
        return "{text} : (\(words))" + places.map { " AND {place} : (\"\($0)\")" }.joined()
    }
}

/// Whose thread an item is of and in which folder, as words of the index: so a search of one folder does not look at all others.
enum Place {
    static func words(agent: Agent, folder: String?) -> String {
        [word(of: agent), folder.map(word(ofFolder:))].compactMap(\.self).joined(separator: " ")
    }

    static func word(of agent: Agent) -> String { "a" + hash(agent.rawValue) }
    static func word(ofFolder folder: String) -> String { "d" + hash(folder) }

    /// FNV-1a. A search looks at the folder itself as well, so two folders with one hash are only slower.
    private static func hash(_ text: String) -> String {
        let value = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return String(value, radix: 16)
    }
}
