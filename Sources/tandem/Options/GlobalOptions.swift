public import ArgumentParser
import Control
import Foundation
import Kernel
public import Logging

/// What every command takes.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The state folder of the running role. Default: $XDG_STATE_HOME/tandem/<role>.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var state: String?

    @Flag(help: "Print one JSON value, with the wire's names.")
    var json = false

    /// The folder of a role that is about to run, made when it is missing.
    func folder(role: Role) throws -> StateFolder { try StateFolder(location(of: role)) }

    /// - Parameter role: Whose default folder is meant when `--state` is not given.
    func client(for role: Role) -> ControlClient {
        ControlClient(folder: StateFolder(at: location(of: role)), role: role.rawValue)
    }

    func location(of role: Role) -> URL {
        guard let state else {
            return StateFolder.defaultURL(role: role.rawValue, environment: ProcessInfo.processInfo.environment)
        }
        return URL(fileURLWithPath: (state as NSString).expandingTildeInPath, isDirectory: true)
    }
}

/// What a process can be.
enum Role: String, CaseIterable, ExpressibleByArgument {
    case hub
    case desktop
    case phone
}

/// What the commands that keep running take as well.
struct LogOptions: ParsableArguments {
    @Option(
        help: "The least important messages to log to stderr: trace, debug, info, notice, warning, error or critical."
    )
    var logLevel: Logger.Level = .notice

    func logger(_ label: String) -> Logger {
        var logger = Logger(label: label, factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = logLevel
        return logger
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
