public import Kernel

/// Several pictures in one message.
public struct MultiImagePayload: CustomPayload {
    static let type = "multi_image"
    static let keys: Set = ["multiObjectKeys", "multiUrls", "expireAt"]

    /// 1 to ``ChatLimits/pictures``.
    public var objectKeys: [String]
    /// Addresses in the order of the keys; fewer or none from some programs, and empty texts among them.
    public var urls: [String]
    /// Seconds since 1970; nil where the end of the addresses is not known.
    public var expireAt: Int64?
    /// Members of other programs.
    public var others: [String: JSONValue] = [:]

    public init(objectKeys: [String]) {
        self.objectKeys = objectKeys
        urls = []
    }

    init?(_ members: WireMembers) {
        objectKeys = members.texts("multiObjectKeys")
        urls = members.texts("multiUrls")
        guard !objectKeys.isEmpty || !urls.isEmpty else { return nil }
        expireAt = members.integer("expireAt").flatMap { $0 > 0 ? $0 : nil }
        others = Self.unknownMembers(of: members)
    }

    var known: JSONValue {
        .members([
            "multiObjectKeys": .texts(objectKeys), "multiUrls": urls.isEmpty ? Optional.none : .texts(urls),
            "expireAt": expireAt.map(JSONValue.integer),
        ])
    }

    func check() throws(ChatError) {
        guard !objectKeys.isEmpty else { throw .malformed("multiObjectKeys") }
        guard objectKeys.count <= ChatLimits.pictures, urls.count <= ChatLimits.pictures else {
            throw .tooMany("multiObjectKeys", limit: ChatLimits.pictures)
        }
        for key in objectKeys { try PayloadCheck.objectKey(key) }
        for url in urls { try PayloadCheck.text(url, "multiUrls", atMost: ChatLimits.url) }
    }
}
