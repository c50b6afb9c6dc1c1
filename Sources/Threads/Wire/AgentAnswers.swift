public import Commands
public import Conversations
public import Kernel

/// The agents of a computer.
public struct AgentList: MethodAnswer, Hashable {
    /// The agents that are known or configured.
    public var agents: [AgentAvailability]

    public init(_ agents: [AgentAvailability]) { self.agents = agents }

    public init(wire: JSONValue) throws(RemoteError) {
        guard let list = try AnswerMembers(wire).list("agents", limit: 100) else { throw .malformedResult }
        agents = list.compactMap { wire in
            guard let members = try? AnswerMembers(wire), let source = members.text("source") else { return nil }
            return AgentAvailability(
                Agent(rawValue: source),
                name: members.text("name") ?? source,
                isInstalled: members.flag("is_installed") ?? false,
                version: members.text("version"),
                canPost: members.flag("can_post") ?? false,
                canStart: members.flag("can_start") ?? false,
                reason: members.text("reason"),
                installation: members.value("install").flatMap(Self.installation)
            )
        }
    }

    private static func installation(_ wire: JSONValue) -> AgentInstallation? {
        guard let members = try? AnswerMembers(wire), let program = members.text("program") else { return nil }
        return AgentInstallation(
            program: program,
            command: members.text("command"),
            signIn: members.text("sign_in")
        )
    }

    private static func wire(_ installation: AgentInstallation) -> JSONValue {
        var members: [String: JSONValue] = ["program": .string(installation.program)]
        members["command"] = installation.command.map(JSONValue.string)
        members["sign_in"] = installation.signIn.map(JSONValue.string)
        return .object(members)
    }

    public var wire: JSONValue {
        [
            "agents": .array(
                agents.map { agent in
                    var members: [String: JSONValue] = [
                        "source": .string(agent.agent.rawValue), "name": .string(agent.name),
                        "is_installed": .bool(agent.isInstalled), "can_post": .bool(agent.canPost),
                        "can_start": .bool(agent.canStart),
                    ]
                    members["version"] = agent.version.map(JSONValue.string)
                    members["reason"] = agent.reason.map(JSONValue.string)
                    members["install"] = agent.installation.map(Self.wire)
                    return .object(members)
                }
            )
        ]
    }
}

/// The approvals that agents wait for, the oldest first.
public struct ApprovalList: MethodAnswer, Hashable {
    /// The oldest first.
    public var items: [Approval]
    /// Where the next page begins; nil on the last one.
    public var next: String?

    public init(_ items: [Approval], next: String? = nil) {
        self.items = items
        self.next = next
    }

    /// The page behind a cursor: as many as fit into ``ThreadLimits/pageBytes``, and one at least.
    ///
    /// - Parameters:
    ///   - all: The oldest first.
    ///   - cursor: The cursor of another page, whose last approval may be gone by now. One that is none begins at the oldest.
    package init(_ all: [Approval], after cursor: String?) {
        let end = cursor.flatMap(Self.place)
        var items: [Approval] = []
        var bytes = 0
        var next: String?
        for approval in all {
            if let end, (approval.milliseconds, approval.id) <= end { continue }
            bytes += approval.wire.canonicalBytes.count
            if bytes > ThreadLimits.pageBytes, let last = items.last {
                next = "\(last.milliseconds) \(last.id)"
                break
            }
            items.append(approval)
        }
        self.init(items, next: next)
    }

    private static func place(_ cursor: String) -> (Int64, String)? {
        let parts = cursor.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let milliseconds = Int64(parts[0]) else { return nil }
        return (milliseconds, String(parts[1]))
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        guard let list = members.list("items") else { throw .malformedResult }
        self.init(list.compactMap(Approval.init(wire:)), next: members.text("next"))
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = ["items": .array(items.map(\.wire))]
        members["next"] = next.map(JSONValue.string)
        return .object(members)
    }
}

extension ThreadProgress: MethodAnswer {
    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        self.init(
            AgentState(rawValue: members.text("state") ?? "idle"),
            thread: ThreadReference(wire),
            delivery: members.text("delivery").map(Delivery.init(rawValue:)),
            notDelivered: (wire["not_delivered"]?.arrayValue ?? []).compactMap(\.stringValue)
        )
    }

    public var wire: JSONValue {
        var members = thread?.members ?? [:]
        members["state"] = .string(state.rawValue)
        members["delivery"] = delivery.map { .string($0.rawValue) }
        if !notDelivered.isEmpty { members["not_delivered"] = .array(notDelivered.map(JSONValue.string)) }
        return .object(members)
    }
}

/// A thread that was begun.
public struct StartedThread: MethodAnswer, Hashable {
    /// Its line in the list, which may have no title yet.
    public var thread: ThreadSummary

    public init(_ thread: ThreadSummary) { self.thread = thread }

    public init(wire: JSONValue) throws(RemoteError) {
        guard let thread = wire["thread"].flatMap(ThreadSummary.init(wire:)) else { throw .malformedResult }
        self.thread = thread
    }

    public var wire: JSONValue { ["thread": thread.wire] }
}

extension ApprovalOutcome: MethodAnswer {
    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        guard let outcome = members.text("outcome") else { throw .malformedResult }
        self.init(counted: outcome == "answered", option: members.text("option"), by: members.text("by"))
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = ["outcome": counted ? "answered" : "already"]
        members["option"] = option.map(JSONValue.string)
        members["by"] = by.map(JSONValue.string)
        return .object(members)
    }
}
