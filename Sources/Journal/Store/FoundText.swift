import Foundation

/// The part of a text that a search shows. FTS5's own excerpts take seconds for the beginnings of many words.
enum FoundText {
    /// Bytes of a text that are looked at.
    private static let searchLimit = 64 << 10
    private static let wordLimit = 8
    /// Characters before what was found, and in all.
    private static let (before, length) = (40, 200)

    /// On one line, around the first place of any of the words; the beginning where none is in what is looked at.
    static func excerpt(of text: String, around words: String) -> String {
        let start = String(decoding: text.utf8.prefix(searchLimit), as: UTF8.self)
        let places = words.split { !$0.isLetter && !$0.isNumber }.prefix(wordLimit).compactMap { word in
            start.range(of: String(word), options: [.caseInsensitive, .diacriticInsensitive])?.lowerBound
        }
        guard let place = places.min() else { return line(start[...]) }
        let from = start.index(place, offsetBy: -before, limitedBy: start.startIndex) ?? start.startIndex
        return (from > start.startIndex ? "…" : "") + line(start[from...])
    }

    private static func line(_ text: Substring) -> String {
        text.prefix(length).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
