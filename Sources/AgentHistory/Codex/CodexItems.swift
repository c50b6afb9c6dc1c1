import Conversations
import Foundation
import Kernel

/// Makes items of Codex's records, each record by itself.
///
/// A message is written up to three times: as a completed item, as an event for display and as the model's item. Which of them is shown is
/// for ``CodexConversation`` to say, which sees the records around it.
enum CodexItems {
    /// The items that a record shows by itself: for messages, those of the completed item and the event, not of the model's item.
    static func items(of record: HistoryRecord) -> [ConversationItem] {
        let piece = CodexPiece(record)
        return piece.telling?.source == .model ? [] : piece.items
    }

    /// - Returns: One item for each content, with ids of the record.
    static func items(_ contents: [ConversationItem.Content], of record: HistoryRecord) -> [ConversationItem] {
        guard !contents.isEmpty else { return [] }
        let time = record.value.name("timestamp", limit: 40).flatMap(ISOTime.milliseconds)
        return contents.enumerated().map { index, content in
            ConversationItem(
                id: index == 0 ? "\(record.position)" : "\(record.position).\(index)",
                milliseconds: time,
                position: record.position,
                content: content
            )
        }
    }

    /// Whether the agent is at work behind this record; nil where it does not tell.
    static func turnRuns(_ record: HistoryRecord) -> Bool? {
        switch eventType(record) {
        case "task_started", "turn_started": true
        case "task_complete", "turn_complete", "turn_aborted": false
        default: nil
        }
    }

    /// How many turns the person took back.
    static func turnsTakenBack(_ record: HistoryRecord) -> Int? {
        guard eventType(record) == "thread_rolled_back",
            let turns = record.value["payload"]?["num_turns"]?.integerValue, turns > 0
        else { return nil }
        return Int(clamping: min(turns, 1_000_000))
    }

    static func beginsTurn(_ item: ConversationItem) -> Bool {
        if case .userMessage = item.content { return true }
        return false
    }

    /// Joins what codex says twice about one change of files: what it wanted, and what became of it.
    static func merged(_ items: [ConversationItem]) -> [ConversationItem] {
        var merged: [ConversationItem] = []
        var changes: [String: Int] = [:]
        for item in items {
            if case .fileChange(let change) = item.content, let callID = change.callID {
                if let earlier = changes[callID], case .fileChange(var whole) = merged[earlier].content {
                    whole.outcome = change.outcome
                    if whole.files.isEmpty { whole.files = change.files }
                    merged[earlier].content = .fileChange(whole)
                    continue
                }
                changes[callID] = merged.count
            }
            merged.append(item)
        }
        return merged
    }

    static func eventType(_ record: HistoryRecord) -> String? {
        guard record.value["type"]?.stringValue == "event_msg" else { return nil }
        return record.value["payload"]?["type"]?.stringValue
    }

    /// The items of a record that is no message: ``CodexPiece`` takes messages first.
    static func modern(_ type: String, _ payload: JSONValue, _ record: HistoryRecord) -> [ConversationItem.Content] {
        switch type {
        case "event_msg": event(payload, record)
        case "response_item": responseItem(payload, record, isBare: false)
        case "compacted": [.compaction(record.text(payload["message"]?.stringValue ?? ""))]
        // Settings, counts, and what the model is given anew after a compaction.
        case "session_meta", "turn_context", "world_state", "token_usage_record", "retained_context": []
        case _ where type.hasPrefix("inter_agent_communication"): []
        default: [unknown(type)]
        }
    }

    // MARK: Events

