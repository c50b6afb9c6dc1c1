import Conversations
import Foundation
import Kernel

/// The items that one record of a rollout shows, with the facts that tell whether another record shows them already.
struct CodexPiece {
    /// The record type that tells a message. Codex writes completed items since 0.149, events before, and the model's own items always.
    enum Source: Hashable { case item, event, model }

    enum Role: Hashable { case user, agent, reasoning }

    /// A message as one of the sources tells it.
    struct Telling {
        let role: Role
        let source: Source
        /// An item holds as one what events tell one after the other.
        let texts: [String]
    }

    /// All that the record could show.
    let items: [ConversationItem]
    /// Nil for what is no message.
    let telling: Telling?
    /// The call that a completed item is about, which the model's items mostly tell as well: its `items` are the call and its output.
    let toolID: String?
    /// Whether the record begins a turn: the records behind it are of another turn than those before.
    let beginsTurn: Bool

    /// A piece of items that no record holds.
    init(_ items: [ConversationItem]) {
        self.items = items
        (telling, toolID) = (nil, nil)
        beginsTurn = false
    }

    init(_ record: HistoryRecord) {
        let value = record.value
        guard let type = value["type"]?.stringValue, case .object? = value["payload"], let payload = value["payload"]
        else {
            let isNote = value["record_type"] != nil || value["type"] == nil
            let contents = isNote ? [] : CodexItems.responseItem(value, record, isBare: true)
            items = CodexItems.items(contents, of: record)
            (telling, toolID) = (nil, nil)
            beginsTurn = false
            return
        }
        var found = Found()
        switch (type, payload["type"]?.stringValue) {
        case ("event_msg", "item_completed"?): found = Self.completed(payload["item"] ?? .null, record)
        case ("event_msg", "user_message"?):
            found = Found(CodexItems.userMessage(payload, record), .user, [payload.text("message")])
        case ("event_msg", "agent_message"?):
            let text = payload.text("message")
            found = Found(text.map { [.agentMessage(record.text($0))] } ?? [], .agent, [text])
        case ("event_msg", "agent_reasoning"?):
            let text = payload.text("text")
            found = Found(text.map { [.reasoning(record.text($0))] } ?? [], .reasoning, [text])
        case ("response_item", "message"?), ("response_item", "reasoning"?):
            found = Self.told(by: payload, record)
        default: found.contents = CodexItems.modern(type, payload, record)
        }
        items = CodexItems.items(found.contents, of: record)
        telling = found.role.map { role in
            Telling(
                role: role,
                source: type == "response_item" ? .model : payload["type"] == "item_completed" ? .item : .event,
                texts: found.texts
            )
        }
        toolID = found.toolID
        beginsTurn = CodexItems.turnRuns(record) == true
    }

    private struct Found {
        var contents: [ConversationItem.Content] = []
        var role: Role?
        var texts: [String] = []
        var toolID: String?

        init() {}

        init(_ contents: [ConversationItem.Content], _ role: Role, _ texts: [String?]) {
            self.contents = contents
            self.role = role
            self.texts = texts.compactMap(\.self)
        }
    }

    /// A message or thoughts as the model's item.
    private static func told(by item: JSONValue, _ record: HistoryRecord) -> Found {
        let contents = CodexItems.responseItem(item, record, isBare: false)
        guard item["type"] == "message" else {
            return Found(contents, .reasoning, (item["summary"]?.arrayValue ?? []).map { $0.text("text") })
        }
        let texts = (item["content"]?.arrayValue ?? []).map { $0.text("text") }
        return Found(contents, item["role"] == "user" ? .user : .agent, texts + [item.text("content")])
    }

    // MARK: Completed items

