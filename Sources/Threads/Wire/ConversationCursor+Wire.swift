public import Conversations

/// A cursor as text: the offset, `!` where it lies inside of a line, and after a dot the link.
extension ConversationCursor {
    /// Clients compare it and hand it back, nothing else.
    public var text: String { "\(offset)\(isInsideLine ? "!" : "")\(link.map { ".\($0)" } ?? "")" }

    /// Nil for anything that ``text`` cannot be.
    public init?(text: String) {
        guard text.utf8.count <= ThreadLimits.name else { return nil }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isInside = parts[0].hasSuffix("!")
        guard let offset = Int64(isInside ? parts[0].dropLast() : parts[0]), offset >= 0 else { return nil }
        self.init(offset: offset, link: parts.count > 1 ? String(parts[1]) : nil, isInsideLine: isInside)
    }
}
