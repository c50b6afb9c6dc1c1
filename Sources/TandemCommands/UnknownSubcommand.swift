import ArgumentParser
import Kernel

/// A subcommand that is meant where none is named. Then it takes no words: one could be a subcommand that was mistyped.
protocol ImpliedCommand: ParsableCommand {
    /// The words that were given besides options.
    var words: [String] { get }
}

/// A word where a subcommand's name belongs. The description is shown to the person.
struct UnknownSubcommand: Error, Hashable, CustomStringConvertible {
    /// For example `tandem files`.
    let command: String
    let word: String
    let known: [String]

    var description: String {
        "\(command) has no subcommand \(TerminalText.name(word)). It has: \(known.joined(separator: ", ")). "
            + "What each does: \(command) --help"
    }

    /// Follows the words down the tree of commands.
    ///
    /// - Throws: ``UnknownSubcommand`` for the first word that names none where one is named.
    static func refuse(in arguments: [String]) throws(UnknownSubcommand) {
        let (path, rest) = follow(arguments)
        guard let type = path.last, let word = rest.first, !word.hasPrefix("-"), !children(of: type).isEmpty else {
            return
        }
        // The parser's own.
        guard path.count > 1 || word != "help" else { return }
        throw UnknownSubcommand(path, word)
    }

    /// - Parameters:
    ///   - words: What `command` was given.
    ///   - arguments: In which its name stands, or not.
    /// - Throws: ``UnknownSubcommand`` when it was implied and got words.
    static func refuse(_ words: [String], of command: any ParsableCommand, in arguments: [String])
        throws(UnknownSubcommand)
    {
        let path = follow(arguments).path
        guard let word = words.first, path.last != type(of: command) else { return }
        throw UnknownSubcommand(path, word)
    }

    private init(_ path: [any ParsableCommand.Type], _ word: String) {
        command = path.map { $0._commandName }.joined(separator: " ")
        self.word = word
        var known: [String] = []
        for type in path.suffix(1) {
            for child in Self.children(of: type) where child.configuration.shouldDisplay {
                known.append(child._commandName)
            }
        }
        self.known = known
    }

    /// The commands that the first words name, the root first, and the words after them.
    private static func follow(_ arguments: [String]) -> (path: [any ParsableCommand.Type], rest: ArraySlice<String>) {
        var path: [any ParsableCommand.Type] = [Tandem.self]
        var rest = arguments[...]
        while let type = path.last, let word = rest.first,
            let child = children(of: type).first(where: { $0._commandName == word })
        {
            path.append(child)
            rest = rest.dropFirst()
        }
        return (path, rest)
    }

    private static func children(of type: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        type.configuration.subcommands
    }
}
