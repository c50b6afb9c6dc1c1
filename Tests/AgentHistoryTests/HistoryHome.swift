import AgentHistory
import CZstd
import Conversations
import Foundation
import Kernel
import Testing

/// A home folder with the histories of agents, made for one test.
final class HistoryHome {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-history-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The system's folder for such files can be a link.
        path = folder.resolvingSymlinksInPath().path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var codex: CodexHistory { codex() }
    var claude: ClaudeHistory { ClaudeHistory(environment: ["HOME": path]) }

    func codex(_ environment: [String: String] = [:]) -> CodexHistory {
        CodexHistory(
            environment: ["HOME": path].merging(environment) { _, new in new },
            timeZone: TimeZone(secondsFromGMT: 7200) ?? .gmt
        )
    }

    /// Writes a file below the home and gives it a date.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8], modified: Int64 = 1_790_000_000_123) throws -> String {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: URL(filePath: file))
        try date(file, modified)
        return file
    }

    @discardableResult
    func write(_ name: String, lines: [String], modified: Int64 = 1_790_000_000_123) throws -> String {
        try write(name, Array(lines.map { $0 + "\n" }.joined().utf8), modified: modified)
    }

    @discardableResult
    func write(_ name: String, packed lines: [String], modified: Int64 = 1_790_000_000_123) throws -> String {
        try write(name, Self.packed(Array(lines.map { $0 + "\n" }.joined().utf8)), modified: modified)
    }

    func date(_ file: String, _ milliseconds: Int64) throws {
        let time = timespec(tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
        try #require(utimensat(AT_FDCWD, file, [time, time], 0) == 0)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
    }

    static func packed(_ bytes: [UInt8]) throws -> [UInt8] {
        var packed = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
        let count = packed.withUnsafeMutableBytes { target in
            bytes.withUnsafeBytes { ZSTD_compress(target.baseAddress, target.count, $0.baseAddress, $0.count, 3) }
        }
        try #require(ZSTD_isError(count) == 0)
        return Array(packed[..<count])
    }
}

/// A JSON text.
func json(_ value: JSONValue) -> String { value.canonicalText }

/// Records as Codex writes them.
enum Rollout {
    static let id = "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
    static let name = "rollout-2026-01-02T05-04-05-\(id).jsonl"
    static let day = ".codex/sessions/2026/01/02/"

    static func line(_ type: String, _ payload: JSONValue, second: Int = 6) -> String {
        json([
            "timestamp": .string("2026-01-02T03:04:\(second < 10 ? "0" : "")\(second).500Z"), "type": .string(type),
            "payload": payload,
        ])
    }

    static func meta(id: String = id, _ more: [String: JSONValue] = [:]) -> String {
        let members: [String: JSONValue] = [
            "id": .string(id), "timestamp": "2026-01-02T03:04:05.250Z", "cwd": "/home/ada/engine",
            "originator": "codex_cli_rs", "cli_version": "0.120.0", "source": "cli", "model_provider": "openai",
            "git": ["branch": "main", "commit_hash": "abc"],
        ]
        return line("session_meta", .object(members.merging(more) { _, new in new }), second: 5)
    }

    static func event(_ payload: JSONValue, second: Int = 6) -> String { line("event_msg", payload, second: second) }
    static func item(_ payload: JSONValue, second: Int = 6) -> String { line("response_item", payload, second: second) }

    static func user(_ text: String, second: Int = 6) -> String {
        event(["type": "user_message", "message": .string(text)], second: second)
    }

    static func agent(_ text: String, second: Int = 7) -> String {
        event(["type": "agent_message", "message": .string(text)], second: second)
    }
}

/// Records as Claude Code writes them.
enum Session {
    static let id = "5f6e7d8c-1234-4abc-9def-001122334455"
    static let folder = ".claude/projects/-home-ada-engine/"

    static func line(
        _ type: String,
        _ id: String,
        after parent: String?,
        _ content: JSONValue,
        messageID: String? = nil,
        second: Int = 5,
        _ more: [String: JSONValue] = [:]
    ) -> String {
        var message: [String: JSONValue] = ["role": .string(type), "content": content]
        message["id"] = messageID.map { .string($0) }
        let members: [String: JSONValue] = [
            "type": .string(type), "uuid": .string(id), "parentUuid": parent.map { .string($0) } ?? .null,
            "sessionId": .string(Session.id),
            "timestamp": .string("2026-02-03T04:05:\(second < 10 ? "0" : "")\(second).000Z"),
            "cwd": "/home/ada/engine", "gitBranch": "main", "version": "2.1.0", "isSidechain": false,
            "userType": "external", "message": .object(message),
        ]
        return json(.object(members.merging(more) { _, new in new }))
    }

    static func user(_ id: String, after parent: String?, _ text: String, second: Int = 5) -> String {
        line("user", id, after: parent, .string(text), second: second)
    }

    static func agent(_ id: String, after parent: String?, _ text: String, messageID: String? = nil, second: Int = 6)
        -> String
    {
        line(
            "assistant",
            id,
            after: parent,
            [["type": "text", "text": .string(text)]],
            messageID: messageID ?? "msg-\(id)",
            second: second
        )
    }

    static func call(_ id: String, after parent: String?, _ call: String, messageID: String) -> String {
        line(
            "assistant",
            id,
            after: parent,
            [["type": "tool_use", "id": .string(call), "name": "Bash", "input": ["command": "ls"]]],
            messageID: messageID
        )
    }

    static func result(_ id: String, after parent: String?, _ call: String, failed: Bool = false) -> String {
        line(
            "user",
            id,
            after: parent,
            [["type": "tool_result", "tool_use_id": .string(call), "content": "out", "is_error": .bool(failed)]]
        )
    }
}

extension ConversationItem {
    /// The text of a message, of whichever side.
    var said: String? {
        switch content {
        case .userMessage(let text), .agentMessage(let text), .reasoning(let text), .compaction(let text): text.text
        case .toolOutput(let output): output.text.text
        case .toolCall(let call): call.name
        case .notice(let notice): notice.text.text
        default: nil
        }
    }
}

extension HistoryReader {
    /// All items, by pages from the end.
    func allBackwards(_ path: String, page: Int = 100) throws -> [ConversationItem] {
        var items: [ConversationItem] = []
        var cursor: ConversationCursor?
        for _ in 0..<10_000 {
            let page = try lastPage(of: path, before: cursor, limits: PageLimits(items: page))
            items = page.items + items
            guard let older = page.older else { return items }
            cursor = older
        }
        Issue.record("the pages do not end")
        return items
    }

    /// All items, by pages from the beginning.
    func allForwards(_ path: String, page: Int = 100) throws -> [ConversationItem] {
        var items: [ConversationItem] = []
        var cursor = ConversationCursor.start
        for _ in 0..<10_000 {
            let page = try self.page(of: path, from: cursor, limits: PageLimits(items: page))
            if page.replacesEarlier { items = [] }
            items += page.items
            guard !page.reachesEnd else { return items }
            cursor = page.newer
        }
        Issue.record("the pages do not end")
        return items
    }
}
