/// How an agent's program comes onto a computer: what a page says in its own language beside the sentence for the person.
public struct AgentInstallation: Hashable, Sendable {
    /// The program that has to be on the PATH of a login.
    public var program: String
    /// A command that installs it; nil where only its owner knows.
    public var command: String?
    /// A command that signs in with it; nil where none is known.
    public var signIn: String?

    public init(program: String, command: String? = nil, signIn: String? = nil) {
        self.program = program
        self.command = command
        self.signIn = signIn
    }
}
