import ArgumentParser
import Bridge
import Control
import Foundation
import Kernel
import QRCodes
import Rights

struct BridgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bridge",
        abstract:
            "The bridge on port 9099, for programs that speak the documented protocol: its tokens, and how it stands.",
        discussion: """
            Each device has a token of its own. It is told once, when it is made, and can be taken back at any time.
            """,
        subcommands: [StatusCommand.self, Token.self, Show.self],
        defaultSubcommand: StatusCommand.self
    )

    struct StatusCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Where the bridge listens, who is connected, and what it refused."
        )
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.show(BridgeControl.status, of: .desktop, BridgeCommand.lines)
        }
    }

    struct Token: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The tokens by which devices are known.",
            subcommands: [New.self, List.self, Revoke.self],
            defaultSubcommand: List.self
        )

        struct New: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Make a token for one device. It is shown this once."
            )
            @OptionGroup var global: GlobalOptions
            @Option(help: "What the device is called.") var name: String?
            @Option(
                help: ArgumentHelp(
                    "What it may do, by rights with commas between; may be repeated. Default: what every token may.",
                    valueName: "right"
                )
            )
            var allow: [String] = []
            @Flag(help: "Show a code instead, which gives a token to the device that scans it within five minutes.")
            var qr = false

            func run() async throws {
                try await BridgeCommand.make(NewBridgeToken(name: name, rights: allow, code: qr), global)
            }
        }

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "List the tokens, the oldest first.")
            @OptionGroup var global: GlobalOptions

            func run() async throws {
                try await global.show(BridgeControl.tokens, of: .desktop) { list in
                    guard !list.tokens.isEmpty else {
                        return "There is no token. Make one with: tandem bridge token new"
                    }
                    return Output.table(
                        ["NAME", "MAY", "SOCKETS", "LAST SEEN", "FROM", "ID"],
                        list.tokens.map {
                            [
                                $0.name, $0.rights.map(\.rawValue).joined(separator: ", "), "\($0.sockets)",
                                Output.time($0.lastSeenAt), $0.address ?? "", $0.id,
                            ]
                        }
                    )
                }
            }
        }

        struct Revoke: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Take a token back. Its sockets are closed at once."
            )
            @OptionGroup var global: GlobalOptions
            @Argument(help: "The token's id, or its device's name.") var id: String

            func run() async throws {
                try await global.show(BridgeControl.revoke, BridgeTokenName(id), of: .desktop) { token in
                    "\(token.name) can no longer use the bridge."
                        + (token.sockets > 0 ? " \(token.sockets) of its sockets were closed." : "")
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a code that gives a token to the device that scans it within five minutes."
        )
        @OptionGroup var global: GlobalOptions
        @Option(help: "What the device is called. Default: as it calls itself.") var name: String?

        func run() async throws {
            try await BridgeCommand.make(NewBridgeToken(name: name, code: true), global)
        }
    }

    private static func make(_ new: NewBridgeToken, _ global: GlobalOptions) async throws {
        guard new.code == true, !global.json, Running.console.isTerminal(.output) else {
            return try await global.show(BridgeControl.newToken, new, of: .desktop, given)
        }
        let end = try await global.client(for: .desktop).call(BridgeControl.watchCode, new) { code in
            try Output.result(given(code) + "\nWaiting for the device. Ctrl-C ends the waiting; the code stays good.")
        }
        guard let entry = end.entry else {
            return try Output.result("No device used the code, and it is over. Show another one: tandem bridge show")
        }
        let name = TerminalText.line(entry.name)
        let place = entry.address.map { " from \(TerminalText.line($0))" } ?? ""
        try Output.result(
            """
            \(name) has its token now, taken\(place).
            Was that another device than you meant? Take it back: tandem bridge token revoke \(entry.id)
            """
        )
    }

    private static func given(_ given: GivenBridgeToken) throws -> String {
        let rights = given.rights.map(\.rawValue).joined(separator: ", ")
        let may = "It may: \(rights.isEmpty ? "nothing on this computer" : rights)."
        if let token = given.token, let entry = given.entry {
            return """
                \(token)
                This is the token of \(entry.name), shown this once. \(may)
                """
        }
        let payload = given.payload ?? ""
        let below = """
            \(payload)
            Scan this with the device, until \(Output.time(given.expiresAt)). \(may)
            """
        // The text takes more than one row in a narrow window.
        return try CodeOnTerminal.text(payload, linesBelow: 6, below: below) { needed, given in
            "The code to scan needs a window of \(needed.columns) columns and \(needed.rows) lines; this one has "
                + "\(given.columns) and \(given.rows). Make it larger and show a new code, or give the device this text:\n"
                + below
        }
    }

    static func lines(_ status: BridgeStatus) -> String {
        guard let address = status.address else {
            return "The bridge is off. Start the computer's side with --bridge 0.0.0.0:9099 to turn it on."
        }
        var lines: [String] = []
        if let port = status.port {
            lines.append("The bridge listens on port \(port) of \(address).")
        } else {
            lines.append(status.problem ?? "The bridge does not listen yet.")
        }
        if let fingerprint = status.fingerprint { lines.append("Key:          \(fingerprint)") }
        lines.append("Without TLS:  \(status.plain ? "this machine and the local network" : "this machine only")")
        lines.append("Sockets:      \(status.sockets), and \(status.unproven) that have yet to prove themselves")
        lines.append("Tokens:       \(status.tokens)")
        let refused = status.refused.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.value) \(refusals[$0.key] ?? $0.key)" }
        lines.append("Refused:      \(refused.first ?? "nothing")")
        lines += refused.dropFirst().map { "              \($0)" }
        return lines.joined(separator: "\n")
    }

    /// The meanings of the words of ``BridgeStatus/refused``, with what helps where something does. A newer computer may know others.
    private static let refusals = [
        "token": "with a token or code that is not known here",
        "guesses": "that came while their address had to wait after wrong tokens",
        "hello": "whose first message was no Hello",
        "silence": "that said nothing for ten seconds",
        "places": "that had proved nothing yet and gave way to newer ones",
        "sockets": "beyond the number of sockets",
        "handshakes": "beyond the number of new sessions",
        "host": "for a name that is not this computer's (see bridgeNames)",
        "origin": "from pages of other sites (see bridgeOrigins)",
        "plain": "without TLS, from where TLS is needed (see bridgePlain)",
    ]
}
