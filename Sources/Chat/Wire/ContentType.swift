/// The kind of a message's content by its number in existing programs: an open set, so that a number which this version has never heard of
/// survives.
public struct ContentType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A typed text.
    public static let text = ContentType(rawValue: 101)
    public static let picture = ContentType(rawValue: 102)
    public static let sound = ContentType(rawValue: 103)
    /// A JSON text with a `type` of its own: all of a chat's pictures, voice notes and quotes.
    public static let custom = ContentType(rawValue: 110)
    /// The recall of old gateways.
    public static let oldRevoke = ContentType(rawValue: 111)
    public static let typing = ContentType(rawValue: 113)
    /// Somebody came or went.
    public static let status = ContentType(rawValue: 1308)
    /// A recall: a notification when pushed, the recalled row itself in history.
    public static let revoke = ContentType(rawValue: 2101)
    public static let deleteMessages = ContentType(rawValue: 2102)
    public static let readReceipt = ContentType(rawValue: 2200)

    /// The numbers of notifications, which are not rows of a conversation.
    public static let notifications = 1000...5000

    public var isNotification: Bool { Self.notifications.contains(rawValue) }

    public var description: String { String(rawValue) }
}
