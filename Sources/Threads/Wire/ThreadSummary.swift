import Commands
public import Conversations
public import Kernel

/// One line of a list of threads: the documented bridge's `ThreadSummary`, and what is ours. Source: `docs/protocol.md`, "Threads".
public struct ThreadSummary: Hashable, Sendable, Identifiable {
    /// The agent whose thread it is, and the agent's own name of it.
    public var reference: ThreadReference
    /// At most 200 characters on one line, written by an agent or a person; nil where there is none yet.
    public var title: String?
    /// Milliseconds since 1970-01-01T00:00:00Z, like the other two times.
    public var createdMilliseconds: Int64?
    /// The file's date.
    public var updatedMilliseconds: Int64
    /// The time of the last record that has one.
    public var lastMessageMilliseconds: Int64?
    /// Nil where messages were not counted.
    public var messageCount: Int?
    /// The folder the agent works in.
    public var workingFolder: String?
    /// The branch of that folder.
    public var gitBranch: String?
    /// The provider of the model.
    public var model: String?
    /// The way the thread was started, as the agent calls it: `cli`, `vscode`, `exec`.
    public var origin: String?
    /// The thread that this one was forked from or started by.
    public var parentID: String?
    /// The person put it away.
    public var isArchived: Bool
    /// Whether a person works in it.
    public var isInteractive: Bool
    /// The size of the file, in bytes.
    public var size: Int64?
    /// The agent's state in it.
    public var state: AgentState
    /// Why the last turn failed, in a sentence or in the agent's words; nil where that is not known.
    public var reason: String?
    /// Why its messages cannot be read: `too_large` or `too_costly`, of its file. Nil where they can.
    public var unreadable: String?
    /// Whether a prompt can be given.
    public var canPost: Bool

    public var id: ThreadReference { reference }

    public init(
        _ reference: ThreadReference,
        title: String?,
        updatedMilliseconds: Int64,
        isArchived: Bool = false,
        isInteractive: Bool = true,
        state: AgentState = .idle,
        canPost: Bool = false
    ) {
        self.reference = reference
        self.title = title
        self.updatedMilliseconds = updatedMilliseconds
        self.isArchived = isArchived
        self.isInteractive = isInteractive
        self.state = state
        self.canPost = canPost
    }

    /// Nil for what has no id or no agent.
    public init?(wire: JSONValue) {
        guard let members = try? AnswerMembers(wire), let reference = ThreadReference(wire) else { return nil }
        self.init(
            reference,
            title: members.text("title"),
            updatedMilliseconds: members.integer("updated_at") ?? 0,
            isArchived: members.flag("is_archived") ?? false,
            isInteractive: members.flag("is_interactive") ?? true,
            state: AgentState(rawValue: members.text("state") ?? AgentState.idle.rawValue),
            canPost: members.flag("can_post") ?? false
        )
        createdMilliseconds = members.integer("created_at")
        lastMessageMilliseconds = members.integer("last_message_ts")
        messageCount = members.count("message_count")
        workingFolder = members.text("cwd")
        gitBranch = members.text("git_branch")
        model = members.text("model")
        origin = members.text("origin")
        parentID = members.text("parent_id")
        size = members.integer("size")
        reason = members.text("reason")
        unreadable = members.text("unreadable")
    }

    /// The wire form. Members that are not known are left out.
    public var wire: JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(reference.id), "source": .string(reference.agent.rawValue),
            "updated_at": .integer(updatedMilliseconds), "is_interactive": .bool(isInteractive),
            "state": .string(state.rawValue), "can_post": .bool(canPost),
        ]
        members["title"] = title.map(JSONValue.string)
        members["created_at"] = createdMilliseconds.map(JSONValue.integer)
        members["last_message_ts"] = lastMessageMilliseconds.map(JSONValue.integer)
        members["message_count"] = messageCount.map { .integer(Int64($0)) }
        members["cwd"] = workingFolder.map(JSONValue.string)
        members["git_branch"] = gitBranch.map(JSONValue.string)
        members["model"] = model.map(JSONValue.string)
        members["origin"] = origin.map(JSONValue.string)
        members["parent_id"] = parentID.map(JSONValue.string)
        if isArchived { members["is_archived"] = true }
        members["size"] = size.map(JSONValue.integer)
        members["reason"] = reason.map(JSONValue.string)
        members["unreadable"] = unreadable.map(JSONValue.string)
        return .object(members)
    }
}

extension ThreadReference {
    /// Reads the members `id` and `source`; nil where one is missing.
    package init?(_ wire: JSONValue) {
        guard let id = wire["id"]?.stringValue, let source = wire["source"]?.stringValue, !id.isEmpty, !source.isEmpty
        else { return nil }
        self.init(agent: Agent(rawValue: source), id: id)
    }

    package var members: [String: JSONValue] { ["id": .string(id), "source": .string(agent.rawValue)] }
}
