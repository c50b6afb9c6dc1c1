import Conversations
import Kernel

/// A line of Claude Code's stream, as far as it is used. Source: the public client library for it, `query` and `message_parser`.
package enum ClaudeMessage: Sendable {
    /// A turn begins, in this session.
    case turn(session: String)
    /// A message of the agent begins.
    case message(id: String)
    case delta(text: String)
    /// A message is whole.
    ///
    /// - Parameter error: The program's word for what went wrong with it.
    case said(error: String?)
    case result(isError: Bool, text: String?)
    case request(id: String, ClaudeControl)
    /// A request that cannot be read, such as one that is nested too deep.
    case unreadable(request: String)
    /// The program took a request of its own back.
    case withdrawn(id: String)
    /// An answer to a request of ours.
    case answer(id: String, failure: String?)
    /// All that works beside the turns: commands and helpers in the background.
    case tasks(Set<String>)
    case taskBegan(String)
    case taskEnded(String)
    /// Not used here.
    case other

    /// - Returns: Nil for a line that is no message.
    package init?(_ line: [UInt8]) {
        guard let value = try? JSONValue(parsingForeign: line) else {
            let members = ShallowMembers.read(line)
            guard members["type"] == "control_request", let id = AgentText.name(members["request_id"]) else {
                return nil
            }
            self = .unreadable(request: id)
            return
        }
        guard case .object = value else { return nil }
        self = Self.message(value) ?? .other
    }

    private static func message(_ value: JSONValue) -> ClaudeMessage? {
        // The messages of a sub-agent are in its own file.
        let isSubagent = value["parent_tool_use_id"]?.stringValue != nil
        switch value["type"]?.stringValue {
        case "system"? where value["subtype"]?.stringValue == "init":
            guard let session = AgentText.name(value["session_id"]) else { return nil }
            return .turn(session: session)
        case "system"?: return task(value)
        case "stream_event"? where !isSubagent:
            return event(value["event"] ?? .null)
        case "assistant"? where !isSubagent:
            return .said(error: value["error"]?.stringValue.map { AgentText.line($0, limit: 80) })
        case "result"?:
            let errors = (value["errors"]?.arrayValue ?? []).compactMap(\.stringValue)
            let isError = value["is_error"]?.boolValue ?? (value["subtype"]?.stringValue != "success")
            let text = value["result"]?.stringValue ?? (errors.isEmpty ? nil : errors.joined(separator: "; "))
            return .result(
                isError: isError,
                text: text.flatMap { $0.isEmpty ? nil : AgentText.line($0) }
                    ?? (isError ? value["subtype"]?.stringValue.map { AgentText.line($0) } : nil)
            )
        case "control_request"?:
            guard let id = AgentText.name(value["request_id"]) else { return nil }
            return .request(id: id, ClaudeControl(value["request"] ?? .null))
        case "control_cancel_request"?:
            guard let id = AgentText.name(value["request_id"]) else { return nil }
            return .withdrawn(id: id)
        case "control_response"?:
            let response = value["response"] ?? .null
            guard let id = AgentText.name(response["request_id"]) else { return nil }
            let isError = response["subtype"]?.stringValue == "error"
            return .answer(id: id, failure: isError ? AgentText.line(response["error"]?.stringValue ?? "") : nil)
        default: return nil
        }
    }

    /// Tasks at once that are known.
    static let taskLimit = 256

    /// Reads a line about work in the background. Older versions tell only of each task that begins and ends.
    private static func task(_ value: JSONValue) -> ClaudeMessage? {
        let id = AgentText.name(value["task_id"])
        switch value["subtype"]?.stringValue {
        case "background_tasks_changed"?:
            guard let tasks = value["tasks"]?.arrayValue else { return nil }
            return .tasks(Set(tasks.prefix(taskLimit).compactMap { AgentText.name($0["task_id"]) }))
        case "task_started"? where value["is_backgrounded"]?.boolValue != false: return id.map { .taskBegan($0) }
        case "task_notification"?: return id.map { .taskEnded($0) }
        case "task_updated"?
        where ["completed", "failed", "killed", "stopped"].contains(value["patch"]?["status"]?.stringValue):
            return id.map { .taskEnded($0) }
        default: return nil
        }
    }

    private static func event(_ event: JSONValue) -> ClaudeMessage? {
        switch event["type"]?.stringValue {
        case "message_start"?: return AgentText.name(event["message"]?["id"]).map { .message(id: $0) }
        case "content_block_delta"? where event["delta"]?["type"]?.stringValue == "text_delta":
            guard let text = event["delta"]?["text"]?.stringValue, !text.isEmpty else { return nil }
            return .delta(text: text)
        default: return nil
        }
    }
}

