public import Commands
public import Rights

extension Right {
    /// The right to a computer's pointer and keyboard, on the wire `screen.control`.
    public static let screenControl: Right = "screen.control"
}

extension RightDeclaration {
    /// A right of its own beside pictures of the screen: who types there can open a terminal, and so do everything.
    public static let screenControl = RightDeclaration(
        .screenControl,
        "move your pointer and type on your keyboard, and so do everything you can do here",
        risk: .privileged,
        weight: 95
    )
}

extension EventKind {
    /// Told to the phone whose control has ended; read with ``InputEnd``.
    public static let inputEnded = EventKind("input.ended", needs: .screenControl)
    /// Told to the phone whose `input.open` waits for the person at the computer, whom the desktop there asks: `{seconds}` that the person has.
    public static let inputAsked = EventKind("input.asked", needs: .screenControl)
}
