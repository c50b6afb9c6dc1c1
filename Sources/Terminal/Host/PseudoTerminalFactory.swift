package import Terminal

/// Starts shells on terminals of their own; one implementation per operating system.
package protocol PseudoTerminalFactory: Sendable {
    /// - Throws: ``TerminalError`` for a shell or folder that cannot be used.
    func start(_ request: TerminalRequest) async throws -> any PseudoTerminal

    /// The names of the shells that can be started here, the login shell first; nil where that is not known.
    func shells() async -> [String]?
}

extension PseudoTerminalFactory {
    package func shells() async -> [String]? { nil }
}
