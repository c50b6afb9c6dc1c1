/// A text of a conversation: bounded, and without what should not travel.
public struct ItemText: Hashable, Sendable {
    /// UTF-8 bytes that are kept of one text.
    public static let limit = 64 << 10

    /// The kept text, with a marker in the place of everything that was folded. Written by an agent: hostile to terminals and pages.
    public let text: String
    /// UTF-8 bytes of the text as the agent wrote it.
    public let fullLength: Int
    /// How many secrets and runs of base64 were replaced by markers.
    public let foldedCount: Int
    /// The text goes on behind what is kept.
    public let isCut: Bool

    /// Folds what should not travel and keeps the first ``limit`` bytes.
    public init(_ original: String) {
        self.init(original, limit: Self.limit)
    }

    /// Keeps the first ``limit`` bytes and folds nothing: for what a person is asked to allow, of which nothing may be hidden.
    package init(unfolded original: String) {
        self.init(folded: (original, 0), of: original, limit: Self.limit, isCutAlready: false)
    }

    package init(_ original: String, limit: Int, isCutAlready: Bool = false) {
        self.init(folded: SecretFolding.fold(original), of: original, limit: limit, isCutAlready: isCutAlready)
    }

    private init(folded: (text: String, count: Int), of original: String, limit: Int, isCutAlready: Bool) {
        let (folded, count) = folded
        let kept = folded.prefixOfUTF8(limit)
        text = String(kept)
        fullLength = original.utf8.count
        foldedCount = count
        isCut = isCutAlready || kept.endIndex < folded.endIndex
    }

    package init(text: String, fullLength: Int, foldedCount: Int, isCut: Bool) {
        self.text = text
        self.fullLength = fullLength
        self.foldedCount = foldedCount
        self.isCut = isCut
    }

    /// Two parts of one message, with a blank line in between.
    package func joined(with next: ItemText) -> ItemText {
        let length = fullLength + next.fullLength + 2
        let count = foldedCount + next.foldedCount
        guard !isCut, text.utf8.count + next.text.utf8.count + 2 <= Self.limit else {
            return ItemText(text: text, fullLength: length, foldedCount: count, isCut: true)
        }
        return ItemText(text: text + "\n\n" + next.text, fullLength: length, foldedCount: count, isCut: next.isCut)
    }

    package var isEmpty: Bool { text.isEmpty && fullLength == 0 }
}

extension String {
    /// The longest beginning of at most so many UTF-8 bytes that ends with a whole character.
    package func prefixOfUTF8(_ limit: Int) -> Substring {
        guard utf8.count > limit else { return self[...] }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return self[..<end]
    }
}
