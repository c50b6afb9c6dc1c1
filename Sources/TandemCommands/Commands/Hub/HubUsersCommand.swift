import Accounts
import AccountsHub
import ArgumentParser
import Control
import Kernel

struct HubUsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "The people with accounts at the running hub.",
        subcommands: [
            List.self, Show.self, Suspend.self, Resume.self, Delete.self, EndSessions.self,
        ],
        defaultSubcommand: List.self
    )

    /// The person that a command is about.
    struct UserArgument: ParsableArguments {
        @Argument(help: "The person's name, or id as in: tandem hub users") var user: String

        var reference: AccountsControl.UserReference { .init(user) }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List people, by their numbers.")
        @OptionGroup var global: GlobalOptions
        @Option(help: ArgumentHelp("How many to list. Default: 100.", valueName: "n")) var limit: Int?
        @Option(help: ArgumentHelp("Begin behind the person with this number.", valueName: "number")) var after: Int64?

        func run() async throws {
            try await global.show(AccountsControl.list, .init(limit: limit, after: after), of: .hub) { list in
                guard !list.users.isEmpty else {
                    return after == nil
                        ? "Nobody has an account. Invite somebody with: tandem hub invite" : "There are no more."
                }
                let table = Output.table(
                    ["NAME", "NICKNAME", "STATE", "DEVICES", "LAST SEEN", "ID"],
                    list.users.map {
                        [
                            $0.name, $0.nickname == $0.name ? "" : $0.nickname, $0.suspended ? "suspended" : "active",
                            "\($0.devices)", Output.when($0.lastSeenAt), $0.userID,
                        ]
                    }
                )
                let more = list.next.map { "\nThere are \(list.total) in all. More: tandem hub users --after \($0)" }
                return table + (more ?? "")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a person's account and devices.")
        @OptionGroup var global: GlobalOptions
        @OptionGroup var person: UserArgument

        func run() async throws {
            try await global.show(AccountsControl.show, person.reference, of: .hub) { details in
                let user = details.user
                let head = """
                    \(user.name) (\(user.userID)), shown as \(user.nickname), \(user.suspended ? "suspended" : "active")
                    Made: \(Output.time(user.createdAt))
                    """
                guard !details.devices.isEmpty else { return head + "\nNo device is signed in." }
                let table = Output.table(
                    ["DEVICE", "PLATFORM", "KEY", "LAST SEEN", "FROM", "ID"],
                    details.devices.map {
                        [
                            $0.name, "\($0.platformID)", $0.did == nil ? "no" : "yes", Output.when($0.lastSeenAt),
                            $0.address ?? "", $0.device,
                        ]
                    }
                )
                return head + "\n" + table
            }
        }
    }

    struct Suspend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a person's account do nothing until it is resumed. What is open is closed at once."
        )
        @OptionGroup var global: GlobalOptions
        @OptionGroup var person: UserArgument

        func run() async throws {
            try await global.show(AccountsControl.suspend, person.reference, of: .hub) { user in
                "\(user.name) is suspended. Let the account go on with: tandem hub users resume \(user.name)"
            }
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Let a suspended account go on.")
        @OptionGroup var global: GlobalOptions
        @OptionGroup var person: UserArgument

        func run() async throws {
            try await global.show(AccountsControl.resume, person.reference, of: .hub) { "\($0.name) may go on." }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete an account with everything that the hub keeps of it. There is no way back.",
            discussion: "For 30 days nobody else gets its name."
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The person's name; an id is not enough.") var name: String

        func run() async throws {
            try await global.show(AccountsControl.delete, .init(name), of: .hub) { user in
                "The account \(user.name) (\(user.userID)) is deleted."
            }
        }
    }

    struct EndSessions: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "end-sessions",
            abstract: "Sign a person out on all devices. They may sign in again."
        )
        @OptionGroup var global: GlobalOptions
        @OptionGroup var person: UserArgument

        func run() async throws {
            try await global.show(AccountsControl.endSessions, person.reference, of: .hub) { ended in
                "\(ended.name) is signed out on \(ended.count == 1 ? "one device" : "\(ended.count) devices")."
            }
        }
    }
}
