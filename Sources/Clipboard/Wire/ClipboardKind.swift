/// The kind of a clipboard's content. Raw values are the wire's.
public enum ClipboardKind: String, Hashable, Sendable, CaseIterable {
    case text, html, image, files
}

/// The limits of what a computer reads from its clipboard, and takes for it.
public enum ClipboardLimits {
    /// In bytes of UTF-8.
    public static let text = 512 << 10
    /// In bytes.
    public static let image = 5 << 20
    /// Entries of the history.
    public static let history = 50
}
