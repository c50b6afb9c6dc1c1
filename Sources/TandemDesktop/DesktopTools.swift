public import Remote

/// The system's services that skills use. One that is nil leaves its skill out; phones are told that it is not served.
public struct DesktopTools: Sendable {
    public var terminals: (any PseudoTerminalFactory)?

    public init(terminals: (any PseudoTerminalFactory)? = nil) {
        self.terminals = terminals
    }
}
