import ArgumentParser
import Control
import Foundation
import Kernel
import QRCodes

struct Pair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Link a phone and a computer.",
        discussion: """
            On the computer: tandem pair show, then scan the code with the phone, or type its ten digits there.
            The other way round: tandem pair show --as phone, and tandem pair scan --as desktop on the computer.
            """,
        subcommands: [Show.self, Scan.self, Code.self, Requests.self, Accept.self, Reject.self]
    )

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a code for the other device to scan or to type. It is good for five minutes and one device."
        )

        @OptionGroup var global: GlobalOptions
        @Option(name: [.customLong("as")], help: "Who shows it: desktop or phone.") var role: Role = .desktop
        @Option(help: "Write the code as a PNG file instead.", completion: .file(extensions: ["png"])) var png: String?
        @Option(help: "Write the code as an SVG file instead.", completion: .file(extensions: ["svg"])) var svg: String?
        @Flag(help: "Print the code's text instead of drawing it.") var text = false
        @Flag(help: "Return at once, without waiting for the other device.") var noWait = false
        @OptionGroup var trust: TrustOptions

        func validate() throws {
            guard [png != nil, svg != nil, text].count(where: \.self) <= 1 else {
                throw ValidationError("Choose one of --png, --svg and --text.")
            }
        }

        func run() async throws {
            let client = global.client(for: role)
            let shown = try await client.call("pair.show", trust.parameters)
            let payload = shown["payload"]?.stringValue ?? ""
            if let png {
                try await Live.pictureMaker.write(payload, toPNG: png)
            } else if let svg {
                try Live.pictureMaker.write(payload, toSVG: svg)
            } else if text {
                return Output.result(payload)
            }
            if global.json { return Output.result(shown.canonicalText) }
            if png == nil, svg == nil { Output.result(try Live.pictureMaker.terminal(payload)) }
            Output.result(Self.instructions(shown, role: role))
            guard !noWait, isatty(STDOUT_FILENO) == 1 else { return }
            try await Self.follow(client, role: role)
        }

        private static func instructions(_ shown: JSONValue, role: Role) -> String {
            let minutes = "It is good for five minutes and one device."
            guard let digits = shown["code"]?.stringValue, digits.count == 10 else {
                return "Scan this on the computer: tandem pair scan --as desktop. \(minutes)"
            }
            return "Scan this with the phone, or type there: \(PairingText.grouped(digits)). \(minutes)"
        }

        /// Shows who asks and passes on what the person says, until one device is paired or the code is over.
        private static func follow(_ client: ControlClient, role: Role) async throws {
            _ = try await client.call("pair.follow") { item in
                switch item["event"]?.stringValue {
                case "request":
                    Output.result(PairingText.request(item))
                    guard let id = item["id"]?.stringValue else { return }
                    let accepted = try PairingText.ask(about: item)
                    let params: JSONValue = [
                        "id": .string(id), "number": accepted.number.map(JSONValue.string) ?? .null,
                    ]
                    _ = try await client.call(accepted.yes ? "pair.accept" : "pair.reject", params)
                case "paired": Output.result("Paired with \(item["name"]?.stringValue ?? "the device").")
                case "expired":
                    Output.result("The code expired. Make a new one with: tandem pair show --as \(role.rawValue)")
                default: Output.result(item["message"]?.stringValue ?? item.canonicalText)
                }
            }
        }
    }

    struct Scan: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read the other device's code and pair with it."
        )

        @OptionGroup var global: GlobalOptions
        @Option(name: [.customLong("as")], help: "Who scans: phone or desktop.") var role: Role = .phone
        @Option(help: "A picture of the code.", completion: .file()) var image: String?
        @Option(help: "The code's text.") var text: String?
        @Flag(help: "Look through the camera.") var camera = false
        @Flag(help: "Look at what is on the screen.") var screen = false
        @OptionGroup var trust: TrustOptions

        func validate() throws {
            guard [image != nil, text != nil, camera, screen].count(where: \.self) == 1 else {
                throw ValidationError("Say where the code is: --image FILE, --text JSON, --camera or --screen.")
            }
        }

        func run() async throws {
            let payload: String
            if let text {
                payload = text
            } else if let image {
                payload = try await Live.reader.text(inFileAt: URL(fileURLWithPath: image))
            } else if camera {
                payload = try await Live.camera.nextText()
            } else {
                payload = try await Live.reader.text(in: Live.screen.capture())
            }
            let client = global.client(for: role)
            let answer = try await client.call(
                "pair.scan",
                trust.parameters.adding("text", .string(payload)),
                onItem: PairingText.progress(global.json)
            )
            Output.result(answer, as: global.json) { "Paired with \($0["name"]?.stringValue ?? "the device")." }
        }
    }

    struct Code: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Type the digits that the computer shows: ten, or six on an older one."
        )

        @OptionGroup var global: GlobalOptions
        @Option(help: "The hub or computer to ask, where the phone knows none yet.") var via: String?
        @OptionGroup var trust: TrustOptions
        @Argument(help: "The digits, with or without spaces, for example '482 913 7306'.") var digits: [String]

        func run() async throws {
            let answer = try await global.client(for: .phone).call(
                "pair.code",
                trust.parameters
                    .adding("digits", .string(digits.joined()))
                    .adding("url", via.map(JSONValue.string) ?? .null),
                onItem: PairingText.progress(global.json)
            )
            Output.result(answer, as: global.json) { "Paired with \($0["name"]?.stringValue ?? "the device")." }
        }
    }

    struct Requests: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Who asks to be paired with this computer.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            let answer = try await global.client(for: .desktop).call("pair.requests")
            Output.result(answer, as: global.json) { answer in
                let requests = answer["requests"]?.arrayValue ?? []
                guard !requests.isEmpty else { return "Nobody asks. Show a code with: tandem pair show" }
                return requests.map(PairingText.request).joined(separator: "\n")
            }
        }
    }

    struct Accept: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Say yes to a device that asks.")
        @OptionGroup var global: GlobalOptions
        @Option(help: "The six digits that the phone shows, where it was paired with a six-digit code.") var number:
            String?
        @Argument(help: "The request's id, from: tandem pair requests") var id: String

        func run() async throws {
            let answer = try await global.client(for: .desktop).call(
                "pair.accept",
                ["id": .string(id), "number": number.map(JSONValue.string) ?? .null]
            )
            Output.result(answer, as: global.json) { "Accepted \($0["name"]?.stringValue ?? id)." }
        }
    }

    struct Reject: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Say no to a device that asks.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The request's id, from: tandem pair requests") var id: String

        func run() async throws {
            let answer = try await global.client(for: .desktop).call("pair.reject", ["id": .string(id)])
            Output.result(answer, as: global.json) { "Rejected \($0["name"]?.stringValue ?? id)." }
        }
    }
}
