package import Conversations

/// The abilities of an agent on this computer.
package struct AgentAvailability: Hashable, Sendable {
    package var agent: Agent
    /// For people.
    package var name: String
    package var isInstalled: Bool
    /// The version as the program says it, on one line.
    package var version: String?
    /// Prompts can be posted to its threads.
    package var canPost: Bool
    /// Threads can be started.
    package var canStart: Bool
    /// A sentence that says what is missing and what to do; nil where nothing is missing.
    package var reason: String?
    /// How it comes onto this computer; nil where it is there.
    package var installation: AgentInstallation?

    package init(
        agent: Agent,
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
