/// Names one thread of one agent on one computer.
public struct ThreadReference: Hashable, Sendable {
    /// The agent whose thread it is.
    public var agent: Agent
    /// The agent's own name of the thread: at most 200 bytes.
    public var id: String

    public init(agent: Agent, id: String) {
        self.agent = agent
        self.id = id
    }
}
