import ArgumentParser
import Files
import Foundation
import Kernel

/// The command line from its words to its exit status.
public enum TandemProgram {
    /// A word of the command line, also the name of a file whose bytes are not UTF-8.
    public static func argument(_ word: UnsafePointer<CChar>) -> String { LocalPath.text(ofArgument: word) }

    /// - Parameter arguments: Without the program's name.
    /// - Returns: 0 done, 1 refused or failed with one line that says what to do, 2 wrong use; of a terminal its shell's.
    public static func run(_ arguments: [String]) async -> Int32 {
        await run(arguments, on: ProcessConsole())
    }

    static func run(_ arguments: [String], on console: any Console) async -> Int32 {
        await Running.$console.withValue(console) {
            do {
                try await perform(arguments)
                return 0
            } catch {
                return end(with: error, asJSON: wantsJSON(arguments))
            }
        }
    }

    private static func perform(_ arguments: [String]) async throws {
        try UnknownSubcommand.refuse(in: arguments)
        var command = try Tandem.parseAsRoot(arguments)
        guard HomeFolder.path(environment: Running.console.environment) != nil else { throw SettingsError.noHome }
        if let command = command as? any ImpliedCommand {
            try UnknownSubcommand.refuse(command.words, of: command, in: arguments)
        }
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let error as ValidationError {
            throw WrongUse(of: type(of: command), message: error.message)
        }
    }

    /// Looked up in the words themselves: wrong use has no options to ask.
    private static func wantsJSON(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains("--json")
    }

    // MARK: The end

    private static func end(with error: any Error, asJSON json: Bool) -> Int32 {
        // Written to a reader that has gone; the status is what a shell gives for SIGPIPE.
        if case ConsoleError.readerGone = error { return 141 }
        let status = status(of: error)
        guard status != 0 else {
            do {
                try Output.result(Tandem.fullMessage(for: error, columns: columns))
                return 0
            } catch {
                return end(with: error, asJSON: json)
            }
        }
        // The status of a shell says all there is to say.
        guard !(error is ExitCode) else { return status }
        let isUsage = Tandem.exitCode(for: error) == .validationFailure
        if let error = error as? WrongUse, !json {
            Output.complain(error.text)
        } else if json {
            let message = isUsage ? Tandem.message(for: error) : "\(error)"
            let text = JSONValue.object(["error": ["message": .string(message), "status": .integer(Int64(status))]])
            Output.complain(TerminalText.json(text.canonicalText))
        } else if isUsage {
            Output.complain(Tandem.fullMessage(for: error, columns: columns))
        } else {
            // One row, whatever a peer wrote into its reason.
            Output.complain("Error: \(TerminalText.line("\(error)"))")
        }
        return status
    }

    private static func status(of error: any Error) -> Int32 {
        if let code = error as? ExitCode { return code.rawValue }
        switch Tandem.exitCode(for: error) {
        case .success: return 0
        case .validationFailure: return 2
        // A setting that cannot be used is wrong use, wherever it was set.
        default: return isWrongUse(error) ? 2 : 1
        }
    }

    private static func isWrongUse(_ error: any Error) -> Bool {
        error is SettingsError || error is ServerOptionsError || error is UnknownSubcommand || error is WrongUse
    }

    private static var columns: Int { Running.console.window()?.columns ?? 80 }
}
