/// An agent of a computer, and what can be asked of it.
public struct AgentAvailability: Hashable, Sendable {
    public var agent: Agent
    /// For people.
    public var name: String
    /// Whether its program is there.
    public var isInstalled: Bool
    /// The version as the program says it, on one line.
    public var version: String?
    /// Prompts can be posted to its threads.
    public var canPost: Bool
    /// Threads can be started.
    public var canStart: Bool
    /// A sentence for the person that says what is missing and what to do; nil where nothing is missing.
    public var reason: String?
    /// How it comes onto the computer. Nil where it is there, and from programs that do not say.
    public var installation: AgentInstallation?

    public init(
        _ agent: Agent,
        name: String,
        isInstalled: Bool,
        version: String? = nil,
        canPost: Bool,
        canStart: Bool,
        reason: String? = nil,
        installation: AgentInstallation? = nil
    ) {
        self.agent = agent
        self.name = name
        self.isInstalled = isInstalled
        self.version = version
        self.canPost = canPost
        self.canStart = canStart
        self.reason = reason
        self.installation = installation
    }
}
