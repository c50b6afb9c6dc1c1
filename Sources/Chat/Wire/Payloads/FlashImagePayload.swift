public import Kernel

/// A photo that burns. It has no address: it is opened once, at the server.
public struct FlashImagePayload: CustomPayload {
    static let type = "flash_image"
    static let keys: Set = ["objectKey", "url", "expireAt", "destroyed"]
    /// The state that the server folds into a row whose photo is gone; its key is blanked then.
    private static let destroyed = "destroyed"

    /// Empty once the photo is gone.
    public var objectKey: String
    public var isDestroyed: Bool
    /// Members of other programs.
    public var others: [String: JSONValue] = [:]

    public init(objectKey: String) {
        self.objectKey = objectKey
        isDestroyed = false
    }

    /// The payload of a row whose photo is gone.
    public static var gone: FlashImagePayload {
        var payload = FlashImagePayload(objectKey: "")
        payload.isDestroyed = true
        return payload
    }

    /// An address is left out on purpose, although old programs write one: with it the photo could be had twice.
    init?(_ members: WireMembers) {
        isDestroyed = members.flag(Self.destroyed) ?? false
        objectKey = isDestroyed ? "" : members.text("objectKey") ?? ""
        others = Self.unknownMembers(of: members)
    }

    var known: JSONValue {
        .members([
            "objectKey": isDestroyed ? Optional.none : .string(objectKey),
            Self.destroyed: isDestroyed ? .bool(true) : Optional.none,
        ])
    }

    func check() throws(ChatError) {
        if !isDestroyed { try PayloadCheck.objectKey(objectKey) }
    }
}