    private static func event(_ event: JSONValue, _ record: HistoryRecord) -> [ConversationItem.Content] {
        let type = event["type"]?.stringValue ?? ""
        switch type {
        case "patch_apply_end":
            let outcome = event["success"]?.boolValue.map { $0 ? ToolOutcome.succeeded : .failed(code: nil) }
            let callID = event.name("call_id", limit: 200)
            return [.fileChange(change(event["changes"], callID: callID, outcome: outcome ?? .unknown, record))]
        case "turn_aborted":
            return [notice(.interrupted, event.text("reason") ?? "", record)]
        case "error", "stream_error":
            return [notice(.error, event.text("message") ?? "", record)]
        case "entered_review_mode":
            return [notice(.review, event.text("user_facing_hint") ?? "", record)]
        case "exited_review_mode":
            return [notice(.review, event["review_output"]?.text("overall_explanation") ?? "", record)]
        case "thread_goal_updated":
            return event["goal"]?.text("objective").map { [notice(.goal, $0, record)] } ?? []
        case "token_count", "task_started", "task_complete", "turn_started", "turn_complete", "context_compacted",
            "thread_settings_applied", "thread_queue_changed",
            "thread_rolled_back", "mcp_tool_call_end", "web_search_end", "image_generation_end", "thread_name_updated",
            "agent_reasoning_raw_content", "agent_reasoning_section_break", "sub_agent_activity",
            "view_image_tool_call",
            "exec_command_end":
            // Also said by a model's item, or nothing of the conversation.
            return []
        default:
            return [unknown("event_msg/\(type)")]
        }
    }

    static func userMessage(_ event: JSONValue, _ record: HistoryRecord) -> [ConversationItem.Content] {
        var contents: [ConversationItem.Content] = []
        if let message = event.text("message") { contents.append(.userMessage(request(message, record))) }
        for image in (event["images"]?.arrayValue ?? []).prefix(100) {
            if let address = image.stringValue { contents.append(.image(record.image(address, .user))) }
        }
        for image in (event["local_images"]?.arrayValue ?? []).prefix(100) {
            if let path = image.stringValue { contents.append(.image(record.image(path, .user))) }
        }
        return contents
    }

    /// The request in a message, without the context that an editor put before it. If context was removed, the text is not the one that the
    /// line was cut in.
    static func request(_ message: String, _ record: HistoryRecord) -> ItemText {
        ItemText(EditorContext.request(in: message), limit: ItemText.limit, isCutAlready: record.cutText == message)
    }

    /// - Parameter changes: By path.
    static func change(
        _ changes: JSONValue?,
        callID: String?,
        outcome: ToolOutcome,
        _ record: HistoryRecord
    ) -> FileChange {
        var files: [FileChange.File] = []
        var patches: [String] = []
        for (path, change) in (changes?.objectValue ?? [:]).sorted(by: { $0.key < $1.key }) {
            // `{"add": {…}}` in older versions, `{"type": "add", …}` now.
            let kind = change["type"]?.stringValue ?? change.objectValue?.keys.first ?? ""
            let detail = change["type"] == nil ? change[kind] ?? change : change
            if files.count < FileChange.fileLimit {
                files.append(
                    FileChange.File(
                        path: ShortText.line(path, limit: 1000),
                        kind: fileKind(kind, movedTo: detail.text("move_path"))
                    )
                )
            }
            if let patch = detail.text("unified_diff") ?? detail.text("content") {
                patches.append("*** \(path)\n\(patch)")
            }
        }
        return FileChange(
            callID: callID,
            files: files,
            patch: record.text(patches.joined(separator: "\n")),
            outcome: outcome
        )
    }

    private static func fileKind(_ word: String, movedTo path: String?) -> FileChange.Kind {
        if let path { return .moved(to: ShortText.line(path, limit: 1000)) }
        return switch word {
        case "add": .added
        case "delete": .deleted
        default: .updated
        }
    }

    // MARK: The model's items

