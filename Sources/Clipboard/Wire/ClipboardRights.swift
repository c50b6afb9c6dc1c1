public import Commands
public import Rights

extension Right {
    public static let clipboard: Right = "clipboard"
}

extension RightDeclaration {
    public static let clipboard = RightDeclaration(
        .clipboard,
        "read and replace what you copy, passwords among it",
        risk: .mutating,
        weight: 40,
        namespaces: ["clipboard"]
    )
}

extension EventKind {
    public static let clipboardChanged = EventKind("clipboard.changed", needs: .clipboard)
}
