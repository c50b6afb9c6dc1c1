import AgentHistory
import Commands
import Conversations
import Foundation
import Kernel
import Synchronization
import ThreadIndex
import Threads
import ThreadsHost

/// The threads of a folder, read anew for each question by the real readers: what an index answers, without one.
final class FileLibrary: ThreadLibrary {
    let readers: [any HistoryReader]
    private let told = Broadcaster<ThreadChange>()

    init(_ readers: [any HistoryReader]) { self.readers = readers }

    func tell(_ change: ThreadChange) { told.send(change) }

    private func all() -> [AgentThread] {
        readers.flatMap { $0.threads().threads }
            .sorted { ($0.lastMessageMilliseconds ?? 0, $0.id) > ($1.lastMessageMilliseconds ?? 0, $1.id) }
    }

    private func reader(_ agent: Agent) -> any HistoryReader {
        guard let reader = readers.first(where: { $0.agent == agent }) else { fatalError("no reader of \(agent)") }
        return reader
    }

    func list(_ query: ThreadListQuery) async throws -> ThreadListPage {
        let threads = all().filter { thread in
            (query.agent.map { $0 == thread.agent } ?? true)
                && (query.folder.map { $0 == thread.workingFolder } ?? true)
                && (query.includesAll || thread.isInteractive) && query.isArchived == thread.isArchived
        }
        let start = query.cursor.flatMap(Int.init) ?? 0
        let page = threads.dropFirst(start).prefix(query.limit)
        let end = start + page.count
        return ThreadListPage(threads: Array(page), next: end < threads.count ? "\(end)" : nil, total: threads.count)
    }

    func thread(_ id: String, agent: Agent?) async throws -> AgentThread? {
        all().first { $0.id == id && (agent.map { [agent = $0.agent] in $0 == agent } ?? true) }
    }

    func threads(_ threads: Set<ThreadReference>) async throws -> [AgentThread] {
        all().filter { threads.contains($0.reference) }
    }

    func folders(agent: Agent?) async throws -> [ThreadFolder] {
        Dictionary(grouping: all(), by: \.workingFolder).compactMap { folder, threads in
            folder.map {
                ThreadFolder(
                    path: $0,
                    count: threads.count,
                    updatedMilliseconds: threads[0].updatedMilliseconds
                )
            }
        }
    }

    func page(of thread: AgentThread, from cursor: ConversationCursor, limits: PageLimits) async throws
        -> ConversationPage
    {
        try reader(thread.agent).page(of: thread.path, from: cursor, limits: limits)
    }

    func lastPage(of thread: AgentThread, before cursor: ConversationCursor?, limits: PageLimits) async throws
        -> ConversationPage
    {
        try reader(thread.agent).lastPage(of: thread.path, before: cursor, limits: limits)
    }

    func image(of thread: AgentThread, at item: ConversationItem, limit: Int) async throws -> String? { nil }

    func search(_ query: ThreadSearchQuery) async throws -> SearchPage {
        SearchPage(
            hits: all().filter { $0.title.localizedStandardContains(query.query) }.map {
                let range = ($0.title as NSString).localizedStandardRange(of: query.query)
                return ThreadHit(
                    thread: $0,
                    item: nil,
                    cursor: nil,
                    kind: "title",
                    snippet: $0.title,
                    marks: [range.lowerBound..<range.upperBound]
                )
            },
            next: nil
        )
    }

    var progress: IndexingProgress? { nil }
    func isWhole() async {}
    func changes() async -> AsyncStream<ThreadChange> { told.subscribe() }
    func run() async {}
}

