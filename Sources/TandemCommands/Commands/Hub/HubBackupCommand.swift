import ArgumentParser
import Control
import Foundation
import Kernel
import TandemHub

struct HubBackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy all that the running hub keeps into a new folder.",
        discussion: """
            Databases, pictures and recordings, keys and settings, as they are at one moment; view-once pictures are left out. To bring it back, stop \
            the hub, put the folder in the place of its state folder, and start it.
            """
    )

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The folder, which is made where it is missing.", completion: .directory) var folder: String

    func run() async throws {
        let wish = HubControl.Backup(folder: Live.path(typed: folder).path)
        try await global.show(HubControl.backup, wish, of: .hub) { done in
            "\(done.files) files, \(ByteSize(done.bytes)), are in \(TerminalText.name(done.folder))."
        }
    }
}
