import ArgumentParser
import Foundation
import Kernel
import Pictures
import Screen

struct Screen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See the screen of a paired computer.",
        discussion: """
            For example: tandem screen -o screen.png
            The computer must allow it first: tandem devices allow <phone> display
            """,
        subcommands: [Shot.self, List.self],
        defaultSubcommand: Shot.self
    )

    struct Shot: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a picture of a display; what is meant without a subcommand."
        )

        @OptionGroup var remote: RemoteOptions
        @Option(help: ArgumentHelp("Which display, from: tandem screen list", valueName: "id")) var display: Int = 0
        @Option(help: ArgumentHelp("The picture's format: png or jpeg.", valueName: "format")) var format:
            PictureFormat = .png
        @Option(
            help: ArgumentHelp(
                "Scale it down to at most so many pixels across, 16 to 16384. Default: as it is.",
                valueName: "pixels"
            )
        )
        var maxWidth: Int?
        @Option(
            name: .shortAndLong,
            help: ArgumentHelp("Write the picture to this file. Default: to stdout.", valueName: "file"),
            completion: .file()
        )
        var output: String?

        func validate() throws {
            guard display >= 0 else { throw ValidationError("--display is 0 or above, not \(display).") }
            if let maxWidth, !(16...16384).contains(maxWidth) {
                throw ValidationError("--max-width is 16 to 16384 pixels, not \(maxWidth).")
            }
        }

        func run() async throws {
            let query = ScreenshotQuery(displayID: display, format: format, maxWidth: maxWidth)
            if remote.global.json, output == nil {
                return try Output.json(try await remote.answer { try await ScreenClient($0).screenshot(query) })
            }
            let peer = remote.peer
            let picture = try await ScreenClient(peer).screenshot(query)
            if output == nil, Running.console.isTerminal(.output) {
                throw ValidationError("A picture is nothing for a terminal. Name a file with -o.")
            }
            try Output.content(Data(picture.bytes), to: output)
            guard let output else { return }
            if let answer = peer.lastAnswer {
                return try Output.json(answer.removing("imageBase64").adding("path", .string(output)))
            }
            try Output.result("Wrote \(picture.dimensions.width)x\(picture.dimensions.height) pixels to \(output).")
            if picture.format == .jpeg, format != .jpeg {
                Output.complain("It is a JPEG: as \(format.rawValue) it was too large to send. Try --max-width.")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the displays.")

        @OptionGroup var remote: RemoteOptions

        func run() async throws {
            try await remote.show({ try await ScreenClient($0).displays() }) { displays in
                guard !displays.isEmpty else { return "No display is there." }
                return Output.table(
                    ["ID", "NAME", "SIZE", "PRIMARY"],
                    displays.map { ["\($0.id)", $0.name, "\($0.width)x\($0.height)", $0.isPrimary ? "yes" : "no"] }
                )
            }
        }
    }
}
