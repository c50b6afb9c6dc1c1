package import Commands
package import Rights

extension Right {
    package static let terminal: Right = "terminal"
}

extension RightDeclaration {
    package static let terminal = RightDeclaration(
        .terminal,
        "run any program as you, and so do everything you can do here",
        risk: .privileged,
        weight: 100,
        namespaces: ["terminal"]
    )
}

extension EventKind {
    package static let terminalOutput = EventKind("terminal.stdout", needs: .terminal)
    package static let terminalSize = EventKind("terminal.resized", needs: .terminal)
    package static let terminalExit = EventKind("terminal.exit", needs: .terminal)
}
