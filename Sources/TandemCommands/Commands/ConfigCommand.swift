import ArgumentParser
import Capabilities
import Foundation
import Kernel
import Logging

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "The settings a role would start with: from the environment and config.json in its state folder.",
        discussion: """
            What is typed wins over the environment (TANDEM_HUB=…), that over config.json ({"hub": "wss://…"}), that over \
            the default. A name in the environment is the option's, in capitals: --no-discovery is TANDEM_NO_DISCOVERY.
            """,
        subcommands: [Check.self, Show.self],
        defaultSubcommand: Show.self
    )

    struct Options: ParsableArguments {
        @OptionGroup var global: GlobalOptions
        @Option(help: ArgumentHelp("Whose settings.", valueName: "role")) var role: Role =
            .desktop

        func settings() throws -> Settings { try global.settings(of: role) }

        /// Says all of them, the last one as the command's error; a program gets one error.
        func refuse(_ mistakes: [SettingsError]) throws(SettingsError) {
            guard let last = mistakes.last else { return }
            guard !global.json || mistakes.count == 1 else { throw .several(mistakes) }
            for mistake in mistakes.dropLast() { Output.complain("Error: \(TerminalText.line("\(mistake)"))") }
            throw last
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say whether the settings can be used; else what is wrong."
        )
        @OptionGroup var options: Options

        func run() async throws {
            let settings = try options.settings()
            try options.refuse(settings.mistakes)
            let answer: JSONValue = ["path": .string(settings.path), "works": true]
            try Output.result(answer, as: options.global.json) { (_: JSONValue) in
                "The settings can be used. File: \(TerminalText.name(settings.path))"
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print every setting, its value and where that is from."
        )
        @OptionGroup var options: Options

        func run() async throws {
            let settings = try options.settings()
            let members = settings.entries.map { entry -> (String, JSONValue) in
                (
                    entry.key,
                    ["value": Self.shown(entry.value, of: entry.key), "source": .string(entry.source.rawValue)]
                )
            }
            let answer: JSONValue = .object(Dictionary(members, uniquingKeysWith: { first, _ in first }))
            try Output.result(answer, as: options.global.json) { (_: JSONValue) in
                Output.table(
                    ["SETTING", "VALUE", "FROM", "IN THE ENVIRONMENT"],
                    settings.entries.map { entry in
                        [
                            entry.key, Self.words(Self.shown(entry.value, of: entry.key)), entry.source.rawValue,
                            Settings.variable(entry.key),
                        ]
                    }
                )
            }
            try options.refuse(settings.mistakes)
        }

        /// Of a secret only whether it is set: what is printed may be looked at by others.
        private static func shown(_ value: JSONValue, of key: String) -> JSONValue {
            guard value != .null,
                Live.hubFeatures.flatMap(\.manifest.settings).contains(where: { $0.isSecret && $0.name == key })
            else { return value }
            return "(set)"
        }

        private static func words(_ value: JSONValue) -> String {
            switch value {
            case .null, .array([]): "-"
            case .string(let text): text
            case .array(let values): values.compactMap(\.stringValue).joined(separator: ", ")
            default: value.canonicalText
            }
        }
    }
}

extension GlobalOptions {
    /// Reads everything the role reads when nothing is typed, and starts nothing.
    func settings(of role: Role) throws -> Settings {
        let settings = try Settings(folder: StateFolder(at: location(of: role)))
        _ = try LogOptions.parse([]).logger("tandem", settings)
        switch role {
        case .hub:
            let server = try ServerOptions.parse([])
            _ = settings.flag(server.metrics, "metrics")
            let folder = StateFolder(at: location(of: role))
            _ = try server.hubConfiguration(settings, certificates: CertificateOptions.parse([]), in: folder)
            _ = try PageOptions.parse([]).values(settings, for: .hub)
            _ = settings.of(Live.hubFeatures.map(\.manifest))
        case .desktop:
            let options = try DesktopOptions.parse([])
            _ = settings.flag(options.server.metrics, "metrics")
            _ = try options.configuration(settings, state: location(of: role))
        case .phone: _ = try PhoneOptions.parse([]).values(settings)
        }
        return settings
    }
}
