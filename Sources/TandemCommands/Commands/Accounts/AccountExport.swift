import ArgumentParser
import ChatClient
import Control
import Foundation
import Kernel

extension AccountCommand {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write everything that the account has said and received into a folder.",
            discussion:
                "Lines of JSON, and the files of pictures and voice notes; view-once pictures are never among them."
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The folder, which is made where it is missing.", completion: .directory) var folder: String

        func run() async throws {
            let export = ChatControl.Export(folder: Live.path(typed: folder).path)
            try await global.show(ChatControl.export, export, of: .phone) { exported in
                "\(exported.conversations) conversations, \(exported.messages) messages and \(exported.files) files are in "
                    + "\(TerminalText.name(exported.folder))."
            }
        }
    }
}
