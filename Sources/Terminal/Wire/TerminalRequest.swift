/// The parameters that a terminal is started with.
public struct TerminalRequest: Hashable, Sendable {
    /// A name or an absolute path; nil for the person's login shell.
    public var shell: String?
    /// The shell's at the computer. A phone's request does not carry them: it starts shells as a login does.
    public var arguments: [String]
    /// Added to what a login of this person would have.
    public var environment: [String: String]
    /// The working folder; nil for the person's home. `~` stands for the home.
    public var folder: String?
    /// The window's at the start.
    public var size: TerminalSize

    public init(
        shell: String? = nil,
        arguments: [String] = [],
        environment: [String: String] = [:],
        folder: String? = nil,
        size: TerminalSize = .standard
    ) {
        self.shell = shell
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
        self.size = size
    }
}
