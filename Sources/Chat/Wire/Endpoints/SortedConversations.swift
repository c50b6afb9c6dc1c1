public import Accounts
public import Kernel

/// Asks for a page of the list of conversations.
public struct SortedConversationsRequest: ChatWire {
    public var user: UserID
    /// Empty for all of them.
    public var conversations: [ConversationID]
    /// From 1.
    public var pageNumber: Int
    /// 1 to ``ChatLimits/conversations``.
    public var pageSize: Int

    public init(_ user: UserID, conversations: [ConversationID] = [], pageNumber: Int = 1, pageSize: Int = 100) {
        self.user = user
        self.conversations = conversations
        self.pageNumber = pageNumber
        self.pageSize = pageSize
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        user = try members.person("userID")
        conversations = try members.conversations("conversationIDs")
        let page = WireMembers(members.value("pagination")?.objectValue ?? [:])
        pageNumber = Int(min(max(1, page.integer("pageNumber") ?? 1), Int64(Int32.max)))
        pageSize = Int(min(max(1, page.integer("showNumber") ?? 100), Int64(ChatLimits.conversations)))
    }

    public var wire: JSONValue {
        [
            "userID": .string(user.imUserID), "conversationIDs": .conversations(conversations),
            "pagination": ["pageNumber": .whole(pageNumber), "showNumber": .whole(pageSize)],
        ]
    }
}

/// A page of the list of conversations: pinned ones first, then the newest.
public struct SortedConversations: ChatWire {
    /// Of all pages.
    public var total: Int
    public var unreadTotal: Int
    public var elements: [ConversationElement]

    public init(total: Int, unreadTotal: Int, elements: [ConversationElement]) {
        self.total = total
        self.unreadTotal = unreadTotal
        self.elements = elements
    }

    /// Rows of other kinds of conversations are left out. Source: rule F3.
    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "answer")
        total = Int(min(max(0, members.integer("conversationTotal") ?? 0), Int64(Int32.max)))
        unreadTotal = Int(min(max(0, members.integer("unreadTotal") ?? 0), Int64(Int32.max)))
        elements = try members.list("conversationElems", atMost: ChatLimits.conversations).compactMap {
            try? ConversationElement(wire: $0)
        }
    }

    public var wire: JSONValue {
        [
            "conversationTotal": .whole(total), "unreadTotal": .whole(unreadTotal),
            "conversationElems": .array(elements.map(\.wire)),
        ]
    }
}
