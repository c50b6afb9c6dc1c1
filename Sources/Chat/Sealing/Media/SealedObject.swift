public import Kernel
import Sealing

/// What travels inside of a sealed message about one of its files: the members of `sealed` in the payload, an object for one file and a list for several.
/// Source: `docs/protocol.md` 2.10.4.
public struct SealedObject: Hashable, Sendable {
    /// Of the member in a payload.
    public static let member = "sealed"
    /// Bytes of a preview.
    public static let previewLimit = 8 << 10
    private static let typeLimit = 64
    private static let sizeLimit: Int64 = 1 << 30

    /// 32 bytes.
    public let key: [UInt8]
    /// SHA-256 of the sealed bytes.
    public let hash: [UInt8]
    /// Bytes of the opened file.
    public let size: Int
    /// What the sender took it for, for example `image/jpeg`; the receiver looks itself.
    public let type: String
    /// A small JPEG to show until the file is there; nil for none.
    public let preview: [UInt8]?

    /// - Throws: ``ChatSealingError/malformed(_:)``, ``ChatSealingError/tooLarge(_:limit:)``.
    public init(
        key: [UInt8],
        hash: [UInt8],
        size: Int,
        type: String,
        preview: [UInt8]? = nil
    ) throws(ChatSealingError) {
        var json: JSONValue = [
            "key": .bytes(key), "sha256": .bytes(hash), "size": .integer(Int64(size)), "type": .string(type),
        ]
        if let preview { json = json.adding("preview", .bytes(preview)) }
        try self.init(json)
    }

    public init(_ json: JSONValue) throws(ChatSealingError) {
        let members = try StrictMembers(
            json,
            of: Self.member,
            required: ["key", "sha256", "size", "type"],
            optional: ["preview"]
        )
        key = try members.bytes("key", count: SealedMedia.keyCount)
        hash = try members.bytes("sha256", count: 32)
        size = Int(try members.integer("size", in: 0...Self.sizeLimit))
        type = try members.text("type", atMost: Self.typeLimit)
        preview = members.values["preview"] == nil ? nil : try members.bytes("preview", atMost: Self.previewLimit)
    }

    public var json: JSONValue {
        var json: JSONValue = [
            "key": .bytes(key), "sha256": .bytes(hash), "size": .integer(Int64(size)), "type": .string(type),
        ]
        if let preview { json = json.adding("preview", .bytes(preview)) }
        return json
    }
}
