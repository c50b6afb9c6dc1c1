import Conversations
import Kernel

/// Makes items of Claude Code's records.
enum ClaudeItems {
    /// Records that are no part of the conversation, or said by others.
    private static let silentTypes: Set = [
        "summary", "progress", "file-history-snapshot", "permission-mode",
        "custom-title", "ai-title", "last-prompt", "worktree-state", "pr-link", "bridge-session", "agent-name",
        "agent-color", "agent-setting", "tag", "mode", "content-replacement", "speculation-accept", "task-summary",
    ]
    private static let silentSubtypes: Set = [
        "turn_duration", "compact_boundary", "microcompact_boundary", "stop_hook_summary", "file_snapshot",
        "api_metrics", "thinking", "bridge_status",
    ]

    static func items(of record: HistoryRecord) -> [ConversationItem] {
        let value = record.value
        let message = value["message"] ?? .null
        let contents: [ConversationItem.Content]
        switch value["type"]?.stringValue ?? "" {
        case "user": contents = user(value, message, record)
        case "assistant": contents = assistant(value, message, record)
        case "system": contents = system(value, record)
        case "attachment": contents = queued(value, record)
        case "queue-operation":
            contents = absorbed(value).map { [.userMessage(record.text($0))] } ?? []
        case let type where silentTypes.contains(type): contents = []
        case let type: contents = [.unknown(type: ShortText.line(type, limit: 100))]
        }
        guard !contents.isEmpty else { return [] }
        let id = value.name("uuid", limit: 100) ?? "\(record.position)"
        let time = value.name("timestamp", limit: 40).flatMap(ISOTime.milliseconds)
        let messageID = message.name("id", limit: 200)
        return contents.enumerated().map { index, content in
            ConversationItem(
                id: index == 0 ? id : "\(id).\(index)",
                milliseconds: time,
                position: record.position,
                messageID: messageID,
                content: content
            )
        }
    }

    /// Joins the texts of one answer that follow each other: an answer is written as several records.
    static func joined(_ items: [ConversationItem]) -> [ConversationItem] {
        var joined: [ConversationItem] = []
        for item in items {
            if case .agentMessage(let text) = item.content, let last = joined.last,
                case .agentMessage(let earlier) = last.content, let id = item.messageID, id == last.messageID
            {
                joined[joined.count - 1].content = .agentMessage(earlier.joined(with: text))
            } else {
                joined.append(item)
            }
        }
        return joined
    }

    /// The texts of a message's content, in both of its forms.
    static func texts(_ content: JSONValue?) -> [String] {
        if let text = content?.stringValue { return [text] }
        return (content?.arrayValue ?? []).prefix(1000).compactMap {
            $0["type"]?.stringValue == "text" ? $0.text("text") : nil
        }
    }

    /// A prompt that was handed over while a turn ran.
    static func isQueuedPrompt(_ value: JSONValue) -> Bool {
        let attachment = value["attachment"]
        return value["type"]?.stringValue == "attachment" && attachment?["type"]?.stringValue == "queued_command"
            && ["prompt", nil].contains(attachment?["commandMode"]?.stringValue)
            && attachment.flatMap { ClaudeSender(of: $0) } == nil
    }

    /// The words of a prompt that a running turn took in. Versions that write an attachment for it, too, are told apart by their words.
    static func absorbed(_ value: JSONValue) -> String? {
        guard value["type"]?.stringValue == "queue-operation", value["operation"]?.stringValue == "remove",
            value["reason"]?.stringValue == "absorbed_mid_turn", let text = value.text("content"),
            case .person(let words) = ClaudeText(text)
        else { return nil }
        return words
    }

    /// The items of a prompt that came while a turn ran. Other attachments are for the model.
    private static func queued(_ value: JSONValue, _ record: HistoryRecord) -> [ConversationItem.Content] {
        guard let attachment = value["attachment"], attachment["type"]?.stringValue == "queued_command" else {
            return []
        }
        let sender =
            ClaudeSender(of: attachment)
            ?? (isQueuedPrompt(value) ? nil : attachment.line("commandMode", limit: 80).map(ClaudeSender.init(kind:)))
        return said(attachment["prompt"], sender, record)
    }

    /// The items of a message from the person, or from others in the person's name.
    private static func said(
        _ content: JSONValue?,
        _ sender: ClaudeSender?,
        _ record: HistoryRecord
    ) -> [ConversationItem.Content] {
        if let text = content?.stringValue { return userText(text, sender, record) }
        return (content?.arrayValue ?? []).prefix(1000).flatMap { block -> [ConversationItem.Content] in
            switch block["type"]?.stringValue ?? "" {
            case "text": block.text("text").map { userText($0, sender, record) } ?? []
            case "tool_result": result(block, record)
            case "image": [image(block, .user, record)]
            case "document": [.unknown(type: "document")]
            case let type: [.unknown(type: ShortText.line("user/\(type)", limit: 100))]
            }
        }
    }

    private static func user(_ value: JSONValue, _ message: JSONValue, _ record: HistoryRecord) -> [ConversationItem
        .Content]
    {
        if value["isCompactSummary"]?.boolValue == true {
            return [.compaction(record.text(texts(message["content"]).joined(separator: "\n\n")))]
        }
        let content = message["content"]
        guard value["isMeta"]?.boolValue == true else { return said(content, ClaudeSender(of: value), record) }
        // Texts are for the model then; what tools answered and what was shown is not.
        guard let blocks = content?.arrayValue else { return [] }
        return said(.array(blocks.filter { $0["type"]?.stringValue != "text" }), nil, record)
    }

