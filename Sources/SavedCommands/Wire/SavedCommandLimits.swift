import Commands
import Kernel

/// The bounds of saved commands, of their runs and of what these print.
public enum SavedCommandLimits {
    /// Commands at one computer.
    public static let commands = 128
    /// Bytes of a command's name.
    public static let name = 64
    /// Bytes of an id of a command or a run.
    public static let id = 64
    /// Bytes of output that are kept of one run. The oldest go first.
    public static let output = 256 << 10
    /// Bytes of output in one answer.
    public static let outputPart = 64 << 10
    /// Ended runs that are remembered, of all commands together.
    public static let history = 100
    /// Runs at a time, of all phones together. Each command runs once at a time.
    public static let running = 8
    /// Ended runs whose output is kept in the memory of the computer's program.
    public static let keptOutputs = 16

    /// Reads an id. Ids are made by the computer; what has another shape names nothing.
    static func id(_ name: String, in wire: RemoteParameters) throws(RemoteFailure) -> String {
        let id = try wire.text(name, limit: Self.id)
        guard !id.isEmpty, id.hasOnlyLettersAndDigits(or: "-") else {
            throw .badParameter(name, "an id as the computer's list gives it")
        }
        return id
    }
}
