public import Commands
public import Conversations
public import Kernel

/// The parameters of `threads.list`.
public struct ThreadListQuery: MethodParameters, Hashable {
    /// The length of a list when the asker does not say, by the documented bridge.
    static let documentedCount: Int64 = 20
    /// Members that only our own callers send.
    private static let members = ["cursor", "source", "cwd", "archived", "all", "state"]

    /// 1 to 200.
    public var limit: Int
    /// ``ThreadList/next`` of the page before.
    public var cursor: String?
    /// Nil: of every agent.
    public var agent: Agent?
    /// Only threads that work in exactly this folder.
    public var folder: String?
    /// Only those that the person put away; else only the others.
    public var isArchived: Bool
    /// Whether threads that programs and other threads started are listed, too.
    public var includesAll: Bool
    /// Only those that are in this state.
    public var state: AgentState?

    public init(
        limit: Int = 50,
        cursor: String? = nil,
        agent: Agent? = nil,
        folder: String? = nil,
        isArchived: Bool = false,
        includesAll: Bool = false,
        state: AgentState? = nil
    ) {
        self.limit = limit
        self.cursor = cursor
        self.agent = agent
        self.folder = folder
        self.isArchived = isArchived
        self.includesAll = includesAll
        self.state = state
    }

    public init(wire: RemoteParameters) throws {
        // The documented bridge's word: what cannot be read is 20, what is out of range is brought into it.
        let isDocumented = !Self.members.contains { wire.value[$0] != nil }
        if wire.value["limit"] == nil, case let given = wire.value["topK"], given != nil || isDocumented {
            let count = given?.integerValue ?? Self.documentedCount
            limit = Int(min(max(count, ThreadLimits.list.lowerBound), ThreadLimits.list.upperBound))
        } else {
            limit = Int(try wire.optionalInteger("limit", in: ThreadLimits.list) ?? 50)
        }
        cursor = try wire.optionalText("cursor", limit: ThreadLimits.name)
        agent = try wire.agent()
        folder = try wire.optionalText("cwd", limit: ThreadLimits.path)
        isArchived = try wire.flag("archived")
        includesAll = try wire.flag("all")
        state = try wire.optionalText("state", limit: 40).map(AgentState.init(rawValue:))
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = ["limit": .integer(Int64(limit))]
        members["cursor"] = cursor.map(JSONValue.string)
        members["source"] = agent.map { .string($0.rawValue) }
        members["cwd"] = folder.map(JSONValue.string)
        if isArchived { members["archived"] = true }
        if includesAll { members["all"] = true }
        members["state"] = state.map { .string($0.rawValue) }
        return .object(members)
    }
}

/// The parameters of `threads.folders`.
public struct ThreadFoldersQuery: MethodParameters, Hashable {
    /// Nil: of every agent.
    public var agent: Agent?

    public init(agent: Agent? = nil) { self.agent = agent }

    public init(wire: RemoteParameters) throws { agent = try wire.agent() }

    public var wire: JSONValue { agent.map { ["source": .string($0.rawValue)] } ?? [:] }
}

/// The parameters of `threads.approvals`.
public struct ApprovalsQuery: MethodParameters, Hashable {
    /// ``ApprovalList/next`` of the page before; nil for the oldest.
    public var cursor: String?

    public init(cursor: String? = nil) { self.cursor = cursor }

    public init(wire: RemoteParameters) throws { cursor = try wire.optionalText("cursor", limit: ThreadLimits.name) }

    public var wire: JSONValue { cursor.map { ["cursor": .string($0)] } ?? [:] }
}

/// Names one thread.
public struct ThreadChoice: MethodParameters, Hashable {
    /// The agent's own name of the thread.
    public var id: String
    /// Nil where the id says enough.
    public var agent: Agent?

    public init(id: String, agent: Agent? = nil) {
        self.id = id
        self.agent = agent
    }

    /// The thread, with its agent.
    public init(_ thread: ThreadReference) { self.init(id: thread.id, agent: thread.agent) }

    public init(wire: RemoteParameters) throws {
        id = try wire.text("id", limit: ThreadLimits.name)
        agent = try wire.agent()
    }

    public var wire: JSONValue { .object(members) }

    var members: [String: JSONValue] {
        var members: [String: JSONValue] = ["id": .string(id)]
        members["source"] = agent.map { .string($0.rawValue) }
        return members
    }
}

/// The parameters of `threads.get`.
public struct ThreadPageQuery: MethodParameters, Hashable {
    /// A part of a conversation.
    public enum Part: Hashable, Sendable {
        case last
        /// The items before a cursor.
        case before(ConversationCursor)
        /// The items from a cursor on.
        case after(ConversationCursor)
    }

    public var thread: ThreadChoice
    public var part: Part
    /// Items, 1 to 200; fewer come where they are large.
    public var limit: Int

