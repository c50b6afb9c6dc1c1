public import Conversations

/// A file that may hold a thread, seen in a folder and not read yet.
public struct HistoryEntry: Hashable, Sendable {
    /// The agent whose file it is.
    public let agent: Agent
    /// Where the file was seen.
    public let path: String
    /// The file's identity, which tells whether it changed since it was read.
    public let identity: FileIdentity
    /// The agent keeps it apart from its normal lists.
    public let isArchived: Bool

    /// - Parameter path: Of a file in a layout of this agent.
    public init(agent: Agent, path: String, identity: FileIdentity, isArchived: Bool) {
        self.agent = agent
        self.path = path
        self.identity = identity
        self.isArchived = isArchived
    }
}

/// The files of an agent, the newest first, and what could not be looked at.
public struct HistoryListing: Hashable, Sendable {
    /// Files of one agent that are listed.
    public static let limit = 10_000
    /// Problems that are kept.
    static let problemLimit = 100

    /// By date, the newest first.
    public var entries: [HistoryEntry] = []
    /// There are more files than the limit; the oldest are missing.
    public var isCut = false
    /// Folders and files that could not be looked at.
    public var problems: [AgentHistoryError] = []

    public init(entries: [HistoryEntry] = [], isCut: Bool = false, problems: [AgentHistoryError] = []) {
        self.entries = entries
        self.isCut = isCut
        self.problems = problems
    }

    mutating func note(_ problem: AgentHistoryError) {
        if problems.count < Self.problemLimit { problems.append(problem) }
    }
}

/// The threads of an agent, the newest first.
public struct ThreadListing: Hashable, Sendable {
    /// By the date of their files, the newest first.
    public var threads: [AgentThread] = []
    /// There are more files than were looked at.
    public var isCut = false
    /// Files and folders that could not be read. The other threads are whole.
    public var problems: [AgentHistoryError] = []

    public init(threads: [AgentThread] = [], isCut: Bool = false, problems: [AgentHistoryError] = []) {
        self.threads = threads
        self.isCut = isCut
        self.problems = problems
    }
}
