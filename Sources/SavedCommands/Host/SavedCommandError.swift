import Commands
import Kernel
import SavedCommands

/// Why a command could not be saved or run. The description is shown to the person.
enum SavedCommandError: ClassifiedError, Hashable {
    case malformedName(String)
    case noProgram
    case tooLong(limit: Int)
    case zeroByte
    case relativeProgram(String)
    case relativeFolder(String)
    case malformedTimeout(Int)
    case nameTaken(String)
    case tooMany(limit: Int)
    /// Also for a command that exists and that this phone may not run: it learns nothing of the owner's others.
    case unknown
    case unknownRun
    case notConfirmed(name: String)
    case alreadyRuns(name: String)
    case tooManyRuns(limit: Int)
    /// The owner named a command that there is not.
    case noCommand(String)
    /// The owner named a phone that is not paired.
    case noPhone(String)
    case severalPhones(String, ids: [String])
    /// The computer's program ends.
    case stopped

    var facts: FailureFacts {
        switch self {
        case .malformedName, .noProgram, .tooLong, .zeroByte, .relativeProgram, .relativeFolder,
            .malformedTimeout, .notConfirmed, .severalPhones:
            .code(FailureCode.badParameters)
        case .nameTaken: .code(FailureCode.exists)
        case .tooMany: .code(FailureCode.quota)
        case .unknown, .unknownRun, .noCommand, .noPhone: .code(FailureCode.notFound)
        case .alreadyRuns, .tooManyRuns, .stopped: .code(FailureCode.busy)
        }
    }

    var description: String {
        switch self {
        case .malformedName(let name):
            """
            \(name.isEmpty ? "An empty name" : name) cannot be a command's name. Use 1 to \(SavedCommandLimits.name) letters, digits, \
            hyphens, underscores and dots, with no hyphen first.
            """
        case .noProgram: "The command names no program. Write it after --, for example: -- make test."
        case .tooLong(let limit):
            "The command is longer than \(limit >> 10) KiB. Put it into a script and save a command that runs the script."
        case .zeroByte: "The command holds a zero byte, which no program can be given. Take it out."
        case .relativeProgram(let program):
            "The program \(program) is neither a name nor an absolute path. Write its whole path, or only its name."
        case .relativeFolder(let folder): "The folder \(folder) is not an absolute path. Begin it with a slash."
        case .malformedTimeout(let seconds):
            "--timeout is in seconds and must be 1 to \(SavedCommand.timeouts.upperBound), not \(seconds)."
        case .nameTaken(let name):
            "There is a saved command called \(name) already. Choose another name, or change that one."
        case .tooMany(let limit): "This computer keeps at most \(limit) saved commands. Remove one first."
        case .unknown:
            "The computer has no such command for this phone. Its owner may have removed it or not allowed it to this phone."
        case .unknownRun: "The computer knows no such run. It may have ended long ago."
        case .notConfirmed(let name):
            "The command \(name) runs only after you confirm it on the phone. Confirm it and try again."
        case .alreadyRuns(let name): "\(name) runs already. Wait for its end, or stop it first."
        case .noCommand(let name): "There is no saved command \(name). See them with: tandem commands list"
        case .noPhone(let name): "No paired phone is called \(name). See them with: tandem devices list"
        case .severalPhones(let name, let ids):
            "Several phones are called \(name). Name one by its id: \(ids.joined(separator: ", "))."
        case .stopped: "The computer's program ends, and starts no more commands. Try again in a moment."
        case .tooManyRuns(let limit):
            "\(limit) commands run at the computer already. Wait for one to end, or stop one."
        }
    }
}
