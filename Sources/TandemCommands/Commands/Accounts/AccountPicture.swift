import Accounts
import AccountsClient
import ArgumentParser
import ChatClient
import Control
import Foundation

extension AccountCommand {
    struct Picture: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set the picture that others see of you, take it away, or say whether there is one.",
            discussion: """
                Everybody with an account at your hub can see it. It is made small and upright, without what the camera wrote about place and time. \
                Others see another picture within a day.
                """
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "A JPEG, PNG, GIF, WebP, HEIC or AVIF.", completion: .file()) var file: String?
        @Flag(help: "Take the picture away.") var remove = false

        func validate() throws {
            guard file == nil || !remove else { throw ValidationError("Give either a file or --remove, not both.") }
        }

        func run() async throws {
            guard file != nil || remove else {
                return try await global.show(AccountControl.profile, of: .phone) { own in
                    own.avatar.isEmpty ? "You have no picture." : "Others see your picture."
                }
            }
            let chosen = ChatControl.ChosenFace(file: file.map { Live.path(typed: $0).path })
            try await global.show(ChatControl.setFace, chosen, of: .phone) { face in
                face.avatar == nil ? "You have no picture now." : "Others see your picture now."
            }
        }
    }
}
