package import Conversations
import Kernel

/// Transcripts that Tandem itself writes for agents whose history it does not know: a file for each thread, in the records of Codex's
/// rollouts.
package struct TranscriptHistory: HistoryReader {
    package let agent: Agent
    private let folder: String
    private let noted = CodexNames()

    /// - Parameter folder: Of one agent.
    package init(agent: Agent, folder: String) {
        self.agent = agent
        self.folder = folder
    }

    /// The name of the file of a thread. Ids are the agent's: one that could mean something to a file system is encoded.
    package static func fileName(of id: String) -> String {
        let isPlain =
            !id.isEmpty && !id.hasPrefix(".") && !id.hasPrefix("-") && !id.hasPrefix("=") && id.utf8.count <= 150
            && id.hasOnlyLettersAndDigits(or: "-_.")
        return (isPlain ? id : "=" + Base64URL.encode(id.utf8)) + ".jsonl"
    }

    /// The folder that the thread of a transcript works in.
    package static func folder(ofTranscript path: String) -> String? {
        guard let file = try? HistoryFile.open(path), let head = try? CodexHead(file) else { return nil }
        return head.workingFolder
    }

    package var folders: [String] { [folder] }

    package func files(limit: Int = HistoryListing.limit) -> HistoryListing {
        var walk = FolderWalk()
        var newest = NewestEntries(limit: limit)
        walk.files(
            below: folder,
            depth: 0,
            takes: { $0.hasSuffix(".jsonl") },
            found: { name in
                newest.add(
                    HistoryEntry(agent: agent, path: name.path, identity: name.status.identity, isArchived: false)
                )
            }
        )
        let entries = newest.sorted()
        return HistoryListing(entries: entries, isCut: newest.isCut || walk.isCut, problems: walk.problems)
    }

    package func names() -> [String: String] { [:] }

    package func thread(of entry: HistoryEntry, names: [String: String]) throws(AgentHistoryError) -> AgentThread? {
        let file = try HistoryFile.open(entry.path)
        let head = try CodexHead(file)
        guard head.hasMeta, let id = head.id, let title = try noted.name(of: id, in: file) ?? head.title else {
            return nil
        }
        return AgentThread(
            agent: agent,
            id: id,
            title: title,
            workingFolder: head.workingFolder,
            version: head.version,
            createdMilliseconds: head.createdMilliseconds,
            updatedMilliseconds: file.identity.modifiedMilliseconds,
            lastMessageMilliseconds: try TailTime.milliseconds(file),
            isInteractive: true,
            isArchived: false,
            path: file.path,
            size: file.identity.size
        )
    }

    package func page(
        of path: String,
        from cursor: ConversationCursor,
        limits: PageLimits = PageLimits()
    ) throws(AgentHistoryError) -> ConversationPage {
        try CodexPages(try HistoryFile.open(path), limits: limits).page(from: cursor)
    }

    package func lastPage(
        of path: String,
        before cursor: ConversationCursor? = nil,
        limits: PageLimits = PageLimits()
    ) throws(AgentHistoryError) -> ConversationPage {
        try CodexPages(try HistoryFile.open(path), limits: limits).lastPage(before: cursor)
    }
}
