import Accounts
import AccountsHub
import ArgumentParser
import Control
import Kernel

struct HubInviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Make an invitation to the running hub: a link and a code, shown this once.",
        discussion: """
            Who may make an account is the setting accounts: nobody, invitation (the default) or anybody.
            """
    )

    @OptionGroup var global: GlobalOptions
    @Option(help: ArgumentHelp("How many people may come with it. Default: 1.", valueName: "n")) var uses: Int?
    @Option(help: ArgumentHelp("For how many days it is good. Default: 7.", valueName: "n")) var days: Int?

    func run() async throws {
        let client = global.client(for: .hub)
        let invite = AccountsControl.Invite(uses: uses, days: days)
        var answer = try await client.call(AccountsControl.invite.asWire, invite)
        let status = try await client.call("status", [:], onItem: { _ in })
        // A computer that serves as a hub has no one address to name.
        if let hub = status["url"]?.stringValue, let code = answer["code"]?.stringValue.flatMap({ InvitationCode($0) })
        {
            let link = InvitationLink(hub: hub, code: code)
            answer = answer.adding("link", .string(link.text))
            if let page = status["phonePage"]?.stringValue {
                answer = answer.adding("pageLink", .string(link.text(at: page)))
            }
        }
        let (link, pageLink) = (answer["link"]?.stringValue, answer["pageLink"]?.stringValue)
        try Output.result(answer, as: global.json) { (invited: AccountsControl.Invited) in
            Self.lines(invited, link: link, pageLink: pageLink)
        }
    }

    /// - Parameters:
    ///   - link: For programs on phones; nil without an address of the hub.
    ///   - pageLink: For telephones without a program; nil where the hub serves no page for them.
    private static func lines(_ invited: AccountsControl.Invited, link: String?, pageLink: String?) -> String {
        let code = InvitationCode(invited.code)?.description ?? invited.code
        let people = invited.uses == 1 ? "one person" : "\(invited.uses) people"
        var lines = [pageLink ?? link].compactMap(\.self).map(TerminalText.line)
        if pageLink != nil, let link { lines.append("For a phone’s program: \(TerminalText.line(link))") }
        lines.append("Code: \(code)")
        lines.append("It is good for \(people) until \(Output.time(invited.endsAt)), and is shown this once.")
        lines.append("Take it back: tandem hub invitations take-back \(invited.id)")
        switch invited.admission {
        case "nobody":
            lines.append("This hub takes no new accounts now, so nobody can use it: see the setting accounts.")
        case "anybody": lines.append("Anybody may make an account at this hub, with or without it.")
        default: break
        }
        return lines.joined(separator: "\n")
    }
}

struct HubInvitationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invitations",
        abstract: "The open invitations to the running hub.",
        subcommands: [List.self, TakeBack.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the open invitations, the oldest first.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.show(AccountsControl.invitations, of: .hub) { list in
                guard !list.invitations.isEmpty else {
                    return "There is no open invitation. Make one with: tandem hub invite"
                }
                return Output.table(
                    ["USED", "MADE", "UNTIL", "ID"],
                    list.invitations.map {
                        ["\($0.used) of \($0.uses)", Output.when($0.createdAt), Output.time($0.endsAt), $0.id]
                    }
                )
            }
        }
    }

    struct TakeBack: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "take-back",
            abstract: "Take an invitation back. Accounts that were made with it stay."
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The id, as in: tandem hub invitations") var id: String

        func run() async throws {
            try await global.show(AccountsControl.takeBack, .init(id), of: .hub) { _ in "The invitation is void." }
        }
    }
}