    private static func completed(_ item: JSONValue, _ record: HistoryRecord) -> Found {
        let type = item["type"]?.stringValue ?? ""
        var found = Found()
        // `UserMessage` in rollouts, `userMessage` in the protocol.
        switch type.lowercased().filter({ $0 != "_" }) {
        case "usermessage":
            return userMessage(item, record)
        case "agentmessage":
            let texts =
                (item["content"]?.arrayValue ?? []).compactMap { $0.text("text") }
                + [item.text("text")].compactMap(\.self)
            let text = texts.joined()
            return Found(text.isEmpty ? [] : [.agentMessage(record.text(text))], .agent, texts)
        case "reasoning":
            let texts = ["summary_text", "summary"].lazy.compactMap { item[$0]?.arrayValue }.first ?? []
            let parts = texts.compactMap { $0.stringValue ?? $0.text("text") }.filter { !$0.isEmpty }
            let text = parts.joined(separator: "\n\n")
            return Found(text.isEmpty ? [] : [.reasoning(record.text(text))], .reasoning, parts)
        case "plan":
            found.contents = [.plan(Plan(explanation: item.text("text").map(record.text), steps: []))]
        case "filechange":
            let callID = item.name("id", limit: 200)
            found.contents = [
                .fileChange(CodexItems.change(item["changes"], callID: callID, outcome: outcome(item), record))
            ]
        case "commandexecution":
            let words = item["command"]?.arrayValue.map { $0.compactMap(\.stringValue) }
            let command = item["command"]?.stringValue ?? words.map(commandLine) ?? ""
            let output = item["aggregated_output"] ?? item["aggregatedOutput"]
            let printed = ["stdout", "stderr"].compactMap { item.text($0) }.joined(separator: "\n")
            tool("exec_command", command, output?.stringValue ?? printed, item, record, &found)
        case "mcptoolcall":
            let server = item["server"]?.stringValue ?? ""
            let name = [server, item["tool"]?.stringValue ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
            let result = item["result"]
            let text = item["error"]?.text("message") ?? words(of: result?["Ok"] ?? result?["Err"] ?? result)
            tool(name, item["arguments"].map(words) ?? "", text, item, record, &found)
        case "dynamictoolcall":
            let name = [item["namespace"]?.stringValue, item["tool"]?.stringValue].compactMap(\.self)
                .joined(separator: ".")
            let output = words(of: item["content_items"] ?? item["contentItems"])
            tool(name, item["arguments"].map(words) ?? "", output, item, record, &found)
        case "websearch":
            tool("web_search", item.text("query") ?? words(of: item["action"]), "", item, record, &found)
        case "imageview":
            tool("view_image", item.text("path") ?? "", "", item, record, &found)
        case "collabagenttoolcall":
            tool(item["tool"]?.stringValue ?? type, item.text("prompt") ?? "", "", item, record, &found)
        case "enteredreviewmode", "exitedreviewmode":
            let text = item.text("review") ?? item.text("user_facing_hint")
            found.contents = [CodexItems.notice(.review, text ?? "", record)]
        case "contextcompaction", "subagentactivity", "hookprompt", "imagegeneration", "extension", "sleep":
            // Also said by a record of its own or the model's item, or nothing of the conversation.
            break
        default:
            found.contents = [CodexItems.unknown("item_completed/\(type)")]
        }
        return found
    }

    private static func userMessage(_ item: JSONValue, _ record: HistoryRecord) -> Found {
        var texts: [String] = []
        var images: [ConversationItem.Content] = []
        for part in (item["content"]?.arrayValue ?? []).prefix(1000) {
            if let text = part.text("text") {
                texts.append(text)
            } else if images.count < 100, let address = part.text("image_url") ?? part.text("url") {
                images.append(.image(record.image(address, .user)))
            } else if images.count < 100, part["type"]?.stringValue?.lowercased().contains("image") == true,
                let path = part.text("path")
            {
                images.append(.image(record.image(path, .user)))
            }
        }
        let message = texts.joined()
        var contents = images
        if !message.isEmpty { contents.insert(.userMessage(CodexItems.request(message, record)), at: 0) }
        return Found(contents, .user, texts)
    }

    /// A call and its output, unless the tool still runs.
    private static func tool(
        _ name: String,
        _ arguments: String,
        _ output: String,
        _ item: JSONValue,
        _ record: HistoryRecord,
        _ found: inout Found
    ) {
        let id = item.name("id", limit: 200)
        found.toolID = id
        found.contents = [
            .toolCall(
                ToolCall(callID: id, name: ShortText.line(name, limit: 200), arguments: record.text(arguments))
            ),
            .toolOutput(ToolOutput(callID: id, text: record.text(output), outcome: outcome(item))),
        ]
    }

    private static func outcome(_ item: JSONValue) -> ToolOutcome {
        if let code = (item["exit_code"] ?? item["exitCode"])?.integerValue, code != 0 { return .failed(code: code) }
        let result = item["result"]?["Ok"] ?? item["result"]
        let isError = (result?["is_error"] ?? result?["isError"])?.boolValue == true
        if isError || item["result"]?["Err"] != nil { return .failed(code: nil) }
        switch item["status"]?.stringValue {
        case "completed": return item["success"]?.boolValue == false ? .failed(code: nil) : .succeeded
        case "failed", "declined": return .failed(code: nil)
        default: return .unknown
        }
    }

    /// A shell around a command is Codex's doing and leaves the command's own words.
    private static func commandLine(_ words: [String]) -> String {
        guard words.count == 3, ["-lc", "-c"].contains(words[1]) else { return words.joined(separator: " ") }
        return words[2]
    }

    private static func words(of value: JSONValue?) -> String {
        guard let value, value != .null else { return "" }
        let parts = (value.arrayValue ?? value["content"]?.arrayValue)?.compactMap { $0.text("text") } ?? []
        return value.stringValue ?? (parts.isEmpty ? value.canonicalText : parts.joined(separator: "\n"))
    }
}

extension Array {
    subscript(safely index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