/// A request of Claude Code's control channel.
package struct ClaudeControl: Sendable {
    /// Nil for what is not for a person: hooks and servers that the client would have announced.
    package let request: AgentRequest?

    init(_ request: JSONValue) {
        let subtype = request["subtype"]?.stringValue ?? ""
        switch subtype {
        case "can_use_tool": self.request = ClaudeTool(request).request
        case "elicitation":
            self.request = .elicitation(
                server: request["mcp_server_name"]?.stringValue ?? "",
                mode: request["mode"]?.stringValue,
                message: request["message"]?.stringValue ?? "",
                schema: request["requested_schema"],
                address: request["url"]?.stringValue,
                meta: nil,
                unknown: .unknown(method: subtype, request, declining: .result(["action": "decline"]))
            )
        case "hook_callback", "mcp_message", "": self.request = nil
        default: self.request = .unknown(method: subtype, request, declining: .declined)
        }
    }
}

/// The question whether a tool may be used.
private struct ClaudeTool {
    let request: AgentRequest

    init(_ asked: JSONValue) {
        let name = AgentText.line(asked["tool_name"]?.stringValue ?? "", limit: 200)
        let input = asked["input"] ?? .object([:])
        var words = ["decision_reason", "description"].compactMap { asked[$0]?.stringValue }
        if let path = asked["blocked_path"]?.stringValue, !path.isEmpty { words.append("Blocked path: \(path)") }
        if name == "AskUserQuestion", let questions = Self.questions(input, reason: AskedText.reason(words, "")) {
            request = questions
            return
        }
        var options = [Approval.Option(id: "allow", kind: .allowOnce)]
        // Rules that it proposes may be meant for longer than the session; here they are for the session only.
        let rules = (asked["permission_suggestions"]?.arrayValue ?? []).prefix(20).map {
            $0.adding("destination", "session")
        }
        if let name = Self.sessionName(rules) {
            options.append(Approval.Option(id: "session", name: name, kind: .allowForSession))
        }
        options += [Approval.Option(id: "deny", kind: .decline), Approval.Option(id: "stop", kind: .cancel)]
        let (subject, more) = Self.subject(name, input, asked)
        request = AgentRequest(
            subject: subject,
            reason: AskedText.reason(words, more),
            options: options,
            reply: { answer throws(AgentError) in
                switch answer.optionID {
                case "allow": .result(["behavior": "allow", "updatedInput": input])
                case "session":
                    .result(["behavior": "allow", "updatedInput": input, "updatedPermissions": .array(Array(rules))])
                case "stop": Self.denied(answer.reason, stops: true)
                default: Self.denied(answer.reason, stops: false)
                }
            }
        )
    }

    private static func denied(_ reason: String?, stops: Bool) -> RPCReply {
        let text = reason.flatMap { $0.isEmpty ? nil : $0 } ?? "The person declined this."
        return .result(["behavior": "deny", "message": .string(text), "interrupt": .bool(stops)])
    }

    /// Modes that go on asking for what they do not name.
    private static let askingModes: Set = ["default", "plan", "acceptEdits"]

    /// The name of the option for the session: it says exactly what would be allowed, since a rule can be wider than what is asked now.
    ///
    /// - Returns: Nil where that is nothing, or cannot be said whole.
    private static func sessionName(_ rules: [JSONValue]) -> String? {
        var words: [String] = []
        for rule in rules {
            switch rule["type"]?.stringValue {
            case "addRules" where rule["behavior"]?.stringValue == "allow":
                for one in rule["rules"]?.arrayValue ?? [] {
                    guard let tool = one["toolName"]?.stringValue else { return nil }
                    words.append(tool + (one["ruleContent"]?.stringValue.map { "(\($0))" } ?? ""))
                }
            case "setMode":
                // Modes in which nothing is asked any more cannot be allowed with one press beside something harmless.
                guard let mode = rule["mode"]?.stringValue, askingModes.contains(mode) else { return nil }
                words.append("mode \(mode)")
            case "addDirectories":
                for folder in rule["directories"]?.arrayValue ?? [] {
                    guard let folder = folder.stringValue else { return nil }
                    words.append("folder \(folder)")
                }
            default: return nil
            }
        }
        guard !words.isEmpty else { return nil }
        return AskedText.line("Allow for this session: \(words.joined(separator: ", "))", limit: 500)
    }

    /// The subject of the request, and the effects that the subject does not show.
    private static func subject(
        _ name: String,
        _ input: JSONValue,
        _ asked: JSONValue
    ) -> (Approval.Subject, more: String) {
        let id = AgentText.name(asked["tool_use_id"])
        if let (subject, told) = known(name, input, asked, id: id),
            let more = AskedText.more("It also says:", AskedText.others(of: input, but: told))
        {
            return (subject, more)
        }
        return (AskedText.tool(name, id: id, input.canonicalText) ?? .unknown("can_use_tool", asked), "")
    }

