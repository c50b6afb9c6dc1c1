package import Conversations
package import Kernel

/// An update of a session by an agent of the Agent Client Protocol. Source: the protocol's version 1, `session/update`.
package enum ACPUpdate: Hashable, Sendable {
    case userText(String)
    /// - Parameter message: Chunks with the same id belong to one message.
    case agentText(String, message: String?)
    case thought(String)
    /// A call that began or changed. Members that did not change are missing.
    case toolCall(id: String, JSONValue)
    case plan([Plan.Step])
    /// The agent's own title of the session; nil where it took that back.
    case title(String?)

    /// - Returns: Nil for an update of another kind.
    package init?(_ update: JSONValue) {
        switch update["sessionUpdate"]?.stringValue {
        case "user_message_chunk"?: self = .userText(Self.text(update["content"]))
        case "agent_message_chunk"?:
            self = .agentText(Self.text(update["content"]), message: AgentText.name(update["messageId"]))
        case "agent_thought_chunk"?: self = .thought(Self.text(update["content"]))
        case "tool_call"?, "tool_call_update"?:
            guard let id = AgentText.name(update["toolCallId"]) else { return nil }
            self = .toolCall(id: id, update)
        case "plan"?:
            self = .plan(
                (update["entries"]?.arrayValue ?? []).prefix(Plan.stepLimit).map { entry in
                    Plan.Step(
                        text: AgentText.line(entry["content"]?.stringValue ?? "", limit: 1000),
                        state: Plan.StepState(agentWord: entry["status"]?.stringValue)
                    )
                }
            )
        case "session_info_update"?:
            // A member that is missing did not change.
            guard let title = update["title"] else { return nil }
            let line = AgentText.line(title.stringValue ?? "", limit: 500)
            self = .title(line.isEmpty ? nil : line)
        default: return nil
        }
    }

    /// The text of a content block. What is no text is named.
    static func text(_ block: JSONValue?) -> String {
        switch block?["type"]?.stringValue {
        case "text"?: block?["text"]?.stringValue ?? ""
        case "resource_link"?: AgentText.line(block?["uri"]?.stringValue ?? "", limit: 1000)
        case .some(let type): "[\(AgentText.line(type, limit: 40))]"
        case nil: ""
        }
    }
}

/// A tool call as it stands after all that was told about it.
struct ACPToolCall: Hashable, Sendable {
    let id: String
    /// On one line, for a list.
    var title = ""
    /// The title as the agent wrote it; nil where it is too long to be shown whole.
    var wholeTitle: String? = ""
    var kind = "other"
    var status = "pending"
    var content: [JSONValue] = []
    var input: JSONValue?
    /// Files that it works on.
    var locations: [JSONValue] = []
    /// Whether something that was told of it was too large to be kept, so that what is known may be out of date.
    var isPartial = false

    mutating func merge(_ update: JSONValue) {
        if let title = update["title"]?.stringValue {
            self.title = AgentText.line(title, limit: 500)
            wholeTitle = title.utf8.count <= ItemText.limit ? title : nil
        }
        if let kind = update["kind"]?.stringValue { self.kind = AgentText.line(kind, limit: 40) }
        if let status = update["status"]?.stringValue { self.status = AgentText.line(status, limit: 40) }
        if let content = update["content"]?.arrayValue { self.content = content }
        if let locations = update["locations"]?.arrayValue, !locations.isEmpty {
            self.locations = Array(locations.prefix(Self.locationLimit))
        }
        // An empty input takes nothing back: agents such as OpenCode ask with `{}` for a command that they told before.
        if let input = update["rawInput"], input != .null, self.input == nil || !Self.isEmpty(input) {
            self.input = input
        }
    }

    /// Files of one call that are kept.
    private static let locationLimit = 20

    /// Its arguments, for a list: its command, its input, else the files that it works on.
    var arguments: String {
        if let command { return command }
        if let input, !Self.isEmpty(input) { return input.canonicalText }
        return locations.compactMap { $0["path"]?.stringValue }.joined(separator: "\n")
    }

    /// An input that says nothing about the call.
    static func isEmpty(_ input: JSONValue) -> Bool { ([.null, [:], [], ""] as [JSONValue]).contains(input) }

    var isOver: Bool { status == "completed" || status == "failed" }

    /// The command line, where the agent says one.
    var command: String? {
        guard kind == "execute" else { return nil }
        return (input?["command"] ?? input?["cmd"]).flatMap(ShellWords.line(of:))
    }

    /// A change of one file.
    struct Difference {
        let path: String
        let isNew: Bool
        let lines: String
    }

    /// The changes of files that it shows.
    var differences: [Difference] {
        content.filter { $0["type"]?.stringValue == "diff" }.prefix(FileChange.fileLimit).map { diff in
            let old = diff["oldText"]?.stringValue
            let new = diff["newText"]?.stringValue ?? ""
            return Difference(
                path: diff["path"]?.stringValue ?? "",
                isNew: old == nil,
                lines: old.map { AgentText.difference(from: $0, to: new) } ?? AgentText.marked("+", new)
            )
        }
    }

    /// The files it changes, where it shows them.
    var change: FileChange? {
        let differences = differences
        guard !differences.isEmpty else { return nil }
        return FileChange(
            callID: id,
            files: differences.map {
                FileChange.File(path: ShortText.line($0.path, limit: 1000), kind: $0.isNew ? .added : .updated)
            },
            patch: ItemText(differences.map { "*** \($0.path)\n\($0.lines)" }.joined(separator: "\n")),
            outcome: .unknown
        )
    }

