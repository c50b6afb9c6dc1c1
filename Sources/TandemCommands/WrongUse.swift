import ArgumentParser

/// Words that a command refuses only while it runs, because they depend on stdin or on the role that answers. The parser
/// shows the usage of what it refuses itself; of this it has forgotten which command it was.
struct WrongUse: Error, CustomStringConvertible {
    private let command: any ParsableCommand.Type
    private let message: String

    init(of command: any ParsableCommand.Type, message: String) {
        self.command = command
        self.message = message
    }

    var description: String { message }

    /// The message with the command's usage below it, as the parser writes it.
    var text: String {
        let usage = Tandem.usageString(for: command).split(separator: "\n").joined(separator: "\n       ")
        let words = Self.path(to: command, from: Tandem.self) ?? [Tandem._commandName]
        return """
            Error: \(message)
            Usage: \(usage)
              See '\(words.joined(separator: " ")) --help' for more information.
            """
    }

    private static func path(to command: any ParsableCommand.Type, from root: any ParsableCommand.Type) -> [String]? {
        guard root != command else { return [root._commandName] }
        for child in root.configuration.subcommands {
            if let rest = path(to: command, from: child) { return [root._commandName] + rest }
        }
        return nil
    }
}
