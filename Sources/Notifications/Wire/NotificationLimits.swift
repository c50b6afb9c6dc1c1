/// How much a notification may hold, and how many are asked for at once. Source: `docs/notifications.md`, "Rules".
public enum NotificationLimits {
    /// Bytes of UTF-8; at least one character that is not white space.
    public static let title = 512
    /// Bytes of UTF-8.
    public static let body = 16 << 10
    /// Bytes of an id, a key that replaces, an action's key or its label, a program's or an icon's name.
    public static let name = 256
    /// Bytes of a person's reply.
    public static let reply = 8 << 10
    public static let actions = 16
    /// Entries beside the text, and the bytes of their names and values.
    public static let data = 64
    public static let dataKey = 128
    public static let dataValue = 4 << 10
    /// A picture's, in bytes of its file.
    public static let image = 64 << 10
    /// Notifications of one page of the history.
    public static let page: ClosedRange<Int64> = 1...500
    /// Notifications that are caught up with in one answer.
    public static let sync: ClosedRange<Int64> = 1...500
    /// Rows and days that the owner may keep.
    public static let historyRows: ClosedRange<Int64> = 10...1_000_000
    public static let historyDays: ClosedRange<Int64> = 1...3650
    /// Ids that are marked in one call.
    public static let marked = 500
}
