import AgentHistory
import CZstd
import Conversations
import Foundation
import Kernel
import Logging
import Synchronization
import Testing
import ThreadIndex

/// A home folder with the histories of agents, and a cache of them, made for one test.
final class ThreadHome: Sendable {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-threads-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.resolvingSymlinksInPath().path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var cache: URL { URL(filePath: path + "/cache", directoryHint: .isDirectory) }

    var codex: CountingReader {
        CountingReader(CodexHistory(environment: ["HOME": path], timeZone: .gmt))
    }
    var claude: CountingReader { CountingReader(ClaudeHistory(environment: ["HOME": path])) }

    static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    func index(_ readers: [any HistoryReader], watch: (any FolderWatch)? = nil, inMemory: Bool = false) throws
        -> ThreadIndex
    {
        try ThreadIndex(database: inMemory ? nil : cache, readers: readers, watch: watch, logger: Self.quiet)
    }

    func path(_ name: String) -> String { path + "/" + name }

    /// Writes a file below the home; a date makes the order of threads certain.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8], date: Int64? = nil) throws -> String {
        let file = path(name)
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: URL(filePath: file))
        if let date { try self.date(name, date) }
        return file
    }

    @discardableResult
    func write(_ name: String, _ lines: [String], date: Int64? = nil) throws -> String {
        try write(name, Array(lines.map { $0 + "\n" }.joined().utf8), date: date)
    }

    func append(_ name: String, _ lines: [String]) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path(name)))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
        try handle.close()
    }

    func truncate(_ name: String, to size: Int) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path(name)))
        try handle.truncate(atOffset: UInt64(size))
        try handle.close()
    }

    func date(_ name: String, _ milliseconds: Int64) throws {
        let time = timespec(tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
        try #require(utimensat(AT_FDCWD, path(name), [time, time], 0) == 0)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    func move(_ name: String, to target: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path(target) as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true
        )
        try FileManager.default.moveItem(atPath: path(name), toPath: path(target))
    }

    /// As Codex's worker does: the date stays, the file is another one.
    func compress(_ name: String) throws {
        let plain = path(name)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: plain)))
        var status = stat()
        try #require(stat(plain, &status) == 0)
        try write(name + ".zst", Self.packed(bytes))
        let times = [status.st_mtim, status.st_mtim]
        try #require(utimensat(AT_FDCWD, plain + ".zst", times, 0) == 0)
        try remove(name)
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

/// Counts what is opened.
final class CountingReader: HistoryReader {
    private let base: any HistoryReader
    private let opened = Mutex<[String]>([])

    init(_ base: any HistoryReader) { self.base = base }

    /// The paths that were opened since the last call, each as often as it was.
    func takeOpened() -> [String] {
        opened.withLock { opened in
            defer { opened = [] }
            return opened
        }
    }

    var agent: Agent { base.agent }
    var folders: [String] { base.folders }
    var namesPath: String? { base.namesPath }

    func files(limit: Int) -> HistoryListing { base.files(limit: limit) }

    func names() -> [String: String] {
        opened.withLock { $0.append("names") }
        return base.names()
    }

    func thread(of entry: HistoryEntry, names: [String: String]) throws(AgentHistoryError) -> AgentThread? {
        opened.withLock { $0.append(entry.path) }
        return try base.thread(of: entry, names: names)
    }

    func page(of path: String, from cursor: ConversationCursor, limits: PageLimits) throws(AgentHistoryError)
        -> ConversationPage
    {
        opened.withLock { $0.append("forwards " + path) }
        return try base.page(of: path, from: cursor, limits: limits)
    }

    func lastPage(of path: String, before cursor: ConversationCursor?, limits: PageLimits) throws(AgentHistoryError)
        -> ConversationPage
    {
        opened.withLock { $0.append("backwards " + path) }
        return try base.lastPage(of: path, before: cursor, limits: limits)
    }
}

/// A watch that a test moves.
final class WatchDouble: FolderWatch {
    private struct State {
        var readers: [AsyncStream<FolderChange>.Continuation] = []
        var asked: [(folders: [String], files: [String])] = []
    }

    private let state = Mutex(State())

    var asked: [(folders: [String], files: [String])] { state.withLock(\.asked) }

    func changes(below folders: [String], files: [String]) -> AsyncStream<FolderChange> {
        let (stream, reader) = AsyncStream.makeStream(of: FolderChange.self, bufferingPolicy: .bufferingNewest(64))
        state.withLock {
            $0.readers.append(reader)
            $0.asked.append((folders, files))
        }
        return stream
    }

