public import Commands
public import Rights

extension Right {
    public static let terminal: Right = "terminal"
}

extension RightDeclaration {
    public static let terminal = RightDeclaration(
        .terminal,
        "run any program as you, and so do everything you can do here",
        risk: .privileged,
        weight: 100,
        namespaces: ["terminal"]
    )
}

extension EventKind {
    public static let terminalOutput = EventKind("terminal.stdout", needs: .terminal)
    public static let terminalExit = EventKind("terminal.exit", needs: .terminal)
}
