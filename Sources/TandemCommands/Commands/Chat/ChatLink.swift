import ArgumentParser
import ChatClient
import Control
import Foundation
import Kernel

extension ChatCommand {
    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the link by which others write to you, and draw its code.",
            discussion: "Whoever has it can send you one first message: tandem chat add LINK"
        )

        @OptionGroup var global: GlobalOptions
        @Option(help: ArgumentHelp("Write a PNG picture of the code.", valueName: "file"), completion: .file())
        var png: String?

        func run() async throws {
            let wire = try await global.client(for: .phone).call(ChatControl.link.asWire, NoControlParameters())
            let own: ChatControl.OwnLink = try wire.controlAnswer()
            if let png { try await Live.pictureMaker.write(own.link, toPNG: Live.path(typed: png).path) }
            guard !global.json else { return try Output.json(wire) }
            let link = TerminalText.line(own.link)
            guard png == nil, Running.console.isTerminal(.output) else { return try Output.result(link) }
            // A link takes two rows of most windows, and the prompt one.
            try Output.result(
                CodeOnTerminal.text(own.link, linesBelow: 3, below: link) { needed, given in
                    """
                    The code needs a window of \(needed.columns) columns and \(needed.rows) lines; this one has \(given.columns) and \(given.rows). \
                    A picture of it: tandem chat link --png link.png
                    \(link)
                    """
                }
            )
        }
    }
}
