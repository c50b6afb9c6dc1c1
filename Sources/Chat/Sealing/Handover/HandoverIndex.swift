import Chat
public import Kernel

/// The list of the pages that a device hands over. Source: `docs/protocol.md` 2.10.7.
public struct HandoverIndex: Hashable, Sendable {
    /// The canonical text of an index, in bytes.
    public static let byteLimit = 1 << 20
    public static let pageLimit = 1024
    public static let messageLimit = 100_000
    /// Bytes of all pages.
    public static let sizeLimit = 256 << 20

    /// A page at the hub, and what opens it.
    public struct Page: Hashable, Sendable {
        public let part: SealedPart
        /// 32 bytes.
        public let key: [UInt8]
        /// Messages of the page, at least one.
        public let count: Int

        public init(_ part: SealedPart, key: [UInt8], count: Int) {
            self.part = part
            self.key = key
            self.count = count
        }

        /// - Throws: ``ChatSealingError/malformed(_:)``, ``ChatSealingError/tooLarge(_:limit:)``.
        public init(_ json: JSONValue) throws(ChatSealingError) {
            let members = try StrictMembers(
                json,
                of: "pages",
                required: ["count", "key", "object", "sha256", "size"]
            )
            part = SealedPart(
                object: try members.text("object", atMost: ChatLimits.objectKey),
                hash: try members.bytes("sha256", count: 32),
                size: Int(try members.integer("size", in: 1...Int64(HandoverPage.byteLimit)))
            )
            key = try members.bytes("key", count: SealedMedia.keyCount)
            count = Int(try members.integer("count", in: 1...Int64(HandoverPage.messageLimit)))
        }

        public var json: JSONValue {
            [
                "object": .string(part.object), "key": .bytes(key), "sha256": .bytes(part.hash),
                "size": .integer(Int64(part.size)), "count": .integer(Int64(count)),
            ]
        }
    }

    /// In the order in which they were made, the newest messages first.
    public let pages: [Page]
    /// Whether older messages had no room.
    public let isCut: Bool

    public init(_ pages: [Page], isCut: Bool) {
        self.pages = pages
        self.isCut = isCut
    }

    /// Messages of all pages.
    public var messages: Int { pages.reduce(0) { $0 + $1.count } }

    /// - Throws: ``ChatSealingError/malformed(_:)``, ``ChatSealingError/tooLarge(_:limit:)``.
    public init(_ json: JSONValue) throws(ChatSealingError) {
        let members = try StrictMembers(json, of: "index", required: ["isCut", "messages", "pages", "v"])
        _ = try members.integer("v", in: 1...1)
        guard case .bool(let isCut)? = members.values["isCut"] else { throw .malformed("isCut") }
        self.isCut = isCut
        var pages: [Page] = []
        for page in try members.list("pages", atMost: Self.pageLimit) { pages.append(try Page(page)) }
        // An object that is named twice would be fetched twice for the same words.
        guard !pages.isEmpty, Set(pages.map(\.part.object)).count == pages.count else { throw .malformed("pages") }
        self.pages = pages
        let size = pages.reduce(0) { $0 + $1.part.size }
        guard size <= Self.sizeLimit else { throw .tooLarge("pages", limit: Self.sizeLimit) }
        guard messages <= Self.messageLimit else { throw .tooLarge("messages", limit: Self.messageLimit) }
        guard try members.integer("messages", in: 1...Int64(Self.messageLimit)) == Int64(messages) else {
            throw .malformed("messages")
        }
    }

    public var json: JSONValue {
        [
            "v": 1, "messages": .integer(Int64(messages)), "isCut": .bool(isCut), "pages": .array(pages.map(\.json)),
        ]
    }
}
