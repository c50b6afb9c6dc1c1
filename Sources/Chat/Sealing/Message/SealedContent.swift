public import Chat
import Kernel

/// What a sealed message says: the documented payload, as it would be sent in the clear, and which message of its device it is.
public struct SealedContent: Hashable, Sendable {
    /// The padded form, in bytes.
    public static let byteLimit = 64 << 10

    public let contentType: ContentType
    /// The `content` of the documented request: a text itself, or the JSON of a payload.
    public let text: String
    /// The messages that this device sent in this conversation before, and one: a receiver who sees one number missing knows that a message was withheld,
    /// or thrown away by its sender. Nil for a device that does not count.
    public let count: Int64?

    public init(_ payload: MessagePayload, count: Int64?) {
        contentType = payload.contentType
        text = payload.sentContent
        self.count = count
    }

    public var payload: MessagePayload { MessagePayload(contentType, sent: .string(text)) }

    /// Reads the canonical form, and no other.
    ///
    /// - Throws: ``ChatSealingError/damaged``.
    init(_ bytes: [UInt8]) throws(ChatSealingError) {
        guard let json = try? JSONValue(parsing: bytes), json.canonicalBytes == bytes,
            let members = try? StrictMembers(json, of: "inner", required: ["content", "contentType"], optional: ["n"]),
            case .integer(let type)? = members.values["contentType"], let type = Int(exactly: type),
            case .string(let text)? = members.values["content"]
        else { throw .damaged }
        contentType = ContentType(rawValue: type)
        self.text = text
        switch members.values["n"] {
        case nil: count = nil
        case .integer(let number)? where (1...ChatLimits.place).contains(number): count = number
        default: throw .damaged
        }
    }

    var bytes: [UInt8] {
        var json: JSONValue = ["contentType": .integer(Int64(contentType.rawValue)), "content": .string(text)]
        if let count { json = json.adding("n", .integer(count)) }
        return json.canonicalBytes
    }
}
