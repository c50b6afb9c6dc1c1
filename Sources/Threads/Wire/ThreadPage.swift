public import Commands
public import Conversations
public import Kernel

/// A part of a conversation, in the order in which it happened.
public struct ThreadPage: MethodAnswer, Hashable {
    /// The thread's line in the list; nil in the answer to a subscription of the list.
    public var thread: ThreadSummary?
    /// In the order in which they happened.
    public var items: [ConversationItem]
    /// Where each item begins, for ``ThreadMethods/item``; as many as ``items``.
    public var cursors: [ConversationCursor]
    /// Where older items are; nil where there are none.
    public var older: ConversationCursor?
    /// Where newer ones are, or will be.
    public var newer: ConversationCursor?
    /// Nothing was left behind ``newer``.
    public var isEnd: Bool
    /// Whether these items take the place of everything that was read before, which is not part of the conversation any more.
    public var replaces: Bool
    /// Lines of the file that were passed over.
    public var skipped: Int
    /// Bytes of these lines together.
    public var skippedBytes: Int64
    /// Why a damaged file ends early.
    public var damage: String?
    /// UTF-8 bytes of one text that travel.
    package var textLimit = ThreadLimits.pageText

    public init(
        thread: ThreadSummary?,
        items: [ConversationItem] = [],
        cursors: [ConversationCursor]? = nil,
        older: ConversationCursor? = nil,
        newer: ConversationCursor? = nil,
        isEnd: Bool = true,
        replaces: Bool = false,
        skipped: Int = 0,
        skippedBytes: Int64 = 0,
        damage: String? = nil
    ) {
        self.thread = thread
        self.items = items
        self.cursors = cursors ?? items.map { ConversationCursor(offset: $0.position) }
        self.older = older
        self.newer = newer
        self.isEnd = isEnd
        self.replaces = replaces
        self.skipped = skipped
        self.skippedBytes = skippedBytes
        self.damage = damage
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        let list = (members.list("items") ?? []).compactMap { wire in
            ConversationItem(wire: wire).map { item in
                (item, wire["cursor"]?.stringValue.flatMap(ConversationCursor.init(text:)))
            }
        }
        self.init(
            thread: members.value("thread").flatMap(ThreadSummary.init(wire:)),
            items: list.map(\.0),
            cursors: list.map { $0.1 ?? ConversationCursor(offset: $0.0.position) },
            older: members.text("older").flatMap(ConversationCursor.init(text:)),
            newer: members.text("newer").flatMap(ConversationCursor.init(text:)),
            isEnd: members.flag("is_end") ?? true,
            replaces: members.flag("replaces") ?? false,
            damage: members.text("damage")
        )
        skipped = Int(clamping: members.value("skipped")?["count"]?.integerValue ?? 0)
        skippedBytes = members.value("skipped")?["bytes"]?.integerValue ?? 0
    }

    public var wire: JSONValue {
        var members = itemMembers
        members["thread"] = thread?.wire
        members["older"] = older.map { .string($0.text) }
        if skipped > 0 {
            members["skipped"] = ["count": .integer(Int64(skipped)), "bytes": .integer(skippedBytes)]
        }
        members["damage"] = damage.map(JSONValue.string)
        return .object(members)
    }

    /// The members that an event of the thread has too.
    package var itemMembers: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "items": .array(zip(items, cursors).map { $0.wire(at: $1, textLimit: textLimit) }),
            "is_end": .bool(isEnd),
        ]
        members["newer"] = newer.map { .string($0.text) }
        if replaces { members["replaces"] = true }
        return members
    }
}

/// One item with its whole text.
public struct ThreadItem: MethodAnswer, Hashable {
    /// The item, with up to 64 KiB of text.
    public var item: ConversationItem
    /// The content of an image, in base64, where it was asked for.
    public var data: String?

    public init(_ item: ConversationItem, data: String? = nil) {
        self.item = item
        self.data = data
    }

    public init(wire: JSONValue) throws(RemoteError) {
        guard let item = wire["item"].flatMap(ConversationItem.init(wire:)) else { throw .malformedResult }
        self.init(item, data: wire["item"]?["data"]?.stringValue)
    }

    public var wire: JSONValue {
        var members = item.wire(textLimit: ItemText.limit).objectValue ?? [:]
        members["data"] = data.map(JSONValue.string)
        return ["item": .object(members)]
    }
}