    /// The text that it printed.
    var output: String {
        content.filter { $0["type"]?.stringValue == "content" }.map { ACPUpdate.text($0["content"]) }
            .joined(separator: "\n")
    }

    /// The name for a list: what kind of tool, and what it does.
    var name: String { title.isEmpty ? kind : title }
}

/// A request of an agent of the Agent Client Protocol to a person.
package enum ACPRequest {
    /// The answer that a cancelled turn's requests get.
    static let cancelled = RPCReply.result(["outcome": ["outcome": "cancelled"]])
    /// The answer to a request that the agent took back.
    static let takenBack = RPCReply.failure(code: -32800, message: "Request cancelled")
    /// The method of a question to the person, by a form or an address.
    private static let elicitation = "elicitation/create"

    /// The reply to a request whose turn was stopped; nil for methods without a word for it.
    static func stopped(_ method: String) -> RPCReply? {
        switch method {
        case "session/request_permission": cancelled
        case elicitation: .result(["action": "cancel"])
        default: nil
        }
    }

    /// The option that is added: it stops the turn.
    static let stopOption = "tandem-cancel"

    /// - Parameter known: The tool call as it was told before.
    /// - Returns: Nil for a request that is not for a person.
    package static func parse(
        method: String,
        _ parameters: JSONValue
    ) -> (session: String, request: AgentRequest)? {
        parse(method: method, parameters, known: { _ in nil })
    }

    static func parse(
        method: String,
        _ parameters: JSONValue,
        known: (String) -> ACPToolCall?
    ) -> (session: String, request: AgentRequest)? {
        guard let session = AgentText.name(parameters["sessionId"]) else { return nil }
        // None of these was announced.
        guard !method.hasPrefix("fs/"), !method.hasPrefix("terminal/") else { return nil }
        if method == elicitation {
            let request = AgentRequest.elicitation(
                server: "",
                mode: parameters["mode"]?.stringValue,
                message: parameters["message"]?.stringValue ?? "",
                schema: parameters["requestedSchema"],
                address: parameters["url"]?.stringValue,
                meta: nil,
                tellsNoContent: true,
                unknown: .unknown(method: method, parameters, declining: .result(["action": "decline"]))
            )
            return (session, request)
        }
        guard method == "session/request_permission" else {
            return (session, .unknown(method: method, parameters, declining: .declined))
        }
        let update = parameters["toolCall"] ?? .object([:])
        let id = AgentText.name(update["toolCallId"]) ?? ""
        var call = known(id) ?? ACPToolCall(id: id)
        // A request that tells the content and the input itself needs nothing of a call that was not kept whole.
        if call.isPartial, update["content"]?.arrayValue != nil, let input = update["rawInput"],
            !ACPToolCall.isEmpty(input)
        {
            call = ACPToolCall(id: id)
        }
        call.merge(update)
        var options: [Approval.Option] = []
        for option in (parameters["options"]?.arrayValue ?? []).prefix(Approval.optionLimit - 1) {
            guard let id = AgentText.name(option["optionId"]), id != stopOption,
                !options.contains(where: { $0.id == id })
            else {
                continue
            }
            let (kind, words) = (kind(option["kind"]?.stringValue ?? ""), option["name"]?.stringValue ?? "")
            // How far an answer goes is in its words: one that cannot be shown whole is not offered.
            let name = AskedText.line(words, limit: 500)
            guard name != nil || words.isEmpty || kind == .decline else { continue }
            options.append(Approval.Option(id: id, name: name, kind: kind))
        }
        options.append(Approval.Option(id: stopOption, kind: .cancel))
        let (subject, more) = subject(call, parameters) ?? (.unknown(method, parameters), "")
        let request = AgentRequest(
            subject: subject,
            reason: AskedText.reason(words(of: call, beside: subject), more),
            options: options,
            reply: { answer throws(AgentError) in
                guard answer.optionID != stopOption else { return cancelled }
                return .result(["outcome": ["outcome": "selected", "optionId": .string(answer.optionID)]])
            }
        )
        return (session, request)
    }

    private static func kind(_ word: String) -> Approval.Option.Kind {
        switch word {
        case "allow_once": .allowOnce
        case "reject_once", "reject_always": .decline
        default: .other(AgentText.line(word, limit: 40))
        }
    }

    /// The title, unless what is shown says it already.
    private static func words(of call: ACPToolCall, beside subject: Approval.Subject) -> [String] {
        let isSaid =
            switch subject {
            case .command(let command): command.line == call.wholeTitle
            case .tool(let tool):
                tool.name == call.title || tool.arguments.text.hasPrefix(call.wholeTitle ?? call.title)
            default: false
            }
        return call.title.isEmpty || isSaid ? [] : [call.title]
    }

    /// The subject of the request, and the effects that the subject does not show; nil where not all of it can be shown.
    private static func subject(_ call: ACPToolCall, _ raw: JSONValue) -> (Approval.Subject, more: String)? {
        guard !call.isPartial else { return nil }
        let told: Set = ["command", "cmd", "cwd", "description", "timeout"]
        if let command = call.command, let input = call.input, input["command"] == nil || input["cmd"] == nil,
            let more = AskedText.more("It also says:", AskedText.others(of: input, but: told))
        {
            let folder = input["cwd"]?.stringValue
            let method = "session/request_permission"
            return (AgentRequest.commandSubject(command, folder: folder, method: method, raw), more)
        }
        if !call.differences.isEmpty {
            guard let change = call.askedChange else { return nil }
            if let more = AskedText.more("It also says:", call.besideChange) { return (change, more) }
        }
        return call.askedTool.map { ($0, "") }
    }
}