    /// A tool of Claude Code's own, and the members that are shown with it.
    private static func known(
        _ name: String,
        _ input: JSONValue,
        _ asked: JSONValue,
        id: String?
    ) -> (Approval.Subject, told: Set<String>)? {
        switch name {
        case "Bash":
            guard let line = input["command"]?.stringValue, !line.isEmpty else { return nil }
            let subject = AgentRequest.commandSubject(line, folder: nil, method: "can_use_tool", asked)
            return (subject, ["command", "description", "timeout"])
        case "ExitPlanMode":
            guard let plan = input["plan"]?.stringValue else { return nil }
            return AskedText.tool(name, id: id, plan).map { ($0, ["plan"]) }
        case "Write":
            guard let content = input["content"]?.stringValue else { return nil }
            return change(input, "file_path", .written, AgentText.marked("+", content), id: id, told: ["content"])
        case "Edit":
            return edit(input).flatMap { change(input, "file_path", .updated, $0, id: id, told: replaced) }
        case "MultiEdit":
            let edits = input["edits"]?.arrayValue ?? []
            let patches = edits.compactMap { AskedText.others(of: $0, but: replaced).isEmpty ? edit($0) : nil }
            guard !edits.isEmpty, patches.count == edits.count else { return nil }
            return change(input, "file_path", .updated, patches.joined(separator: "\n"), id: id, told: ["edits"])
        case "NotebookEdit":
            // Other modes insert a cell, or delete one.
            guard let source = input["new_source"]?.stringValue,
                ["replace", nil].contains(input["edit_mode"]?.stringValue)
            else { return nil }
            let told: Set = ["new_source", "edit_mode"]
            return change(input, "notebook_path", .updated, AgentText.marked("+", source), id: id, told: told)
        default: return nil
        }
    }

    private static let replaced: Set = ["old_string", "new_string"]

    /// The patch of an edit: the lines that go and those that come, as in the histories.
    private static func edit(_ edit: JSONValue) -> String? {
        guard let old = edit["old_string"]?.stringValue, let new = edit["new_string"]?.stringValue else { return nil }
        return AgentText.marked("-", old) + AgentText.marked("+", new)
    }

    private static func change(
        _ input: JSONValue,
        _ path: String,
        _ kind: FileChange.Kind,
        _ lines: String,
        id: String?,
        told: Set<String>
    ) -> (Approval.Subject, told: Set<String>)? {
        let file = AskedText.ChangedFile(path: input[path]?.stringValue ?? "", kind: kind, lines: lines)
        return AskedText.change([file], id: id, isHeaded: false).map { ($0, told.union([path])) }
    }

    /// Answers go back in the tool's own input, by the text of the question; several choices are joined by commas.
    private static func questions(_ input: JSONValue, reason: String?) -> AgentRequest? {
        guard let asked = input["questions"]?.arrayValue, (1...20).contains(asked.count) else { return nil }
        let texts = asked.map { $0["question"]?.stringValue ?? "" }
        guard Set(texts).count == texts.count, !texts.contains("") else { return nil }
        let choices = asked.map { question in
            AgentText.choices(question["options"]?.arrayValue ?? [])
        }
        let questions = asked.enumerated().map { index, question in
            Approval.Question(
                id: "\(index)",
                text: AgentText.line(texts[index], limit: 2000),
                header: question["header"]?.stringValue.map { AgentText.line($0, limit: 100) }.flatMap {
                    $0.isEmpty ? nil : $0
                },
                choices: choices[index].shown,
                details: choices[index].details,
                allowsSeveral: question["multiSelect"]?.boolValue == true
            )
        }
        let originals = choices.map(\.originals)
        return AgentRequest(
            subject: .questions(questions),
            reason: reason,
            options: [
                Approval.Option(id: "submit", kind: .submit), Approval.Option(id: "deny", kind: .decline),
                Approval.Option(id: "stop", kind: .cancel),
            ],
            reply: { answer throws(AgentError) in
                guard answer.optionID == "submit" else {
                    return denied(answer.reason, stops: answer.optionID == "stop")
                }
                var answers: [String: JSONValue] = [:]
                for (index, question) in questions.enumerated() {
                    guard let given = answer.answers[question.id], !given.isEmpty else {
                        throw .answerMissing(question: question.text)
                    }
                    let meant = given.map { originals[index][$0] ?? $0 }
                    answers[texts[index]] = .string(meant.joined(separator: ", "))
                }
                let filled = input.adding("answers", .object(answers))
                return .result(["behavior": "allow", "updatedInput": filled])
            }
        )
    }
}