    static func responseItem(
        _ item: JSONValue,
        _ record: HistoryRecord,
        isBare: Bool
    ) -> [ConversationItem.Content] {
        let type = item["type"]?.stringValue ?? ""
        let callID = item.name("call_id", limit: 200) ?? item.name("id", limit: 200)
        switch type {
        case "message":
            return message(item, record)
        case "reasoning":
            let summary = (item["summary"]?.arrayValue ?? []).compactMap { $0.text("text") }.joined(separator: "\n\n")
            return summary.isEmpty ? [] : [.reasoning(record.text(summary))]
        case "function_call", "custom_tool_call":
            // A server's or another group's tool: its name alone can be that of any.
            let words = [item.text("namespace"), item["name"]?.stringValue].compactMap(\.self)
            let name = ShortText.line(words.joined(separator: "."), limit: 200)
            return [call(name, item.text("arguments") ?? item.text("input") ?? "", callID, record)]
        case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output":
            return output(item["output"] ?? item["tools"], callID, record)
        case "local_shell_call":
            let arguments = item["action"]?.canonicalText ?? ""
            return [.toolCall(ToolCall(callID: callID, name: "local_shell", arguments: record.text(arguments)))]
        case "web_search_call", "tool_search_call":
            let name = String(type.dropLast("_call".count))
            let arguments = item["action"] ?? item["arguments"] ?? item["query"]
            return [
                .toolCall(ToolCall(callID: callID, name: name, arguments: record.text(argumentText(arguments))))
            ]
        case "image_generation_call":
            guard let result = item["result"]?.stringValue else {
                record.pictures?.pictures.append(nil)
                return [.image(ImageLeftOut(origin: .agent, mediaType: "image/png"))]
            }
            return [.image(record.image(base64: result, type: "image/png", .agent))]
        case "agent_message":
            // Between agents: what a person reads is an event.
            return item.text("content").map { [notice(.other(type), $0, record)] } ?? []
        case "ghost_snapshot", "compaction", "context_compaction", "compaction_summary", "additional_tools":
            return []
        default:
            return [unknown(isBare ? type : "response_item/\(type)")]
        }
    }

    private static func message(_ item: JSONValue, _ record: HistoryRecord) -> [ConversationItem.Content] {
        let isUser = item["role"]?.stringValue == "user"
        guard isUser || item["role"]?.stringValue == "assistant" else { return [] }
        if let text = item.text("content") {
            return CodexHead.isContext(text)
                ? [] : [isUser ? .userMessage(record.text(text)) : .agentMessage(record.text(text))]
        }
        let kinds = contentKinds(item)
        return (item["content"]?.arrayValue ?? []).prefix(1000).enumerated().compactMap { index, part in
            if isUser, CodexHead.isInjected(part, kind: kinds?[safely: index] ?? nil) { return nil }
            if let text = part.text("text") {
                return isUser
                    ? .userMessage(record.text(EditorContext.request(in: text))) : .agentMessage(record.text(text))
            }
            return part.text("image_url").map { .image(record.image($0, isUser ? .user : .agent)) }
        }
    }

    /// The kind of each part of a message, which tells whether a person wrote it. Codex notes them since 0.149.
    static func contentKinds(_ item: JSONValue) -> [String?]? {
        item["internal_chat_message_metadata_passthrough"]?["content_item_kinds"]?.arrayValue?.map(\.stringValue)
    }

    private static func argumentText(_ value: JSONValue?) -> String {
        guard let value else { return "" }
        return value.stringValue ?? value.canonicalText
    }

    private static func call(
        _ name: String,
        _ arguments: String,
        _ callID: String?,
        _ record: HistoryRecord
    ) -> ConversationItem.Content {
        if name == "apply_patch" {
            let parsed = try? JSONValue(parsing: arguments.utf8)
            let patch = parsed?.text("input") ?? parsed?.text("patch") ?? arguments
            return .fileChange(
                FileChange(callID: callID, files: patchFiles(patch), patch: record.text(patch), outcome: .unknown)
            )
        }
        if name == "update_plan", let parsed = try? JSONValue(parsing: arguments.utf8),
            let steps = parsed["plan"]?.arrayValue
        {
            return .plan(
                Plan(
                    callID: callID,
                    explanation: parsed.text("explanation").map(record.text),
                    steps: steps.prefix(Plan.stepLimit).map {
                        Plan.Step(
                            text: $0.line("step", limit: 1000) ?? "",
                            state: Plan.StepState(agentWord: $0["status"]?.stringValue)
                        )
                    }
                )
            )
        }
        return .toolCall(ToolCall(callID: callID, name: name, arguments: record.text(arguments)))
    }

