package import Terminal

/// Starts shells on terminals of their own; one implementation per operating system.
package protocol PseudoTerminalFactory: Sendable {
    /// - Throws: ``TerminalError`` for a shell or folder that cannot be used.
    func start(_ request: TerminalRequest) async throws -> any PseudoTerminal
}
