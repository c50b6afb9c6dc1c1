/// Texts for one line of a list.
package enum ShortText {
    package static let titleLimit = 200

    /// One line of at most `limit` characters: white space joined, secrets folded, an ellipsis where it was cut.
    package static func line(_ text: String, limit: Int = titleLimit) -> String {
        // Far more than is kept, and little enough for a message of megabytes.
        let start = ItemText(String(decoding: text.utf8.prefix(16 << 10), as: UTF8.self)).text
        let words = start.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let kept = words.prefix(limit)
        return kept.endIndex == words.endIndex ? words : kept + "…"
    }
}