    private static func userText(
        _ text: String,
        _ sender: ClaudeSender?,
        _ record: HistoryRecord
    ) -> [ConversationItem.Content] {
        if let sender {
            let words = sender.words(of: text)
            return words.isEmpty ? [] : [.notice(Notice(kind: .other(sender.kind), text: record.text(words)))]
        }
        return switch ClaudeText(text) {
        case .person(let words): words.isEmpty ? [] : [.userMessage(record.text(words))]
        case .command(let name): [.notice(Notice(kind: .command, text: record.text(name)))]
        case .interruption: [.notice(Notice(kind: .interrupted, text: record.text(text)))]
        case .machine: []
        }
    }

    private static func result(_ block: JSONValue, _ record: HistoryRecord) -> [ConversationItem.Content] {
        let text = ClaudeWords.ofResult(block["content"])
        let outcome: ToolOutcome = block["is_error"]?.boolValue == true ? .failed(code: nil) : .succeeded
        let images = (block["content"]?.arrayValue ?? []).prefix(100).filter { $0["type"]?.stringValue == "image" }
        return [
            .toolOutput(
                ToolOutput(callID: block.name("tool_use_id", limit: 200), text: record.text(text), outcome: outcome)
            )
        ] + images.map { image($0, .tool, record) }
    }

    private static func image(
        _ block: JSONValue,
        _ origin: ImageLeftOut.Origin,
        _ record: HistoryRecord
    ) -> ConversationItem.Content {
        let source = block["source"]
        if let data = source?["data"]?.stringValue {
            return .image(record.image(base64: data, type: source?.line("media_type", limit: 100), origin))
        }
        record.pictures?.pictures.append(nil)
        return .image(
            ImageLeftOut(
                origin: origin,
                mediaType: source?.line("media_type", limit: 100),
                location: source?.line("url", limit: 1000)
            )
        )
    }

    private static func assistant(
        _ value: JSONValue,
        _ message: JSONValue,
        _ record: HistoryRecord
    ) -> [ConversationItem.Content] {
        let isError = value["isApiErrorMessage"]?.boolValue == true
        func said(_ text: String) -> ConversationItem.Content {
            isError ? .notice(Notice(kind: .error, text: record.text(text))) : .agentMessage(record.text(text))
        }
        if let text = message.text("content") { return [said(text)] }
        return (message["content"]?.arrayValue ?? []).prefix(1000).compactMap { block in
            switch block["type"]?.stringValue ?? "" {
            case "text": block.text("text").map(said)
            case "thinking": block.text("thinking").map { .reasoning(record.text($0)) }
            case "redacted_thinking": nil
            case "tool_use", "server_tool_use", "mcp_tool_use": call(block, record)
            case "image": image(block, .agent, record)
            case let type: .unknown(type: ShortText.line("assistant/\(type)", limit: 100))
            }
        }
    }

    private static func call(_ block: JSONValue, _ record: HistoryRecord) -> ConversationItem.Content {
        let callID = block.name("id", limit: 200)
        let name = block.line("name") ?? ""
        let input = block["input"] ?? .object([:])
        if let change = change(name, input, callID, record) { return .fileChange(change) }
        if name == "TodoWrite", let todos = input["todos"]?.arrayValue {
            let steps = todos.prefix(Plan.stepLimit).map {
                Plan.Step(
                    text: $0.line("content", limit: 1000) ?? "",
                    state: Plan.StepState(agentWord: $0["status"]?.stringValue)
                )
            }
            return .plan(Plan(callID: callID, steps: steps))
        }
        return .toolCall(ToolCall(callID: callID, name: name, arguments: record.text(input.canonicalText)))
    }

    private static func change(
        _ name: String,
        _ input: JSONValue,
        _ callID: String?,
        _ record: HistoryRecord
    ) -> FileChange? {
        guard let path = input.line("file_path", limit: 1000) ?? input.line("notebook_path", limit: 1000) else {
            return nil
        }
        func edit(_ edit: JSONValue) -> String {
            lines("-", edit["old_string"]) + lines("+", edit["new_string"] ?? edit["new_source"])
        }
        let patch: String
        var kind = FileChange.Kind.updated
        switch name {
        case "Write":
            patch = lines("+", input["content"])
            kind = .written
        case "Edit", "NotebookEdit": patch = edit(input)
        case "MultiEdit": patch = (input["edits"]?.arrayValue ?? []).prefix(1000).map(edit).joined(separator: "\n")
        default: return nil
        }
        return FileChange(
            callID: callID,
            files: [FileChange.File(path: path, kind: kind)],
            patch: record.text(patch),
            outcome: .unknown
        )
    }

    private static func lines(_ mark: String, _ text: JSONValue?) -> String {
        guard let text = text?.stringValue, !text.isEmpty else { return "" }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { mark + $0 + "\n" }.joined()
    }

    private static func system(_ value: JSONValue, _ record: HistoryRecord) -> [ConversationItem.Content] {
        let subtype = value["subtype"]?.stringValue ?? ""
        guard !silentSubtypes.contains(subtype), value["isMeta"]?.boolValue != true else { return [] }
        let text = value.text("content") ?? value["error"]?.text("message") ?? value.text("error") ?? ""
        switch subtype {
        case "api_error":
            return [.notice(Notice(kind: .error, text: record.text(text)))]
        case "local_command":
            guard case .command(let name) = ClaudeText(text) else { return [] }
            return [.notice(Notice(kind: .command, text: record.text(name)))]
        default:
            guard !text.isEmpty else { return [.unknown(type: ShortText.line("system/\(subtype)", limit: 100))] }
            return [.notice(Notice(kind: .other(ShortText.line(subtype, limit: 80)), text: record.text(text)))]
        }
    }
}