/// Agents that do what a test says.
actor ScriptedAgents: AgentControl {
    private(set) var posted: [(ThreadPrompt, ThreadReference, String?)] = []
    private(set) var cancelled: [ThreadReference] = []
    private(set) var waiting: [Approval] = []
    private var closed: [Approval.ID: (option: String, by: String)] = [:]
    private var current: [ThreadReference: AgentState] = [:]
    private nonisolated let told = Broadcaster<AgentEvent>()

    nonisolated func tell(_ event: AgentEvent) { told.send(event) }

    func open(_ approval: Approval) {
        waiting.append(approval)
        current[approval.thread] = .waitingForApproval
        tell(.opened(approval))
    }

    /// An agent has this thread open, whatever its files are like.
    func run(_ thread: ThreadReference) { current[thread] = .running }

    private var failures: [ThreadReference: String] = [:]

    func fail(_ thread: ThreadReference, _ reason: String) {
        current[thread] = .failed
        failures[thread] = reason
        tell(.state(thread, .failed, reason: reason))
    }

    func reasons() -> [ThreadReference: String] { failures }

    func agents() -> [AgentAvailability] {
        [
            AgentAvailability(
                .codex,
                name: "Codex",
                isInstalled: true,
                version: "0.140.0",
                canPost: true,
                canStart: true
            ),
            AgentAvailability(
                .claudeCode,
                name: "Claude Code",
                isInstalled: false,
                canPost: false,
                canStart: false,
                reason: "It is not installed."
            ),
        ]
    }

    func postable() -> Set<Agent> { [.codex] }

    func start(_ agent: Agent, in folder: String, _ prompt: ThreadPrompt) -> ThreadReference {
        ThreadReference(agent: agent, id: "new-one")
    }

    func post(_ prompt: ThreadPrompt, to thread: ThreadReference, in folder: String?) -> ThreadProgress {
        posted.append((prompt, thread, folder))
        current[thread] = .running
        return ThreadProgress(.running, thread: thread)
    }

    func cancel(_ thread: ThreadReference) -> ThreadProgress {
        cancelled.append(thread)
        return ThreadProgress(.done)
    }

    func approvals() -> [Approval] { waiting }

    func answer(_ answer: ApprovalAnswer, to approval: Approval.ID, by device: String) -> ApprovalOutcome {
        guard let index = waiting.firstIndex(where: { $0.id == approval }) else {
            return ApprovalOutcome(counted: false, option: closed[approval]?.option, by: closed[approval]?.by)
        }
        let thread = waiting.remove(at: index).thread
        closed[approval] = (answer.optionID, device)
        tell(.closed(approval, thread, option: answer.optionID, by: device))
        return ApprovalOutcome(counted: true, option: answer.optionID, by: device)
    }

    func states() -> [ThreadReference: AgentState] { current }
    func events() -> AsyncStream<AgentEvent> { told.subscribe() }
    func run() async {}
    func close() async {}
}

/// A home folder with rollouts of Codex.
final class RolloutHome {
    static let id = "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
    let path: String
    var library: FileLibrary {
        FileLibrary([
            CodexHistory(environment: ["HOME": path], timeZone: .gmt), ClaudeHistory(environment: ["HOME": path]),
        ])
    }

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-threads-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.resolvingSymlinksInPath().path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    static func file(_ id: String) -> String { ".codex/sessions/2026/01/02/rollout-2026-01-02T05-04-05-\(id).jsonl" }

    static func line(_ type: String, _ payload: JSONValue, second: Int = 6) -> String {
        let value: JSONValue = [
            "timestamp": .string("2026-01-02T03:04:\(second < 10 ? "0" : "")\(second).500Z"), "type": .string(type),
            "payload": payload,
        ]
        return value.canonicalText
    }

    static func meta(_ id: String, source: String = "cli") -> String {
        line(
            "session_meta",
            [
                "id": .string(id), "timestamp": "2026-01-02T03:04:05.250Z", "cwd": "/home/ada/engine",
                "cli_version": "0.120.0", "source": .string(source),
            ]
        )
    }

    static func user(_ text: String) -> String {
        line("event_msg", ["type": "user_message", "message": .string(text)])
    }

    static func agent(_ text: String, second: Int = 7) -> String {
        line("event_msg", ["type": "agent_message", "message": .string(text)], second: second)
    }

    @discardableResult
    func write(_ lines: [String], as id: String = RolloutHome.id) throws -> String {
        let file = path + "/" + Self.file(id)
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true
        )
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: file))
        return file
    }

    func append(_ lines: [String], to id: String = RolloutHome.id) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path + "/" + Self.file(id)))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
        try handle.close()
    }
}
