public import Kernel

/// The documented request for addresses of objects.
public struct SignURLs: ChatWire {
    /// At most ``limit``.
    public static let limit = 200

    public var objectKeys: [String]

    public init(_ objectKeys: [String]) { self.objectKeys = objectKeys }

    /// - Throws: ``ChatError/badObjectKey`` for a key that is no file's name, beside what each request throws.
    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        objectKeys = try members.list("object_keys", "objectKeys", "keys", atMost: Self.limit)
            .compactMap(\.stringValue)
        for key in objectKeys { try PayloadCheck.objectKey(key) }
    }

    public var wire: JSONValue { ["object_keys": .texts(objectKeys)] }
}

/// Addresses by key. A key without one is not there: it does not exist, is not the asker's, or is a photo that burns.
public struct SignedURLs: ChatWire {
    public var urls: [String: SignedURL]

    public init(_ urls: [String: SignedURL]) { self.urls = urls }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "answer").values
        guard members.count <= SignURLs.limit else { throw .tooMany("urls", limit: SignURLs.limit) }
        urls = members.compactMapValues { $0.stringValue.flatMap(SignedURL.init) }
    }

    public var wire: JSONValue { .object(urls.mapValues { .string($0.text) }) }
}