    public init(_ thread: ThreadChoice, _ part: Part = .last, limit: Int = 60) {
        self.thread = thread
        self.part = part
        self.limit = limit
    }

    public init(wire: RemoteParameters) throws {
        thread = try ThreadChoice(wire: wire)
        limit = Int(try wire.optionalInteger("limit", in: ThreadLimits.page) ?? 60)
        part =
            switch (try wire.cursor("before"), try wire.cursor("after")) {
            case (nil, nil): .last
            case (let before?, nil): .before(before)
            case (nil, let after?): .after(after)
            default: throw RemoteFailure.badParameter("after", "left out where before is given")
            }
    }

    public var wire: JSONValue {
        var members = thread.members
        members["limit"] = .integer(Int64(limit))
        switch part {
        case .last: break
        case .before(let cursor): members["before"] = .string(cursor.text)
        case .after(let cursor): members["after"] = .string(cursor.text)
        }
        return .object(members)
    }
}

/// The parameters of `threads.item`.
public struct ThreadItemQuery: MethodParameters, Hashable {
    public var thread: ThreadChoice
    /// Where the item begins: its member `cursor`.
    public var cursor: ConversationCursor
    /// The item's id.
    public var item: String
    /// Whether the image itself is asked for.
    public var wantsImage: Bool

    public init(_ thread: ThreadChoice, at cursor: ConversationCursor, item: String, wantsImage: Bool = false) {
        self.thread = thread
        self.cursor = cursor
        self.item = item
        self.wantsImage = wantsImage
    }

    public init(wire: RemoteParameters) throws {
        thread = try ThreadChoice(wire: wire)
        guard let cursor = try wire.cursor("at") else { throw RemoteFailure.badParameter("at", "an item's cursor") }
        self.cursor = cursor
        item = try wire.text("item", limit: ThreadLimits.name)
        wantsImage = try wire.flag("image")
    }

    public var wire: JSONValue {
        var members = thread.members
        members["at"] = .string(cursor.text)
        members["item"] = .string(item)
        if wantsImage { members["image"] = true }
        return .object(members)
    }
}

/// The parameters of `threads.subscribe`.
public struct ThreadSubscription: MethodParameters, Hashable {
    /// Nil: the list of threads, and the approvals that wait for a person.
    public var thread: ThreadChoice?
    /// Where the asker is; nil: it wants the last page.
    public var after: ConversationCursor?

    public init(_ thread: ThreadChoice? = nil, after: ConversationCursor? = nil) {
        self.thread = thread
        self.after = after
    }

    public init(wire: RemoteParameters) throws {
        thread = wire.has("id") ? try ThreadChoice(wire: wire) : nil
        after = try wire.cursor("after")
    }

    public var wire: JSONValue {
        var members = thread?.members ?? [:]
        members["after"] = after.map { .string($0.text) }
        return .object(members)
    }
}

/// The parameters of `threads.search`.
public struct ThreadSearchQuery: MethodParameters, Hashable {
    /// Words, of which the last may be the beginning of one; at most 2,000 bytes.
    public var query: String
    /// 1 to 100.
    public var limit: Int
    /// ``ThreadHits/next`` of the page before.
    public var cursor: String?
    /// Nil: of every agent.
    public var agent: Agent?
    /// Only threads that work in exactly this folder.
    public var folder: String?

    public init(_ query: String, limit: Int = 20, cursor: String? = nil, agent: Agent? = nil, folder: String? = nil) {
        self.query = query
        self.limit = limit
        self.cursor = cursor
        self.agent = agent
        self.folder = folder
    }

    public init(wire: RemoteParameters) throws {
        query = try wire.text("query", limit: ThreadLimits.query)
        limit = Int(try wire.optionalInteger("limit", in: ThreadLimits.hits) ?? 20)
        cursor = try wire.optionalText("cursor", limit: ThreadLimits.name)
        agent = try wire.agent()
        folder = try wire.optionalText("cwd", limit: ThreadLimits.path)
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = ["query": .string(query), "limit": .integer(Int64(limit))]
        members["cursor"] = cursor.map(JSONValue.string)
        members["source"] = agent.map { .string($0.rawValue) }
        members["cwd"] = folder.map(JSONValue.string)
        return .object(members)
    }
}

extension RemoteParameters {
    func agent() throws(RemoteFailure) -> Agent? {
        guard let word = try optionalText("source", limit: 100) else { return nil }
        guard !word.isEmpty else { throw .badParameter("source", "codex, claude_code or acp: and a name") }
        return Agent(rawValue: word)
    }

    func cursor(_ name: String) throws(RemoteFailure) -> ConversationCursor? {
        guard let text = try optionalText(name, limit: ThreadLimits.name) else { return nil }
        guard let cursor = ConversationCursor(text: text) else { throw .badParameter(name, "a cursor of this thread") }
        return cursor
    }
}
