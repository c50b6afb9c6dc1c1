import ArgumentParser
import Foundation
import Kernel

struct Screen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See the screen of a paired computer.",
        discussion: "For example: tandem screen -o screen.png"
    )

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case png, jpeg
    }

    @OptionGroup var remote: RemoteOptions
    @Flag(help: "List the displays instead.") var list = false
    @Option(help: "Which display; 0 is the first.") var display: Int = 0
    @Option(help: "The picture's format: png or jpeg.") var format: Format = .png
    @Option(help: "Scale it down to at most so many pixels across, 16 to 16384.") var maxWidth: Int?
    @Option(name: .shortAndLong, help: "Write the picture to this file. Left out: to stdout.", completion: .file())
    var output: String?

    func validate() throws {
        guard display >= 0 else { throw ValidationError("--display is 0 or above, not \(display).") }
        if let maxWidth, !(16...16384).contains(maxWidth) {
            throw ValidationError("--max-width is 16 to 16384 pixels, not \(maxWidth).")
        }
    }

    func run() async throws {
        if list { return try await printDisplays() }
        var params: [String: JSONValue] = [
            "displayId": .integer(Int64(display)), "format": .string(format.rawValue), "compact": true,
        ]
        if let maxWidth { params["maxWidth"] = .integer(Int64(maxWidth)) }
        let answer = try await remote.call("display.screenshot", params)
        if remote.global.json { return Output.json(answer) }
        guard let text = answer["imageBase64"]?.stringValue, let picture = Data(base64Encoded: text) else {
            throw CommandError.unreadableAnswer
        }
        if output == nil, isatty(STDOUT_FILENO) == 1 {
            throw ValidationError("A picture is nothing for a terminal. Name a file with -o.")
        }
        try Output.content(picture, to: output)
        guard let output else { return }
        let (width, height) = (answer["width"]?.integerValue ?? 0, answer["height"]?.integerValue ?? 0)
        Output.result("Wrote \(width)x\(height) pixels to \(output).")
        if answer["format"]?.stringValue != format.rawValue {
            Output.complain("It is a JPEG: as \(format.rawValue) it was too large to send. Try --max-width.")
        }
    }

    private func printDisplays() async throws {
        let answer = try await remote.call("display.list")
        Output.result(answer, as: remote.global.json) { answer in
            Output.table(
                ["ID", "NAME", "SIZE", "PRIMARY"],
                (answer["displays"]?.arrayValue ?? []).map { display in
                    [
                        display["id"]?.integerValue.map(String.init) ?? "", display["name"]?.stringValue ?? "",
                        "\(display["width"]?.integerValue ?? 0)x\(display["height"]?.integerValue ?? 0)",
                        display["primary"]?.boolValue == true ? "yes" : "no",
                    ]
                }
            )
        }
    }
}
