public import Conversations
public import Foundation
import Kernel

/// The history of Codex: rollouts of all its versions, from the first TypeScript program to paginated threads.
public struct CodexHistory: HistoryReader {
    /// Larger files of the TypeScript program, each one JSON object, are not read.
    static let objectLimit: Int64 = 16 << 20

    /// Where a walk looks.
    private enum Place {
        case sessions, archive, others, anything
    }

    /// `CODEX_HOME`.
    private let home: String?
    /// Folders that were named, each with what it holds.
    private let named: [String]
    let timeZone: TimeZone
    private let forks = CodexForks()
    private let noted = CodexNames()

    /// - Parameters:
    ///   - environment: `CODEX_HOME` (else `~/.codex`), `CODEXD_HISTORY_DIR` and `CODEX_EXTRA_DIRS`, a list with colons.
    ///   - timeZone: Of the names of rollouts, which are in local time.
    public init(environment: [String: String], timeZone: TimeZone = .current) {
        let given = environment["CODEX_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "~/.codex"
        let expanded = HomeFolder.expanding(given, environment: environment)
        home = expanded.hasPrefix("/") ? expanded : nil
        let extra = (environment["CODEX_EXTRA_DIRS"] ?? "").split(separator: ":").map(String.init)
        named = (([environment["CODEXD_HISTORY_DIR"]].compactMap(\.self)) + extra)
            .map { HomeFolder.expanding($0, environment: environment) }
            .filter { $0.hasPrefix("/") }
        self.timeZone = timeZone
    }

    public var agent: Agent { .codex }

    public var folders: [String] {
        (home.map { [HistoryPath.joined($0, "sessions"), HistoryPath.joined($0, "archived_sessions")] } ?? []) + named
    }

    public var namesPath: String? { home.map { HistoryPath.joined($0, "session_index.jsonl") } }

    public func files(limit: Int = HistoryListing.limit) -> HistoryListing {
        var walk = FolderWalk()
        var newest = NewestEntries(limit: limit)
        // Files of one folder come one after the other.
        var last = (folder: Substring(), isArchive: false)
        func isArchive(_ path: String) -> Bool {
            let folder = HistoryPath.folder(of: path)
            if folder != last.folder { last = (folder, folder.split(separator: "/").contains("archived_sessions")) }
            return last.isArchive
        }
        func look(_ root: String, _ place: Place) {
            walk.files(
                below: root,
                depth: place == .archive ? 0 : 5,
                enters: { name, _ in
                    guard name != "openagents", !name.hasPrefix(".") else { return false }
                    // In folders that are not known only those of a date: others can be whole working copies.
                    return place != .others || name.allSatisfy { $0.isASCII && $0.isNumber }
                },
                takes: { Self.isHistory($0, anyName: place == .anything) },
                found: { name in
                    newest.add(
                        HistoryEntry(
                            agent: .codex,
                            path: name.path,
                            identity: name.status.identity,
                            isArchived: place == .archive || isArchive(name.path)
                        )
                    )
                }
            )
        }
        if let home {
            look(HistoryPath.joined(home, "archived_sessions"), .archive)
            look(HistoryPath.joined(home, "sessions"), .sessions)
            let known: Set = ["sessions", "archived_sessions", "openagents", "log"]
            for folder in walk.folders(in: home) where !known.contains(folder.name) && !folder.name.hasPrefix(".") {
                look(folder.path, .others)
            }
        }
        for folder in named { look(folder, .anything) }
        let entries = newest.sorted()
        return HistoryListing(entries: entries, isCut: newest.isCut || walk.isCut, problems: walk.problems)
    }

    /// - Parameter anyName: Folders that a person named may hold copies under other names.
    private static func isHistory(_ name: String, anyName: Bool) -> Bool {
        if name.hasPrefix("rollout-") {
            return name.hasSuffix(".jsonl") || name.hasSuffix(".jsonl.zst") || name.hasSuffix(".json")
        }
        guard anyName, name != "history.jsonl", name != "session_index.jsonl" else { return false }
        return name.hasSuffix(".jsonl") || name.hasSuffix(".jsonl.zst")
    }

    /// The names of `session_index.jsonl`. The last row of a thread counts.
    public func names() -> [String: String] {
        guard let namesPath else { return [:] }
        let limits = LineLimits(line: 64 << 10, head: 0, budget: 256 << 20)
        var names: [String: String] = [:]
        // Without this file, or the rest of one that cannot be read, previews are the titles.
        guard let file = try? HistoryFile.open(namesPath) else { return [:] }
        var reader = LineReader(file, from: 0, limits: limits)
        while case .line(let line)? = try? reader.next() {
            guard case .record(let row) = HistoryRecord.read(line), let id = row.value.name("id", limit: 200) else {
                continue
            }
            if let name = row.value.line("thread_name") {
                if names[id] != nil || names.count < 200_000 { names[id] = name }
            } else {
                // The name was taken back.
                names[id] = nil
            }
        }
        return names
    }

    public func thread(of entry: HistoryEntry, names: [String: String]) throws(AgentHistoryError) -> AgentThread? {
        let file = try HistoryFile.open(entry.path)
        let isObject = file.path.hasSuffix(".json")
        var head = isObject ? try CodexHead(object: CodexObject(file)) : try CodexHead(file)
        if head.id == nil || head.id?.isEmpty == true { head.id = RolloutName(file.path)?.id }
        // A fork that says nothing yet is what it was forked from.
        var title = head.title
        if title == nil, head.base != nil { title = try CodexHead(open(entry.path)).title }
        guard head.hasMeta, let id = head.id, let title else { return nil }
        // Codex notes a name in the rollout first and then in its list of names, where it looks names up.
        var name = names[id]
        if name == nil, !isObject { name = try noted.name(of: id, in: file) }
        return AgentThread(
            agent: .codex,
            id: id,
            title: name ?? title,
            workingFolder: head.workingFolder,
            gitBranch: head.gitBranch,
            modelProvider: head.modelProvider,
            version: head.version,
            source: head.source,
            parentID: head.parentID,
            createdMilliseconds: head.createdMilliseconds
                ?? RolloutName(file.path).flatMap { ISOTime.localMilliseconds($0.time, in: timeZone) },
            updatedMilliseconds: file.identity.modifiedMilliseconds,
            lastMessageMilliseconds: isObject ? nil : try TailTime.milliseconds(file),
            // Codex itself takes a rollout without a source for one of its editor's.
            isInteractive: head.source?.isInteractive ?? true,
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
        let file = try open(path)
        if file.path.hasSuffix(".json") { return try CodexObject(file).page(from: cursor, limits: limits) }
        return try CodexPages(file, limits: limits).page(from: cursor)
    }

    public func lastPage(
        of path: String,
        before cursor: ConversationCursor? = nil,
        limits: PageLimits = PageLimits()
    ) throws(AgentHistoryError) -> ConversationPage {
        let file = try open(path)
        if file.path.hasSuffix(".json") { return try CodexObject(file).lastPage(before: cursor, limits: limits) }
        return try CodexPages(file, limits: limits).lastPage(before: cursor)
    }

    /// Opens a rollout, with the text that a fork begins with.
    func open(_ path: String) throws(AgentHistoryError) -> HistoryFile {
        try forks.open(path) { id in
            var found: [HistoryEntry] = []
            for entry in files(limit: HistoryListing.limit).entries where entry.path.contains(id) {
                found.append(entry)
            }
            return found.first { RolloutName($0.path)?.id == id.lowercased() }?.path
        }
    }
}

/// The name of a rollout, `rollout-2026-01-02T03-04-05-UUID`. The id is read from the right.
struct RolloutName {
    let time: Substring
    let id: String

    /// Nil for a name of another form.
    init?(_ path: String) {
        let stem = HistoryPath.stem(of: path)
        guard stem.hasPrefix("rollout-"), stem.utf8.count >= 8 + 19 + 1 + 36 else {
            // The TypeScript program wrote a date without a time.
            guard stem.utf8.count >= 36, let id = UUID(uuidString: String(stem.suffix(36))) else { return nil }
            time = ""
            self.id = id.uuidString.lowercased()
            return
        }
        let rest = stem.dropFirst(8)
        guard let id = UUID(uuidString: String(rest.suffix(36))) else { return nil }
        time = rest.prefix(19)
        self.id = id.uuidString.lowercased()
    }
}

/// The time of the last record of a file of lines.
enum TailTime {
    /// Nil where none of the last records has a time.
    static func milliseconds(_ file: HistoryFile) throws(AgentHistoryError) -> Int64? {
        // To know the end of a compressed file it is unpacked: not for a time in a list where it is long.
        guard let end = try file.end(within: 64 << 20) else { return nil }
        let limits = LineLimits(head: 4 << 10, firstChunk: 4 << 10, budget: 16 << 20)
        var reader = ReverseLineReader(file, before: end, limits: limits)
        for _ in 0..<200 {
            guard case .line(let line) = try reader.next() else { return nil }
            guard case .record(let record) = HistoryRecord.read(line, keeping: .keys(["timestamp"])),
                let text = record.value.name("timestamp", limit: 40),
                let time = ISOTime.milliseconds(text)
            else { continue }
            return time
        }
        return nil
    }
}
