public import Commands
package import Kernel

/// Something was copied at the computer: the event `clipboard.changed`.
public struct ClipboardChange: Hashable, Sendable {
    /// Nil when the clipboard became empty, or holds no kind of ours.
    public var kind: ClipboardKind?
    /// Nil for what has to be asked for: an image, a text of more than 64 KiB, and what a password manager copied. What is larger than the
    /// computer gives is told all the same: asked for, it is refused with the reason.
    public var text: String?
    /// Formats that could be asked for, as MIME types.
    public var formats: [String]
    /// When it was noticed, in milliseconds since 1970.
    public var timestamp: Int64?

    public init(kind: ClipboardKind?, text: String?, formats: [String], timestamp: Int64?) {
        self.kind = kind
        self.text = text
        self.formats = formats
        self.timestamp = timestamp
    }

    /// Nil for another event.
    public init?(_ event: RemoteEvent) {
        guard event.isOf(.clipboardChanged), let members = try? AnswerMembers(.object(event.members)) else {
            return nil
        }
        kind = members.text("type").flatMap(ClipboardKind.init)
        text = members.text("content")
        formats = members.texts("formats", limit: 64) ?? []
        timestamp = members.integer("timestamp")
    }

    /// An event's members.
    ///
    /// - Parameters:
    ///   - type: The wire's name of what is there.
    ///   - text: What of it may be told.
    package static func members(
        type: String,
        text: String?,
        formats: [String],
        timestamp: Int64
    ) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "type": .string(type), "formats": .array(formats.map { .string($0) }),
            "timestamp": .integer(timestamp),
        ]
        if let text { members["content"] = .string(text) }
        return members
    }
}
