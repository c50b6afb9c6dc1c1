/// What is written and not yet sent.
public enum Draft {
    /// Nil for a text of nothing but white space: a blank draft is none. Source: rule B21.
    ///
    /// A longer text than a message may have is kept: the person shortens it later. Beyond four times of that it is cut.
    public static func kept(_ text: String?) -> String? {
        guard let text, text.contains(where: { !$0.isWhitespace }) else { return nil }
        guard text.utf8.count > ChatLimits.text * 4 else { return text }
        return String(text.prefix(ChatLimits.text))
    }

    /// The text to send; nil for one of nothing but white space, with which nothing happens, also not to the field. Source: rule Q6.
    public static func sendable(_ text: String) -> String? {
        let trimmed = text.drop(while: \.isWhitespace)
        guard let last = trimmed.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(trimmed[...last])
    }
}
