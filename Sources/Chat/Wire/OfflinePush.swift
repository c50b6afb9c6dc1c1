public import Kernel

/// The words with which a device that is away is woken. Source: documented `offlinePushInfo`.
public struct OfflinePush: ChatWire {
    /// The documented title, "new message".
    public static let documentedTitle = "新消息"

    public var title: String
    /// Empty for no push at all.
    public var text: String

    public init(title: String = documentedTitle, text: String) {
        self.title = title
        self.text = text
    }

    /// The push of a payload. Control messages have empty words.
    public init(of payload: MessagePayload) { self.init(text: payload.pushDescription) }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "offlinePushInfo")
        title = members.text("title") ?? Self.documentedTitle
        text = members.text("desc") ?? ""
        guard title.utf8.count <= ChatLimits.name else { throw .tooLong("title", limit: ChatLimits.name) }
        guard text.utf8.count <= ChatLimits.text else { throw .tooLong("desc", limit: ChatLimits.text) }
    }

    public var wire: JSONValue { ["title": .string(title), "desc": .string(text)] }
}
