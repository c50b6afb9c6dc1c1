public import Kernel

/// A picture. What is sent names the object alone: the server adds an address and its true end when it is read. Source: rule B16.
public struct ImagePayload: CustomPayload {
    static let type = "image"
    static let keys: Set = ["objectKey", "url", "expireAt", "w", "h"]

    public var objectKey: String
    /// Where it can be fetched for a while; nil where it has to be signed first.
    public var url: String?
    /// Seconds since 1970; nil where the end of the address is not known.
    public var expireAt: Int64?
    /// Pixels, 1 to ``ChatLimits/side``.
    public var width: Int?
    public var height: Int?
    /// Members of other programs.
    public var others: [String: JSONValue] = [:]

    public init(objectKey: String, width: Int? = nil, height: Int? = nil) {
        self.objectKey = objectKey
        self.width = width
        self.height = height
    }

    init?(_ members: WireMembers) {
        objectKey = members.text("objectKey") ?? ""
        url = members.nonEmpty("url")
        guard !objectKey.isEmpty || url != nil else { return nil }
        expireAt = members.integer("expireAt").flatMap { $0 > 0 ? $0 : nil }
        width = PayloadCheck.count(members.integer("w"), upTo: ChatLimits.side)
        height = PayloadCheck.count(members.integer("h"), upTo: ChatLimits.side)
        others = Self.unknownMembers(of: members)
    }

    var known: JSONValue {
        .members([
            "objectKey": .string(objectKey), "url": url.map(JSONValue.string),
            "expireAt": expireAt.map(JSONValue.integer), "w": width.map(JSONValue.whole),
            "h": height.map(JSONValue.whole),
        ])
    }

    func check() throws(ChatError) {
        try PayloadCheck.objectKey(objectKey)
        try PayloadCheck.text(url, "url", atMost: ChatLimits.url)
    }
}
