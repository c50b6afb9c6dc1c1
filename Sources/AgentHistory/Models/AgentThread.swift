public import Conversations

/// A thread's entry in a list.
public struct AgentThread: Hashable, Sendable, Identifiable {
    /// The agent that keeps the thread.
    public var agent: Agent
    /// The agent's own name of the thread, which resumes it.
    public var id: String
    /// At most 200 characters on one line, written by an agent or a person.
    public var title: String
    /// The folder the agent works in.
    public var workingFolder: String?
    /// The branch of the working folder, as the agent noted it.
    public var gitBranch: String?
    /// The provider that runs the model.
    public var modelProvider: String?
    /// The version of the agent's program.
    public var version: String?
    /// The source that started the thread.
    public var source: ThreadSource?
    /// The thread that this one was forked from or started by.
    public var parentID: String?
    /// Milliseconds since 1970-01-01T00:00:00Z, like the other two times.
    public var createdMilliseconds: Int64?
    /// The file's date. It also changes when an agent only notes something about the thread.
    public var updatedMilliseconds: Int64
    /// The time of the last record that has one; nil where it was not found near the end.
    public var lastMessageMilliseconds: Int64?
    /// Whether a person works in it, rather than a program or another thread.
    public var isInteractive: Bool
    /// The person put it away.
    public var isArchived: Bool
    /// Where the file was when it was listed.
    public var path: String
    /// The size of its file on disk, in bytes.
    public var size: Int64
    /// Why its file is not read; nil where it is.
    public var unreadable: Unreadable?

    /// Why a thread is listed and cannot be opened.
    public enum Unreadable: String, Hashable, Sendable {
        /// Its file holds, or unpacks to, more than is read of one file.
        case tooLarge = "too_large"
        /// Reading its file takes more of the processor's time than is given to one file.
        case tooCostly = "too_costly"

        /// Nil for an error that may pass, or that says nothing about the file's size.
        public init?(_ error: AgentHistoryError) {
            switch error {
            case .tooLarge: self = .tooLarge
            case .tooCostly: self = .tooCostly
            case .notFound, .denied, .notOrdinary, .symbolicLink, .truncated, .rewritten, .damaged, .system: return nil
            }
        }
    }

    public init(
        agent: Agent,
        id: String,
        title: String,
        workingFolder: String? = nil,
        gitBranch: String? = nil,
        modelProvider: String? = nil,
        version: String? = nil,
        source: ThreadSource? = nil,
        parentID: String? = nil,
        createdMilliseconds: Int64? = nil,
        updatedMilliseconds: Int64,
        lastMessageMilliseconds: Int64? = nil,
        isInteractive: Bool,
        isArchived: Bool,
        path: String,
        size: Int64,
        unreadable: Unreadable? = nil
    ) {
        self.agent = agent
        self.id = id
        self.title = title
        self.workingFolder = workingFolder
        self.gitBranch = gitBranch
        self.modelProvider = modelProvider
        self.version = version
        self.source = source
        self.parentID = parentID
        self.createdMilliseconds = createdMilliseconds
        self.updatedMilliseconds = updatedMilliseconds
        self.lastMessageMilliseconds = lastMessageMilliseconds
        self.isInteractive = isInteractive
        self.isArchived = isArchived
        self.path = path
        self.size = size
        self.unreadable = unreadable
    }

    /// The line of a file that is not read: what its name, its folder and its date tell.
    package init(_ entry: HistoryEntry, unreadable: Unreadable) {
        let stem = HistoryPath.stem(of: entry.path)
        self.init(
            agent: entry.agent,
            id: entry.agent == .codex ? RolloutName(entry.path)?.id ?? stem : stem,
            title: "[Too large to be read]",
            updatedMilliseconds: entry.identity.modifiedMilliseconds,
            // It cannot be asked who works in it, and a thread that is hidden is missed.
            isInteractive: true,
            isArchived: entry.isArchived,
            path: entry.path,
            size: entry.identity.size,
            unreadable: unreadable
        )
    }
}
