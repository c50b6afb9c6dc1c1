import ArgumentParser

struct JournalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "The journal of this phone: stories, categories, pictures and videos.",
        discussion: """
            For example: tandem journal add "A walk" --title Sunday, tandem journal search walk, or tandem journal import export.zip
            A story is named by its id or a beginning that no other has, a category by its path as Travel/Italy, or its name where only one has it.
            """,
        subcommands: [
            List.self, Show.self, Add.self, Edit.self, Delete.self, Restore.self, Purge.self, Search.self,
            Categories.self, Category.self, Attach.self, Save.self, Settings.self, Import.self, Export.self,
        ],
        defaultSubcommand: List.self
    )
}
