public import Commands
public import Rights

extension Right {
    /// On the wire `commands`. It opens the door only: which commands a phone may run is kept with each command.
    public static let savedCommands: Right = "commands"
}

extension RightDeclaration {
    /// Given by the person alone. A phone names a command by its id and adds nothing to it.
    public static let savedCommands = RightDeclaration(
        .savedCommands,
        "run those of your saved commands that you allow it, and read what they print",
        risk: .mutating,
        weight: 75,
        needsDirectWay: true
    )
}

extension EventKind {
    /// Told to the phone that began the run when it ended or printed something: the phone asks for the output then. It names the run.
    public static let savedCommandRunChanged = EventKind("commands.runChanged", needs: .savedCommands)
}
