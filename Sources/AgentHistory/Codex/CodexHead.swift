import Conversations
import Foundation
import Kernel

/// The head of a rollout: its thread's id, title and origin, read from its first records.
struct CodexHead: Hashable {
    /// The limits of Codex itself: 10 records, and 200 more while there is no message of a person yet.
    private static let recordLimit = 10
    private static let moreRecords = 200

    /// The members that are kept of a record: the first one holds instructions of 10 to 400 KB beside them.
    private static let wanted: JSONSelection = {
        let meta: [JSONSelection.Member] = [
            .init("id"), .init("timestamp"), .init("cwd"), .init("git", .keys(["branch"])), .init("model_provider"),
            .init("cli_version"), .init("forked_from_id"), .init("parent_thread_id"), .init("source"), .init("type"),
            .init("history_base", .keys(["thread_id", "end_byte_offset"])),
        ]
        let event: [JSONSelection.Member] = [
            .init("message"), .init("images"), .init("local_images"), .init("goal", .keys(["objective"])),
            .init("item", .keys(["type", "content"])),
        ]
        let message: [JSONSelection.Member] = [.init("role"), .init("content")]
        let kinds = JSONSelection.Member("internal_chat_message_metadata_passthrough", .keys(["content_item_kinds"]))
        return .members(
            [.init("payload", .members(meta + event + message + [kinds])), .init("record_type")] + meta + message
        )
    }()

    /// The text that a fork goes on behind.
    struct Base: Hashable {
        let thread: String
        /// The offset of its end in the plain text of the thread's own file.
        let end: Int64
    }

    var hasMeta = false
    var base: Base?
    var id: String?
    /// The first line of a person's first message or goal.
    var preview: String?
    /// The person's words among what the model was given, for threads that say them nowhere else.
    var modelPreview: String?
    /// The agent's first message.
    var agentText: String?
    /// The agent was at work.
    var hasTurn = false
    /// Messages are told by completed items or by events.
    var tellsMessages = false
    var workingFolder: String?
    var gitBranch: String?
    var modelProvider: String?
    var version: String?
    var source: ThreadSource?
    var parentID: String?
    var createdMilliseconds: Int64?

    /// A thread that has no words of a person has some title all the same, so that it is there.
    var title: String? { preview ?? modelPreview ?? (hasTurn ? agentText ?? "[Untitled]" : nil) }

    /// - Parameter wanted: What is read of a record.
    init(_ file: HistoryFile, keeping wanted: JSONSelection = wanted) throws(AgentHistoryError) {
        try self.init(file, keeping: wanted) { $0.preview != nil && $0.hasMeta }
    }

    /// Whether the first records of a file tell messages by completed items or by events.
    static func tellsMessages(_ file: HistoryFile) throws(AgentHistoryError) -> Bool {
        try CodexHead(file, keeping: wanted, budget: 8 << 20) { $0.tellsMessages }.tellsMessages
    }

    /// Reads the first record only.
    static func meta(_ file: HistoryFile) throws(AgentHistoryError) -> CodexHead {
        try CodexHead(file, keeping: wanted, budget: 2 << 20) { $0.hasMeta }
    }

    private init(
        _ file: HistoryFile,
        keeping wanted: JSONSelection,
        budget: Int64 = 256 << 20,
        until isEnough: (CodexHead) -> Bool
    ) throws(AgentHistoryError) {
        var reader = LineReader(file, from: 0, limits: LineLimits(firstChunk: 16 << 10, budget: budget))
        var count = 0
        while !isEnough(self), count < Self.recordLimit || hasMeta && count < Self.recordLimit + Self.moreRecords,
            case .line(let line) = try reader.next()
        {
            switch HistoryRecord.read(line, keeping: wanted) {
            case .record(let record): take(record.value)
            case .blank: continue
            case .unreadable: break
            }
            count += 1
        }
    }

    init(object: CodexObject) {
        takeMeta(object.session)
        for item in object.items.prefix(Self.recordLimit + Self.moreRecords) where preview == nil { take(item) }
    }

    private mutating func take(_ record: JSONValue) {
        guard case .object? = record["payload"], let payload = record["payload"], let type = record["type"]?.stringValue
        else {
            takeLegacy(record)
            return
        }
        switch type {
        case "session_meta":
            // A fork repeats its parent's after its own.
            if !hasMeta { takeMeta(payload, time: record.name("timestamp", limit: 40)) }
        case "event_msg": takeEvent(payload)
        case "response_item": takeModelItem(payload)
        default: break
        }
    }

    private mutating func takeEvent(_ event: JSONValue) {
        if preview == nil { preview = Self.preview(of: event) }
        switch event["type"]?.stringValue {
        case "user_message": tellsMessages = true
        case "agent_message": takeAgentText(event.text("message"))
        case "item_completed":
            switch event["item"]?["type"]?.stringValue?.lowercased() {
            case "usermessage": tellsMessages = true
            case "agentmessage": takeAgentText(Self.texts(event["item"]).first)
            default: hasTurn = true
            }
        case "task_complete", "turn_complete", "turn_aborted": hasTurn = true
        default: break
        }
    }

