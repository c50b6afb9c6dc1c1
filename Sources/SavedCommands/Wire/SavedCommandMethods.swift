public import Commands
import Rights

/// Source: `docs/protocol.md`, "Saved commands, lock and sleep".
public enum SavedCommandMethods {
    /// Lists only what this phone may run: the others' names are the owner's.
    public static let list = Method<NoParameters, SavedCommandList>(
        "commands.list",
        needs: Permission(.savedCommands),
        risk: .safe,
        summary: "Lists the saved commands that this phone may run."
    )
    /// Never waits for a computer that is away: hours later nobody would expect it to run.
    public static let run = Method<RunCommand, CommandRun>(
        "commands.run",
        needs: Permission(.savedCommands),
        risk: .mutating,
        summary: "Starts a saved command."
    )
    public static let runs = Method<CommandRunQuery, CommandRunList>(
        "commands.runs",
        needs: Permission(.savedCommands),
        risk: .safe,
        summary: "Lists the runs that go on and the last ones that ended."
    )
    public static let output = Method<CommandOutputQuery, CommandOutput>(
        "commands.output",
        needs: Permission(.savedCommands),
        risk: .safe,
        summary: "Gives what a run printed, from a place on."
    )
    public static let stop = Method<CommandRunReference, Done>(
        "commands.stop",
        needs: Permission(.savedCommands),
        risk: .mutating,
        isRepeatable: true,
        summary: "Ends a run and every program that it started."
    )

    /// The feature's methods, for catalogues and registries.
    public static let all: [MethodDeclaration] = [
        list.declaration, run.declaration, runs.declaration, output.declaration, stop.declaration,
    ]
}
