import ArgumentParser
import Control
import Journal
import Kernel

extension JournalCommand {
    struct Categories: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the categories, each above what is inside of it."
        )

        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.show(JournalControl.categories, of: .phone) { JournalText.categories($0.categories) }
        }
    }

    struct Category: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make, change or delete a category.",
            subcommands: [Add.self, Edit.self, Delete.self]
        )

        struct Add: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Make a category.")

            @OptionGroup var global: GlobalOptions
            @Argument(help: "Its name.") var name: String
            @Option(name: .customLong("in"), help: ArgumentHelp("Inside of this one.", valueName: "category"))
            var parent: String?
            @Option(help: ArgumentHelp("As #007AFF.", valueName: "colour")) var color: String?

            func run() async throws {
                let new = JournalControl.NewCategory(name: name, parent: parent, color: color)
                try await global.show(JournalControl.addCategory, new, of: .phone) { "There is a category \($0.path)." }
            }
        }

        struct Edit: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Rename, move or colour a category.")

            @OptionGroup var options: JournalCategoryOptions
            @Option(help: ArgumentHelp("A new name.", valueName: "text")) var name: String?
            @Option(
                name: .customLong("in"),
                help: ArgumentHelp("Inside of this one; empty: at the top.", valueName: "category")
            )
            var parent: String?
            @Option(help: ArgumentHelp("As #007AFF.", valueName: "colour")) var color: String?
            @Option(help: ArgumentHelp("Its place beside others: smaller numbers stand first.", valueName: "number"))
            var order: Int64?

            func run() async throws {
                let change = JournalControl.ChangedCategory(
                    options.category,
                    name: name,
                    parent: parent,
                    color: color,
                    sortOrder: order
                )
                try await options.global.show(JournalControl.editCategory, change, of: .phone) {
                    "The category is \($0.path) now."
                }
            }
        }

        struct Delete: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Delete a category that has none inside of it. Its stories stay."
            )

            @OptionGroup var options: JournalCategoryOptions

            func run() async throws {
                try await options.global.show(JournalControl.deleteCategory, .init(options.category), of: .phone) {
                    "The category \($0.name) is deleted. Its stories are still there."
                }
            }
        }
    }
}

/// The options of a command for one category.
struct JournalCategoryOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions
    @Argument(help: "The category: its path as Travel/Italy, its id, or its name where only one has it.") var category:
        String
}
