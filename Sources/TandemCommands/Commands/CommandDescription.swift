import ArgumentParser
import Foundation

/// A command with its options and subcommands, as the parser itself describes them.
struct CommandDescription: Decodable {
    struct Argument: Decodable {
        enum Kind: String, Decodable {
            case positional, option, flag
        }

        struct Name: Decodable {
            enum Kind: String, Decodable {
                case long, short, longWithSingleDash
            }

            let kind: Kind
            let name: String
        }

        let kind: Kind
        let shouldDisplay: Bool
        let isOptional: Bool
        let isRepeating: Bool
        let names: [Name]?
        let valueName: String?
        let defaultValue: String?
        let allValues: [String]?
        let abstract: String?
        let discussion: String?
    }

    private struct Dump: Decodable {
        let command: CommandDescription
    }

    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool
    let defaultSubcommand: String?
    let subcommands: [CommandDescription]?
    let arguments: [Argument]?

    /// - Throws: `DecodingError` when the parser describes itself in another way than this program was built for.
    static func ofProgram() throws -> CommandDescription {
        do {
            _ = try Tandem.parseAsRoot(["--experimental-dump-help"])
        } catch {
            return try JSONDecoder().decode(Dump.self, from: Data(Tandem.fullMessage(for: error, columns: 80).utf8))
                .command
        }
        throw CommandError.unreadableAnswer
    }
}
