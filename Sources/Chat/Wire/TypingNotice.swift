public import Kernel

/// The other person types, or stopped: content type 113, which is never kept.
public struct TypingNotice: Hashable, Sendable {
    private static let yes = "yes"

    public var isTyping: Bool

    public init(isTyping: Bool) { self.isTyping = isTyping }

    public init(element: JSONValue) { isTyping = element["msgTips"]?.stringValue == Self.yes }

    public var element: JSONValue { ["msgTips": .string(isTyping ? Self.yes : "no")] }
}
