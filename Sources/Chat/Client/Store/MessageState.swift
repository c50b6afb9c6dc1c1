/// What became of a message, and how it came. The bits are on disk.
struct MessageState: OptionSet, Hashable, Sendable {
    let rawValue: Int

    /// Its sender took it back. The content is gone.
    static let recalled = MessageState(rawValue: 1)
    /// A view-once picture that is gone.
    static let destroyed = MessageState(rawValue: 2)
    /// This person deleted it for themselves. The row stays for the count of unread messages, which the hub keeps regardless.
    static let deleted = MessageState(rawValue: 4)
    /// It shows nothing and never counts: it has a place alone.
    static let control = MessageState(rawValue: 8)
    /// It came sealed, or was sent so.
    static let sealed = MessageState(rawValue: 16)
    /// It came in the clear in a conversation that was sealed before.
    static let unexpectedlyClear = MessageState(rawValue: 32)
}
