import Accounts
import AccountsClient
import ArgumentParser
import Control
import Foundation
import Kernel

struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "The account that this phone has at a hub, by which people write to each other.",
        discussion: """
            A phone has one account at a time. Its key opens it; a password is only for signing in elsewhere, and is asked for, never an argument.
            """,
        subcommands: [
            Show.self, New.self, LogIn.self, Picture.self, Devices.self, SignOut.self, Password.self, LogOut.self,
            Export.self,
            Delete.self,
        ],
        defaultSubcommand: Show.self
    )

    private static func line(_ account: AccountControl.AccountEntry) -> String {
        "\(account.name) (\(account.userID)) at \(account.hub), shown as \(TerminalText.line(account.nickname))"
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the account of this phone.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.show(AccountControl.show, of: .phone) { standing in
                standing.account.map(AccountCommand.line)
                    ?? "This phone has no account. Make one with: tandem account new HUB NAME"
            }
        }
    }

    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an account at a hub.",
            discussion: """
                HUB is the hub's address, or the link that tandem hub invite printed there, which has the invitation in it.
                """
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The hub's address or an invitation's link.") var hub: String
        @Argument(help: "The name: small letters, digits, and . _ - in between.") var name: String
        @Option(help: ArgumentHelp("The name to show. Default: the account's.", valueName: "text"))
        var nickname: String?
        @Option(help: ArgumentHelp("The code of an invitation.", valueName: "code")) var invitation: String?
        @Flag(help: "Ask for a password, with which other devices may sign in.") var password = false

        func run() async throws {
            let link = InvitationLink(text: hub)
            let account = AccountControl.NewAccount(
                hub: link?.hub ?? hub,
                name: name,
                nickname: nickname,
                password: password ? try await TypedPassword.new() : nil,
                invitation: invitation ?? link?.code.digits
            )
            try await global.show(AccountControl.new, account, of: .phone) { AccountCommand.line($0) }
        }
    }

    struct LogIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "login",
            abstract: "Sign in to an account at a hub, by this phone's key or by name and password."
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The hub's address.") var hub: String
        @Option(help: ArgumentHelp("The account's name; its password is asked for.", valueName: "name"))
        var name: String?

        func run() async throws {
            let login = AccountControl.AccountLogin(
                hub: hub,
                name: name,
                password: name == nil ? nil : try await TypedPassword.line("The password:")
            )
            try await global.show(AccountControl.login, login, of: .phone) { AccountCommand.line($0) }
        }
    }

    struct Devices: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the devices that are signed in to the account.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.show(AccountControl.devices, of: .phone) { list in
                Output.table(
                    ["DEVICE", "PLATFORM", "KEY", "LAST SEEN", "FROM", "ID"],
                    list.devices.map {
                        [
                            $0.name + ($0.isCurrent ? " (this one)" : ""), "\($0.platformID)",
                            $0.did == nil ? "no" : "yes", Output.when($0.lastSeenAt), $0.address ?? "", $0.device,
                        ]
                    }
                )
            }
        }
    }

    struct SignOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-out",
            abstract: "Sign another device out. Its key opens the account no more."
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The id, as in: tandem account devices") var device: String

        func run() async throws {
            try await global.show(AccountControl.endDevice, .init(device: device), of: .phone) { _ in
                "The device is signed out."
            }
        }
    }

    struct Password: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set the account's password, or another one. Other devices are signed out.",
            discussion: """
                In a terminal it is asked for. Through a pipe come two lines, the old password and the new one, or the new one alone where there was none.
                """
        )
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            let (old, new) = try await TypedPassword.change()
            try await global.show(AccountControl.password, .init(old: old, new: new), of: .phone) { _ in
                "The password is set. Other devices of the account are signed out."
            }
        }
    }

    struct LogOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "logout",
            abstract: "Sign this phone out. The account stays at its hub."
        )
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.show(AccountControl.logout, of: .phone) { ended in
                ended.hubWasTold
                    ? "This phone is signed out."
                    : "This phone is signed out. Its hub is away and was not told: end the session there later."
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete the account and all that its hub keeps of it. There is no way back."
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The account's name, to confirm.") var name: String

        func run() async throws {
            try await global.show(AccountControl.delete, .init(name: name), of: .phone) { _ in
                "The account \(name) is deleted."
            }
        }
    }
}

/// A password as a person types it: without an echo in a terminal, the first line of what comes through a pipe.
enum TypedPassword {
    /// Bytes; the hub takes no longer ones.
    private static let limit = 1024
    private static let backspaces: Set<UInt8> = [0x08, 0x7F]

    /// A password that is typed twice where a person types it.
    static func new() async throws -> String {
        let first = try await line("A password of at least 10 characters:")
        guard Running.console.isTerminal(.input) else { return first }
        guard try await line("The same again:") == first else { throw CommandError.passwordsDiffer }
        return first
    }

    /// The password before, nil for none, and a new one.
    static func change() async throws -> (old: String?, new: String) {
        guard Running.console.isTerminal(.input) else {
            let lines = try await TypedSecret.all().split(separator: "\n", maxSplits: 1).map(String.init)
            return (lines.count == 2 ? lines[0] : nil, lines.last ?? "")
        }
        let old = try await line("The password so far (empty where there is none):")
        return (old.isEmpty ? nil : old, try await new())
    }

    /// - Throws: `CancellationError` for Ctrl-C.
    static func line(_ question: String) async throws -> String {
        let console = Running.console
        let raw = console.makeRaw()
        // Asked once nothing is echoed, whatever is typed at once; in a raw terminal a line feed alone leaves the column.
        let end = raw == nil ? "\n" : "\r\n"
        if console.isTerminal(.input) { try? console.write(Data((question + end).utf8), to: .error) }
        guard let terminal = raw else {
            return try await TypedSecret.line(asking: question, canAsk: false)
        }
        defer { terminal.restore() }
        var typed: [UInt8] = []
        for await piece in StandardInput() {
            for byte in piece {
                switch byte {
                case 0x0A, 0x0D: return String(decoding: typed, as: UTF8.self)
                case 0x03, 0x04: throw CancellationError()
                case _ where backspaces.contains(byte):
                    // The bytes of one letter, of which the first has another beginning than the rest (RFC 3629).
                    while let last = typed.popLast(), last & 0xC0 == 0x80 {}
                default:
                    guard typed.count < limit else { throw CommandError.tooMuchInput(limit: limit) }
                    typed.append(byte)
                }
            }
        }
        return String(decoding: typed, as: UTF8.self)
    }
}
