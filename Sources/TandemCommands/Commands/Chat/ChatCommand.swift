import ArgumentParser

struct ChatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Conversations with other people at the hub where this phone has an account.",
        discussion: """
            For example: tandem chat add ada "Hello!", tandem chat open ada, or date | tandem chat send ada
            A person is an account's name, a number as tb_7, a link, or the shown name where only one has it. A message is named by its id or the \
            beginning of it, which tandem chat history NAME --ids prints.
            """,
        subcommands: [
            List.self, Open.self, Send.self, Image.self, Flash.self, Voice.self, Quote.self, History.self, Search.self,
            Save.self, View.self, Recall.self, Resend.self, Discard.self, Read.self, Pin.self, Mute.self, Hide.self,
            Clear.self, Block.self, Report.self, Follow.self, Contacts.self, Add.self, Accept.self, Decline.self,
            Link.self, Safety.self, Verify.self, Agree.self, Devices.self,
        ],
        defaultSubcommand: List.self
    )
}