    func tell(_ change: FolderChange) {
        for reader in state.withLock(\.readers) { reader.yield(change) }
    }
}

/// Records as Codex writes them.
enum Rollout {
    static let day = ".codex/sessions/2026/01/02/"

    /// A UUID with this number in it.
    static func id(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "0199a1b2-c3d4-7e5f-8a9b-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    static func name(_ number: Int) -> String { day + "rollout-2026-01-02T05-04-05-\(id(number)).jsonl" }

    static func line(_ type: String, _ payload: JSONValue, second: Int) -> String {
        let time = String(format: "2026-01-02T03:%02d:%02d.500Z", second / 60 % 60, second % 60)
        let record: JSONValue = ["timestamp": .string(time), "type": .string(type), "payload": payload]
        return record.canonicalText
    }

    static func meta(_ number: Int, _ more: [String: JSONValue] = [:]) -> String {
        let members: [String: JSONValue] = [
            "id": .string(id(number)), "timestamp": "2026-01-02T03:00:00.000Z", "cwd": "/home/ada/engine",
            "originator": "codex_cli_rs", "cli_version": "0.120.0", "source": "cli", "git": ["branch": "main"],
        ]
        return line("session_meta", .object(members.merging(more) { _, new in new }), second: 0)
    }

    static func user(_ text: String, second: Int = 6) -> String {
        line("event_msg", ["type": "user_message", "message": .string(text)], second: second)
    }

    static func agent(_ text: String, second: Int = 7) -> String {
        line("event_msg", ["type": "agent_message", "message": .string(text)], second: second)
    }

    static func call(_ name: String, _ arguments: JSONValue, second: Int = 7) -> String {
        line(
            "response_item",
            [
                "type": "function_call", "name": .string(name), "call_id": "c1",
                "arguments": .string(arguments.canonicalText),
            ],
            second: second
        )
    }

    static func output(_ text: String, second: Int = 8) -> String {
        line(
            "response_item",
            ["type": "function_call_output", "call_id": "c1", "output": .string(text)],
            second: second
        )
    }

    static func rollback(_ turns: Int, second: Int = 9) -> String {
        line("event_msg", ["type": "thread_rolled_back", "num_turns": .integer(Int64(turns))], second: second)
    }
}

/// Records as Claude Code writes them.
enum Session {
    static let folder = ".claude/projects/-home-ada-engine/"

    static func name(_ number: Int) -> String { folder + "5f6e7d8c-1234-4abc-9def-00000000000\(number).jsonl" }

    static func line(_ type: String, _ id: String, after parent: String?, _ text: String, second: Int = 5) -> String {
        let record: JSONValue = [
            "type": .string(type), "uuid": .string(id), "parentUuid": parent.map { .string($0) } ?? .null,
            "timestamp": .string(String(format: "2026-02-03T04:05:%02d.000Z", second)), "cwd": "/home/ada/page",
            "isSidechain": false,
            "message": [
                "role": .string(type), "id": type == "assistant" ? .string("m-\(id)") : .null,
                "content": [["type": "text", "text": .string(text)]],
            ],
        ]
        return record.canonicalText
    }
}

extension ThreadIndex {
    /// All threads of the widest list, by pages.
    func all(_ query: ThreadQuery = ThreadQuery(includesArchived: true, includesAll: true)) async throws
        -> [AgentThread]
    {
        var threads: [AgentThread] = []
        var query = query
        for _ in 0..<10_000 {
            let page = try await list(query)
            threads += page.threads
            guard let next = page.next else { return threads }
            query.cursor = next
        }
        Issue.record("the pages do not end")
        return threads
    }

    func titles(_ query: ThreadQuery = ThreadQuery()) async throws -> [String] {
        try await list(query).threads.map(\.title)
    }

    /// What a search finds: kind and snippet, marks in brackets.
    func found(_ query: String, agent: Agent? = nil, folder: String? = nil) async throws -> [String] {
        try await search(ThreadSearch(query: query, limit: 100, agent: agent, folder: folder)).hits.map { hit in
            "\(hit.kind): \(hit.marked)"
        }
    }
}

extension ThreadHit {
    /// The snippet with its marks in brackets.
    var marked: String {
        var text = Array(snippet.utf16)
        for mark in marks.reversed() {
            text.insert(UInt16(UInt8(ascii: "]")), at: mark.upperBound)
            text.insert(UInt16(UInt8(ascii: "[")), at: mark.lowerBound)
        }
        return String(decoding: text, as: UTF16.self)
    }
}