    private mutating func takeAgentText(_ text: String?) {
        (tellsMessages, hasTurn) = (true, true)
        agentText = agentText ?? text.flatMap(Self.preview(ofText:))
    }

    private mutating func takeModelItem(_ item: JSONValue) {
        switch (item["type"]?.stringValue, item["role"]?.stringValue) {
        case ("message"?, "assistant"?):
            hasTurn = true
            agentText = agentText ?? Self.texts(item).lazy.compactMap(Self.preview(ofText:)).first
        case ("message"?, "user"?):
            guard modelPreview == nil else { return }
            let kinds = CodexItems.contentKinds(item)
            let parts = (item["content"]?.arrayValue ?? []).enumerated().filter { index, part in
                !Self.isInjected(part, kind: kinds?[safely: index] ?? nil)
            }
            modelPreview = parts.lazy.compactMap { $0.element.text("text").flatMap(Self.preview(ofText:)) }.first
        case ("message"?, _), (nil, _): break
        default: hasTurn = true
        }
    }

    private static func texts(_ item: JSONValue?) -> [String] {
        (item?["content"]?.arrayValue ?? []).compactMap { $0.text("text") }
    }

    private mutating func takeMeta(_ meta: JSONValue, time: String? = nil) {
        hasMeta = true
        id = meta.name("id", limit: 200)
        workingFolder = meta.name("cwd")
        gitBranch = meta["git"]?.line("branch")
        modelProvider = meta.line("model_provider", limit: 100)
        if let thread = meta["history_base"]?.name("thread_id", limit: 200),
            let end = meta["history_base"]?["end_byte_offset"]?.integerValue, (1...(1 << 50)).contains(end)
        {
            base = Base(thread: thread, end: end)
        }
        version = meta.line("cli_version", limit: 100)
        parentID = meta.name("forked_from_id", limit: 200) ?? meta.name("parent_thread_id", limit: 200)
        createdMilliseconds =
            [meta.name("timestamp", limit: 40), time].compactMap(\.self).compactMap(ISOTime.milliseconds).first
        switch meta["source"] {
        case .string(let word)?: source = ThreadSource(word: word)
        case .object(let members)?:
            if let subagent = members["subagent"] ?? members["sub_agent"] {
                let kind = subagent.stringValue ?? subagent.objectValue?.keys.sorted().first
                source = .subagent(kind.map { ShortText.line($0, limit: 80) })
            } else {
                source = .other(ShortText.line(members.keys.sorted().first ?? "", limit: 80))
            }
        default: break
        }
    }

    /// Bare records: the first line tells of the session, the others are the model's items.
    private mutating func takeLegacy(_ record: JSONValue) {
        if record["type"] == nil, record["record_type"] == nil, record.text("id") != nil {
            if !hasMeta { takeMeta(record) }
        } else if preview == nil, record["type"]?.stringValue == "message", record["role"]?.stringValue == "user" {
            let texts = (record["content"]?.arrayValue ?? []).compactMap { $0.text("text") }
            preview = texts.lazy.filter { !Self.isContext($0) }.compactMap(Self.preview(ofText:)).first
        }
    }

    /// The first line of a person's message or goal in an event.
    static func preview(of event: JSONValue) -> String? {
        switch event["type"]?.stringValue {
        case "user_message":
            if let preview = event.text("message").flatMap(preview(ofText:)) { return preview }
            let images = [event["images"], event["local_images"]].compactMap { $0?.arrayValue?.count }.reduce(0, +)
            return images > 0 ? "[Image]" : nil
        case "item_completed":
            guard let item = event["item"], item["type"]?.stringValue?.lowercased() == "usermessage" else { return nil }
            if let preview = preview(ofText: texts(item).joined()) { return preview }
            let kinds = (item["content"]?.arrayValue ?? []).compactMap { $0["type"]?.stringValue?.lowercased() }
            return kinds.contains { $0.contains("image") } ? "[Image]" : nil
        case "thread_goal_updated":
            return (event["goal"]?.text("objective")).flatMap(preview(ofText:))
        default: return nil
        }
    }

    private static func preview(ofText text: String) -> String? {
        let line = ShortText.line(EditorContext.request(in: text))
        return line.isEmpty ? nil : line
    }

    /// Whether a part of a message in the person's name is a program's.
    ///
    /// - Parameter kind: As Codex notes it; nil where it does not.
    static func isInjected(_ part: JSONValue, kind: String?) -> Bool {
        if let kind, kind != "unknown" { return !kind.hasPrefix("user.") }
        return part.text("text").map(isContext) ?? false
    }

    /// Texts that programs give the model in the person's name.
    static func isContext(_ text: String) -> Bool {
        let start = text.drop { $0.isWhitespace }
        return [
            "<user_instructions>", "<environment_context>", "<env_context>", "<system>", "<attachments>",
            "# AGENTS.md instructions", "<turn_aborted>", "<user_shell_command>",
        ].contains { start.hasPrefix($0) }
    }
}
