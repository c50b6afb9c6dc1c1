public import Conversations
import Foundation
import Kernel

/// The history of Claude Code: a file for every session, in a folder for every working folder.
public struct ClaudeHistory: HistoryReader {
    private let projects: String?
    private let buried = BuriedTitles()

    /// - Parameter environment: `CLAUDE_CONFIG_DIR`, else `~/.claude`; the sessions are in `projects` there.
    public init(environment: [String: String]) {
        let given = environment["CLAUDE_CONFIG_DIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "~/.claude"
        let expanded = HomeFolder.expanding(given, environment: environment)
        projects = expanded.hasPrefix("/") ? HistoryPath.joined(expanded, "projects") : nil
    }

    public var agent: Agent { .claudeCode }

    public var folders: [String] { [projects].compactMap(\.self) }

    public func files(limit: Int = HistoryListing.limit) -> HistoryListing {
        guard let projects else { return HistoryListing() }
        var walk = FolderWalk()
        var newest = NewestEntries(limit: limit)
        walk.files(
            below: projects,
            depth: 1,
            enters: { name, _ in name != "openagents" },
            takes: { $0.hasSuffix(".jsonl") && !ClaudePath.isSubagent($0) },
            found: { newest.add(Self.entry($0)) }
        )
        let entries = newest.sorted()
        return HistoryListing(entries: entries, isCut: newest.isCut || walk.isCut, problems: walk.problems)
    }

    /// The sub-agents that worked for a thread, the newest first. Their items are read like those of a thread.
    public func subagents(of thread: AgentThread) -> HistoryListing {
        var walk = FolderWalk()
        var newest = NewestEntries(limit: 1000)
        let own = HistoryPath.joined(String(thread.path.dropLast(".jsonl".count)), "subagents")
        let isSubagent = { (name: String) in name.hasSuffix(".jsonl") && ClaudePath.isSubagent(name) }
        walk.files(below: own, depth: 0, takes: isSubagent, found: { newest.add(Self.entry($0)) })
        // Older versions put those of all sessions beside the sessions; each names its own, unless it cannot be read.
        let project = (thread.path as NSString).deletingLastPathComponent
        var old = NewestEntries(limit: 1000)
        walk.files(below: project, depth: 0, takes: isSubagent, found: { old.add(Self.entry($0)) })
        for entry in old.sorted() where (try? Self.session(of: entry)) == thread.id { newest.add(entry) }
        let entries = newest.sorted()
        let isCut = newest.isCut || old.isCut || walk.isCut
        return HistoryListing(entries: entries, isCut: isCut, problems: walk.problems)
    }

    /// The session that the first record of a file names.
    private static func session(of entry: HistoryEntry) throws(AgentHistoryError) -> String? {
        var reader = LineReader(try HistoryFile.open(entry.path), from: 0, limits: LineLimits(budget: 4 << 20))
        for _ in 0..<10 {
            guard case .line(let line) = try reader.next() else { return nil }
            if case .record(let record) = HistoryRecord.read(line), let id = record.value.name("sessionId", limit: 200)
            {
                return id
            }
        }
        return nil
    }

    private static func entry(_ name: FolderWalk.Name) -> HistoryEntry {
        HistoryEntry(agent: .claudeCode, path: name.path, identity: name.status.identity, isArchived: false)
    }

    /// Claude Code keeps names in the threads' own files.
    public func names() -> [String: String] { [:] }

    public func thread(of entry: HistoryEntry, names: [String: String]) throws(AgentHistoryError) -> AgentThread? {
        let file = try HistoryFile.open(entry.path)
        let summary = try ClaudeSummary(file, buried)
        let id = HistoryPath.stem(of: file.path)
        guard summary.hasMessages, let title = names[id] ?? summary.title else { return nil }
        return AgentThread(
            agent: .claudeCode,
            id: id,
            title: title,
            workingFolder: summary.workingFolder,
            gitBranch: summary.gitBranch,
            modelProvider: nil,
            version: summary.version,
            source: summary.entryPoint.map { ThreadSource(word: $0) },
            parentID: summary.parentID,
            createdMilliseconds: summary.createdMilliseconds,
            updatedMilliseconds: file.identity.modifiedMilliseconds,
            lastMessageMilliseconds: summary.lastMilliseconds,
            // Its library for programs notes itself; a terminal and editors are people's.
            isInteractive: summary.entryPoint?.hasPrefix("sdk") != true,
            isArchived: entry.isArchived,
            path: file.path,
            size: file.identity.size
        )
    }

    public func page(
        of path: String,
        from cursor: ConversationCursor,
        limits: PageLimits = PageLimits()
    ) throws(AgentHistoryError) -> ConversationPage {
        try ClaudePages(try HistoryFile.open(path), limits: limits).page(from: cursor)
    }

    public func lastPage(
        of path: String,
        before cursor: ConversationCursor? = nil,
        limits: PageLimits = PageLimits()
    ) throws(AgentHistoryError) -> ConversationPage {
        try ClaudePages(try HistoryFile.open(path), limits: limits).lastPage(before: cursor)
    }
}

/// Names in the folders of Claude Code.
enum ClaudePath {
    static func isSubagent(_ path: String) -> Bool { HistoryPath.stem(of: path).hasPrefix("agent-") }
}
