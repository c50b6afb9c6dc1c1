public import Remote

/// The system's services that skills use. One that is nil leaves its skill out; phones are told that it is not served.
public struct DesktopTools: Sendable {
    public var terminals: (any PseudoTerminalFactory)?
    /// The shared folders.
    public var files: (any FileAccess)?

    public init(terminals: (any PseudoTerminalFactory)? = nil, files: (any FileAccess)? = nil) {
        self.terminals = terminals
        self.files = files
    }
}
