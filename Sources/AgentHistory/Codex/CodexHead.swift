import Conversations
import Foundation
import Kernel

/// What the first records of a rollout say about its thread.
struct CodexHead: Hashable {
    /// As codex does: so many records, and so many more while there is no message of a person yet.
    private static let recordLimit = 10
    private static let moreRecords = 200

    /// What is wanted of a record: the first one holds instructions of 10 to 400 KB beside it.
    private static let wanted: JSONSelection = {
        let meta: [JSONSelection.Member] = [
            .init("id"), .init("timestamp"), .init("cwd"), .init("git", .keys(["branch"])), .init("model_provider"),
            .init("cli_version"), .init("forked_from_id"), .init("parent_thread_id"), .init("source"), .init("type"),
        ]
        let event: [JSONSelection.Member] = [
            .init("message"), .init("images"), .init("local_images"), .init("goal", .keys(["objective"])),
        ]
        let bare: [JSONSelection.Member] = [.init("record_type"), .init("role"), .init("content")]
        return .members([.init("payload", .members(meta + event))] + meta + bare)
    }()

    var hasMeta = false
    var id: String?
    var preview: String?
    var workingFolder: String?
    var gitBranch: String?
    var modelProvider: String?
    var version: String?
    var source: ThreadSource?
    var parentID: String?
    var createdMilliseconds: Int64?

    /// - Parameter wanted: What is read of a record.
    init(_ file: HistoryFile, keeping wanted: JSONSelection = wanted) throws(AgentHistoryError) {
        var reader = LineReader(file, from: 0, limits: LineLimits(firstChunk: 16 << 10, budget: 256 << 20))
        var count = 0
        while preview == nil || !hasMeta,
            count < Self.recordLimit || hasMeta && count < Self.recordLimit + Self.moreRecords,
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
        case "event_msg" where preview == nil: preview = Self.preview(of: payload)
        default: break
        }
    }

    private mutating func takeMeta(_ meta: JSONValue, time: String? = nil) {
        hasMeta = true
        id = meta.name("id", limit: 200)
        workingFolder = meta.name("cwd")
        gitBranch = meta["git"]?.line("branch")
        modelProvider = meta.line("model_provider", limit: 100)
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

    /// What a person wrote, or aims at.
    static func preview(of event: JSONValue) -> String? {
        switch event["type"]?.stringValue {
        case "user_message":
            if let preview = event.text("message").flatMap(preview(ofText:)) { return preview }
            let images = [event["images"], event["local_images"]].compactMap { $0?.arrayValue?.count }.reduce(0, +)
            return images > 0 ? "[Image]" : nil
        case "thread_goal_updated":
            return (event["goal"]?.text("objective")).flatMap(preview(ofText:))
        default: return nil
        }
    }

    private static func preview(ofText text: String) -> String? {
        let line = ShortText.line(request(in: text))
        return line.isEmpty ? nil : line
    }

    /// Editors put what they know before what the person wrote.
    static func request(in text: String) -> String {
        let marker = "## My request for Codex:".utf8
        var start = text.utf8.startIndex
        while let found = text.utf8[start...].firstIndex(of: UInt8(ascii: "#")) {
            let rest = text.utf8[found...]
            if rest.starts(with: marker) {
                return String(Substring(rest.dropFirst(marker.count)).drop { $0.isWhitespace })
            }
            start = text.utf8.index(after: found)
        }
        return text
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
