/// A request for a page of history.
public struct HistoryRequest: Hashable, Sendable {
    public let conversation: ConversationID
    /// Only messages before this place; nil for the newest page.
    public let before: Int64?
    /// Documented page size.
    public let count: Int
    let number: UInt64
}

/// A page of history, in any order.
public struct HistoryPage: Hashable, Sendable {
    public var items: [IncomingItem]
    /// The server says that nothing is older. A short page says nothing: rows may have been left out of it. Source: rule B10.
    public var isEnd: Bool
    /// The lowest place that the page says something about; nil where its items tell.
    public var lowest: Int64?
    /// The highest place that the page says something about; nil where its items tell.
    public var newest: Int64?

    public init(_ items: [IncomingItem], isEnd: Bool, lowest: Int64? = nil, newest: Int64? = nil) {
        self.items = items
        self.isEnd = isEnd
        self.lowest = lowest ?? items.compactMap(\.sequence).min()
        self.newest = newest ?? items.compactMap(\.sequence).max()
    }
}

/// How far back a conversation is loaded. Source: rules C1, B10.
public struct HistoryPaging: Hashable, Sendable {
    /// The oldest place that is loaded; nil before the first page.
    public private(set) var cursor: Int64?
    /// Whether there may be older messages.
    public private(set) var hasMore = true
    private var inFlight: UInt64?
    private var requests: UInt64 = 0

    public init() {}

    public var isLoading: Bool { inFlight != nil }

    /// Begins to load the next older page. Nil while one is on its way, and at the beginning of the conversation.
    mutating func begin(_ conversation: ConversationID) -> HistoryRequest? {
        guard inFlight == nil, hasMore else { return nil }
        requests += 1
        inFlight = requests
        return HistoryRequest(conversation: conversation, before: cursor, count: ChatLimits.page, number: requests)
    }

    /// - Parameter first: The first place that the person sees: nothing before it is asked for.
    /// - Returns: False for the answer to a request that is not the one on its way.
    mutating func finish(_ request: HistoryRequest, lowest: Int64?, isEnd: Bool, first: Int64) -> Bool {
        guard inFlight == request.number else { return false }
        inFlight = nil
        cursor = [cursor, lowest].compactMap { $0 }.min()
        hasMore = !isEnd && cursor ?? .max > first
        return true
    }

    /// The page did not come: there may still be one. Source: rule B10.
    mutating func fail(_ request: HistoryRequest) {
        if inFlight == request.number { inFlight = nil }
    }

    /// Everything that is loaded was cleared, and all before it.
    mutating func clear() {
        if cursor != nil { hasMore = false }
    }
}
