public import ArgumentParser
import Control
import Foundation
import Kernel
public import Logging

/// The options of every command.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The state folder of the running role. Default: $TANDEM_STATE, else ~/.local/state/tandem/<role> or what "
                + "$XDG_STATE_HOME says.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var state: String?

    @Flag(help: "Print one JSON value, with the wire's names; an error as one on stderr.")
    var json = false

    /// The folder of a role that is about to run, made when it is missing. Every file that the process makes from here on
    /// is its person's only, also those that a library makes beside a database.
    func folder(role: Role) throws -> StateFolder {
        Live.keepFilesPrivate()
        return try StateFolder(location(of: role))
    }

    /// - Parameter role: Whose default folder is meant when `--state` is not given.
    func client(for role: Role) -> ControlClient {
        ControlClient(folder: StateFolder(at: place(of: role)), role: role.rawValue)
    }

    /// Asks the running role and prints its answer: as it came with `--json`, else in lines for a person.
    func show<Parameters, Answer>(
        _ method: ControlMethod<Parameters, Answer>,
        _ parameters: Parameters,
        of role: Role,
        _ lines: (Answer) throws -> String
    ) async throws {
        try Output.result(try await client(for: role).call(method.asWire, parameters), as: json, lines)
    }

    func show<Answer>(
        _ method: ControlMethod<NoControlParameters, Answer>,
        of role: Role,
        _ lines: (Answer) throws -> String
    ) async throws {
        try await show(method, NoControlParameters(), of: role, lines)
    }

    /// Where a running role is asked: a phone that `tandem up` runs has its folder inside the one that is named.
    func place(of role: Role) -> URL {
        let location = location(of: role)
        guard role == .phone, chosenState() != nil else { return location }
        let inner = StateFolder(at: location.appending(path: Role.phone.rawValue))
        return FileManager.default.fileExists(atPath: inner.controlSocketURL.path) ? inner.url : location
    }

    /// The state folder that was typed, or set in the environment.
    func chosenState(in environment: [String: String] = Running.console.environment) -> String? {
        state ?? environment[Settings.variable("state")].flatMap { $0.isEmpty ? nil : $0 }
    }

    func location(of role: Role, in environment: [String: String] = Running.console.environment) -> URL {
        guard let chosen = chosenState(in: environment) else {
            return StateFolder.defaultURL(role: role.rawValue, environment: environment)
        }
        return Live.path(typed: chosen)
    }
}

/// The role of a process.
enum Role: String, CaseIterable, ExpressibleByArgument {
    case hub
    case desktop
    case phone
}

/// The additional options of commands that keep running.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The least important messages to log to stderr. Default: notice.
            """,
            valueName: "level"
        )
    )
    var logLevel: Logger.Level?

    func logger(_ label: String, _ settings: Settings) -> Logger {
        var logger = Logger(label: label, factory: { TerminalLogHandler(label: $0) })
        logger.logLevel = settings.choice(logLevel, "logLevel", default: .notice)
        return logger
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
