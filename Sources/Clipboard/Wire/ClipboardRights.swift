public import Commands
public import Rights

extension Right {
    /// On the wire `clipboard`: reading, setting and watching, and the history.
    public static let clipboard: Right = "clipboard"
}

extension RightDeclaration {
    /// Given by the person alone.
    public static let clipboard = RightDeclaration(
        .clipboard,
        "read and replace what you copy, passwords among it",
        risk: .mutating,
        weight: 40,
        namespaces: ["clipboard"]
    )
}

extension EventKind {
    /// Told to phones that asked for it with `clipboard.watch`; read with ``ClipboardChange``.
    public static let clipboardChanged = EventKind("clipboard.changed", needs: .clipboard)
}
