import Conversations
import Storage

/// A person's words as an expression of FTS5, for the indexes of this module.
struct SearchExpression: Hashable {
    private let words: String

    /// - Parameter query: As it is typed. The last word may go on, unless a space follows it.
    /// - Returns: Nil where no word is left, for example of punctuation alone.
    init?(_ query: String) {
        guard let words = SearchWords(query) else { return nil }
        self.words = words.expression
    }

    /// The expression for the index of titles.
    var ofTitles: String { "{searchTitle} : (\(words))" }

    /// The expression for the index of items.
    func ofItems(agent: Agent?, folder: String?) -> String {
        let places = [agent.map(Place.word(of:)), folder.map(Place.word(ofFolder:))].compactMap(\.self)
        return "{text} : (\(words))" + places.map { " AND {place} : (\"\($0)\")" }.joined()
    }
}

/// An item's agent and folder as words of the index: so a search of one folder does not look at all others.
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
