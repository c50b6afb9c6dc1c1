package import Chat
import Foundation

/// The words that a person looks for. A message is found where each word stands somewhere in it, whatever its case and accents.
///
/// History is read and not indexed: what is taken back must be gone from the disk, and SQLite's full text keeps removed words in its
/// segments for a while.
package struct SearchQuery: Hashable, Sendable {
    private static let wordLimit = 16
    private static let byteLimit = 512

    private let words: [String]
    /// The words as small ASCII letters; nil where one has others.
    private let plain: [[UInt8]]?

    /// Nil for a text without a word, and for one of more than 512 bytes.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.byteLimit else { return nil }
        let words = Self.folded(text).split(whereSeparator: \.isWhitespace).prefix(Self.wordLimit).map(String.init)
        guard !words.isEmpty else { return nil }
        self.words = words
        let bytes = words.map { Array($0.utf8) }
        plain = bytes.allSatisfy { $0.allSatisfy { $0 < 0x80 } } ? bytes : nil
    }

    /// - Parameter text: UTF-8.
    package func matches(_ text: [UInt8]) -> Bool {
        if text.allSatisfy({ $0 < 0x80 }) {
            guard let plain else { return false }
            let small = text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            return plain.allSatisfy { Self.contains($0, in: small) }
        }
        let folded = Self.folded(String(decoding: text, as: UTF8.self))
        return words.allSatisfy(folded.contains)
    }

    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    private static func contains(_ word: [UInt8], in text: [UInt8]) -> Bool {
        guard word.count <= text.count, let first = word.first else { return false }
        for start in 0...(text.count - word.count) where text[start] == first {
            if text[start..<(start + word.count)].elementsEqual(word) { return true }
        }
        return false
    }
}

/// Where a search goes on: below this seq of this conversation, then in the conversations after it.
package struct SearchPlace: Hashable, Sendable {
    package let conversation: ConversationID
    package let beforeSeq: Int64

    package init(conversation: ConversationID, beforeSeq: Int64) {
        self.conversation = conversation
        self.beforeSeq = beforeSeq
    }
}

/// The bounds of one call of a search.
package struct SearchLimit: Hashable, Sendable {
    /// Messages that are found.
    package let hits: Int
    /// Messages that are looked at.
    package let scanned: Int

    package init(hits: Int = 50, scanned: Int = 20_000) {
        self.hits = hits
        self.scanned = scanned
    }
}

package struct SearchPage: Hashable, Sendable {
    package let hits: [StoredMessage]
    /// Where to go on; nil at the end.
    package let next: SearchPlace?
}