    /// The files that a patch of codex's own form names.
    static func patchFiles(_ patch: String) -> [FileChange.File] {
        var files: [FileChange.File] = []
        let kinds: [(String, FileChange.Kind)] = [
            ("*** Add File: ", .added), ("*** Update File: ", .updated), ("*** Delete File: ", .deleted),
        ]
        for line in patch.split(whereSeparator: \.isNewline) where line.hasPrefix("*** ") {
            if line.hasPrefix("*** Move to: "), !files.isEmpty {
                files[files.count - 1].kind = .moved(to: ShortText.line(String(line.dropFirst(13)), limit: 1000))
            }
            for (prefix, kind) in kinds where line.hasPrefix(prefix) && files.count < FileChange.fileLimit {
                files.append(
                    FileChange.File(path: ShortText.line(String(line.dropFirst(prefix.count)), limit: 1000), kind: kind)
                )
            }
        }
        return files
    }

    private static func output(_ value: JSONValue?, _ callID: String?, _ record: HistoryRecord) -> [ConversationItem
        .Content]
    {
        var text = ""
        var outcome = ToolOutcome.unknown
        var images: [ConversationItem.Content] = []
        var parts = value?.arrayValue
        if let whole = value?.stringValue {
            text = whole
            (text, outcome) = shellOutput(whole)
        } else if let members = value?.objectValue {
            if let inside = members["content"]?.stringValue {
                (text, outcome) = shellOutput(inside)
            } else {
                parts = members["content"]?.arrayValue ?? members["content_items"]?.arrayValue
            }
            let isError = (members["is_error"] ?? members["isError"])?.boolValue
            switch members["success"]?.boolValue ?? isError.map({ !$0 }) {
            case true?: outcome = .succeeded
            case false?: if outcome == .unknown || outcome == .succeeded { outcome = .failed(code: nil) }
            case nil: break
            }
        }
        if let parts {
            text = parts.compactMap { $0.text("text") }.joined(separator: "\n")
            images = parts.prefix(100).compactMap { part in
                part.text("image_url").map { .image(record.image($0, .tool)) }
            }
        }
        return [.toolOutput(ToolOutput(callID: callID, text: record.text(text), outcome: outcome))] + images
    }

    /// The output and the outcome of a command: older versions wrote JSON, newer ones lines before the output.
    private static func shellOutput(_ text: String) -> (String, ToolOutcome) {
        if text.hasPrefix("{"), let parsed = try? JSONValue(parsing: text.utf8),
            let output = parsed["output"]?.stringValue
        {
            guard let code = parsed["metadata"]?["exit_code"]?.integerValue else { return (output, .unknown) }
            return (output, code == 0 ? .succeeded : .failed(code: code))
        }
        for line in text.prefix(400).split(whereSeparator: \.isNewline).prefix(6) {
            for prefix in ["Exit code: ", "Process exited with code "] where line.hasPrefix(prefix) {
                guard let code = Int64(line.dropFirst(prefix.count)) else { continue }
                return (text, code == 0 ? .succeeded : .failed(code: code))
            }
        }
        return (text, .unknown)
    }

    static func notice(_ kind: Notice.Kind, _ text: String, _ record: HistoryRecord) -> ConversationItem.Content {
        .notice(Notice(kind: kind, text: record.text(text)))
    }

    static func unknown(_ type: String) -> ConversationItem.Content {
        .unknown(type: ShortText.line(type, limit: 100))
    }
}
