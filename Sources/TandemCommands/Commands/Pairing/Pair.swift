import ArgumentParser
import Control
import Foundation
import Kernel
import Pairing
import QRCodes
import Rights

struct Pair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Link a phone and a computer.",
        discussion: """
            On the computer: tandem pair show, then scan the code with the phone, or type its ten digits there.
            The other way round: tandem pair show --role phone, and tandem pair scan --role desktop on the computer.
            """,
        subcommands: [
            Show.self, Hide.self, Scan.self, Code.self, Requests.self, Accept.self, Reject.self,
        ]
    )

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a code for the other device to scan or to type. It is good for five minutes and one device."
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var side: RoleOptions
        @Option(
            help: ArgumentHelp("Write the code as a PNG file instead.", valueName: "file"),
            completion: .file(extensions: ["png"])
        )
        var png: String?
        @Option(
            help: ArgumentHelp("Write the code as an SVG file instead.", valueName: "file"),
            completion: .file(extensions: ["svg"])
        )
        var svg: String?
        @Flag(help: "Print the code's text instead of drawing it.") var text = false
        @Flag(
            help: """
                Show the code for a phone's program also where a hub serves the page for browsers, whose code is a link.
                """
        )
        var jsonCode = false
        @Flag(help: "Return at once, without waiting for the other device.") var noWait = false
        @Flag(
            help: "Show six digits to type, for programs that take no more; you then type the number the phone shows."
        )
        var sixDigits = false
        @Flag(help: "Show no digits: the code can only be scanned.") var noDigits = false
        @OptionGroup var trust: TrustOptions

        func validate() throws {
            guard [png != nil, svg != nil, text].count(where: \.self) <= 1 else {
                throw ValidationError("Choose one of --png, --svg and --text.")
            }
            guard !sixDigits || !noDigits else { throw ValidationError("Choose one of --six-digits and --no-digits.") }
        }

        func run() async throws {
            let role = try await side.role(among: [.desktop, .phone], global)
            guard !sixDigits || role == .desktop else {
                throw ValidationError("--six-digits is for the computer's code; a phone's is only scanned.")
            }
            guard !noDigits || role == .desktop else {
                throw ValidationError("--no-digits is for the computer's code; a phone's is only scanned.")
            }
            let client = global.client(for: role)
            let code = ShowCode(
                allowUnsealed: trust.allowUnsealed,
                acceptNewIdentity: trust.acceptNewIdentity,
                sixDigits: sixDigits,
                digits: noDigits ? false : nil
            )
            guard !noWait, !text, !global.json, Running.console.isTerminal(.output) else {
                let wire = try await client.call(PairingControl.show.asWire, code)
                guard global.json else { return try await print(try wire.controlAnswer(), role: role) }
                if png != nil || svg != nil { try await writePicture(of: drawn(wire.controlAnswer()).drawn) }
                return try Output.json(wire)
            }
            let console = PairingConsole(
                caller: client,
                role: role,
                stays: false,
                show: { try await print($0, role: role) }
            )
            try await console.run(code)
        }

        /// The code in the form that was asked for.
        private func drawn(_ shown: CodeEntry) -> CodeEntry {
            var shown = shown
            if jsonCode { shown.link = nil }
            return shown
        }

        private func print(_ entry: CodeEntry, role: Role) async throws {
            let shown = drawn(entry)
            if text { return try Output.result(shown.drawn) }
            let isWritten = try await writePicture(of: shown.drawn)
            try Output.result(
                isWritten
                    ? PairingText.instructions(shown, role: role) : try CodeOnTerminal.text(shown, role: role)
            )
        }

        /// - Returns: Whether one was asked for.
        @discardableResult
        func writePicture(of payload: String) async throws -> Bool {
            if let png {
                try await Live.pictureMaker.write(payload, toPNG: png)
            } else if let svg {
                try Live.pictureMaker.write(payload, toSVG: svg)
            }
            return png != nil || svg != nil
        }
    }

    struct Hide: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a shown code back. It is void at once; a device that comes with it is told so."
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var side: RoleOptions

        func run() async throws {
            let role = try await side.role(among: [.desktop, .phone], global)
            try await global.show(PairingControl.hide, of: role) {
                $0.hidden ? "The code is void." : "No code was shown."
            }
        }
    }

    struct Scan: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read the other device's code and pair with it."
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var side: RoleOptions
        @Option(help: ArgumentHelp("A picture of the code.", valueName: "file"), completion: .file()) var image: String?
        @Option(
            help: ArgumentHelp(
                "The code's text; - reads it from stdin, where no list of processes shows it.",
                valueName: "json"
            )
        )
        var text: String?
        @Flag(help: "Look through the camera.") var camera = false
        @Flag(help: "Look at what is on the screen.") var screen = false
        @Option(
            help: ArgumentHelp(
                "What the phone may do besides, where the computer scans; see: tandem pair accept --help",
                valueName: "right,…"
            )
        )
        var allow: [String] = []
        @OptionGroup var trust: TrustOptions

        func validate() throws {
            guard [image != nil, text != nil, camera, screen].count(where: \.self) == 1 else {
                throw ValidationError("Say where the code is: --image FILE, --text JSON, --camera or --screen.")
            }
        }

        func run() async throws {
            let role = try await side.role(among: [.phone, .desktop], global)
            guard allow.isEmpty || role == .desktop else {
                throw ValidationError("--allow says what a phone may do at a computer, so it goes with --role desktop.")
            }
            let payload = try await payload()
            guard !payload.isEmpty else { throw ValidationError("No code came through stdin.") }
            if let doubt = PairingText.clockDoubt(payload, role: role, now: Date()) { Output.complain(doubt) }
            let code = ScannedCode(
                payload,
                allowUnsealed: trust.allowUnsealed,
                acceptNewIdentity: trust.acceptNewIdentity,
                allow: allow.isEmpty ? nil : allow
            )
            let answer = try await global.client(for: role)
                .call(PairingControl.scan.asWire, code, onItem: PairingText.progress(global.json))
            try Output.result(answer, as: global.json, PairingText.paired)
        }

        /// The code's text, from where it was said to be.
        func payload<Input: AsyncSequence>(from input: Input = StandardInput()) async throws -> String
        where Input.Element == [UInt8] {
            if let text { return text == "-" ? try await TypedSecret.all(from: input) : text }
            if let image { return try await Live.reader.text(inFileAt: URL(fileURLWithPath: image)) }
            if camera { return try await Live.camera.nextText() }
            return try await Live.reader.text(in: Live.screen.capture())
        }
    }

    struct Code: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Type the digits that the computer shows: ten, or six on an older one.",
            discussion: """
                Without digits it asks for them, so that no list of processes shows them. By six digits it asks in the end \
                whether the computer asked for the same number: a line with yes on stdin keeps the computer.
                """
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var side: RoleOptions
        @Option(
            help: ArgumentHelp(
                "The address of the hub or computer to ask, where the phone knows none yet; for example "
                    + "wss://hub.example.net:9001.",
                valueName: "url"
            )
        )
        var address: String?
        @OptionGroup var trust: TrustOptions
        @Argument(help: "The digits, with or without spaces, for example '482 913 7306'.") var digits: [String] = []

        func run() async throws {
            let role = try await side.role(among: [.phone], global)
            let rest = TypedSecret.Rest()
            let typed = try await typed(behind: rest)
            guard !typed.trimmingCharacters(in: .whitespaces).isEmpty else {
                throw ValidationError("No digits were typed. They stand below the code on the computer's screen.")
            }
            let code = TypedDigitsOfCode(
                typed,
                allowUnsealed: trust.allowUnsealed,
                acceptNewIdentity: trust.acceptNewIdentity,
                url: address
            )
            let (answers, given) = AsyncStream.makeStream(of: JSONValue.self)
            defer { given.finish() }
            let progress = PairingText.progress(global.json)
            let answer = try await global.client(for: role)
                .call(PairingControl.type.asWire, code, input: answers) { item in
                    try await progress(item)
                    guard item["event"] == "confirm" else { return }
                    given.yield(
                        try JSONValue(encoding: NumberConfirmation(same: try await Self.isConfirmed(behind: rest)))
                    )
                }
            try Output.result(answer, as: global.json, PairingText.paired)
        }

        /// Whether the person says yes. The end of input is none.
        static func isConfirmed<Input: AsyncSequence>(
            from input: Input = StandardInput(),
            behind rest: TypedSecret.Rest = TypedSecret.Rest(),
            say: (String) -> Void = Output.complain
        ) async throws -> Bool where Input.Element == [UInt8] {
            let line = try await TypedSecret.line(asking: "Type yes or no:", from: input, behind: rest, say: say)
            return ["y", "yes"].contains(line.trimmingCharacters(in: .whitespaces).lowercased())
        }

        /// The digits as they were typed, here or into the command line.
        func typed<Input: AsyncSequence>(
            from input: Input = StandardInput(),
            behind rest: TypedSecret.Rest = TypedSecret.Rest(),
            say: (String) -> Void = Output.complain
        ) async throws -> String where Input.Element == [UInt8] {
            guard digits.isEmpty else { return digits.joined() }
            return try await TypedSecret.line(
                asking: "The digits on the computer's screen:",
                from: input,
                behind: rest,
                say: say
            )
        }
    }

    struct Requests: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Who asks to be paired with this computer.")
        @OptionGroup var global: GlobalOptions
        @OptionGroup var side: RoleOptions

        func run() async throws {
            let role = try await side.role(among: [.desktop], global)
            try await global.show(PairingControl.requests, of: role) { list in
                let requests = list.requests.map { PairingText.request($0) + "\n" + PairingText.commands($0) }
                let nobody = requests.isEmpty ? ["Nobody asks. Show a code with: tandem pair show"] : []
                let withdrawn = (list.withdrawn ?? []).map { TerminalText.line("\($0.name) took its request back.") }
                return (requests + nobody + withdrawn + list.refused.map(\.message)).joined(separator: "\n")
            }
        }
    }

    struct Accept: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say yes to a device that asks.",
            discussion: """
                A new device can see how this computer is doing and be told things. --allow gives it more at once:
                \(Output.table(of: Live.rights.all.subtracting(Live.rights.initial), width: 80))
                """
        )
        @OptionGroup var global: GlobalOptions
        @OptionGroup var side: RoleOptions
        @Option(
            help: ArgumentHelp(
                "The six digits that the phone shows, where it was paired with a six-digit code.",
                valueName: "digits"
            )
        )
        var number: String?
        @Option(
            help: ArgumentHelp("What it may do besides, with commas between: clipboard,display.", valueName: "right,…")
        )
        var allow: [String] = []
        @Option(
            help: ArgumentHelp("look, to look and change nothing, or all, as you do.", valueName: "preset")
        )
        var preset: RightPreset?
        @Argument(help: "The request's id, where several ask; from: tandem pair requests") var id: String?

        func run() async throws {
            let role = try await side.role(among: [.desktop], global)
            let acceptance = Acceptance(
                id: id,
                number: number,
                allow: allow.isEmpty ? nil : allow,
                preset: preset?.rawValue
            )
            try await global.show(PairingControl.accept, acceptance, of: role, PairingText.accepted)
        }
    }

    struct Reject: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Say no to a device that asks.")
        @OptionGroup var global: GlobalOptions
        @OptionGroup var side: RoleOptions
        @Argument(help: "The request's id, where several ask; from: tandem pair requests") var id: String?

        func run() async throws {
            let role = try await side.role(among: [.desktop], global)
            try await global.show(PairingControl.reject, .init(id), of: role) { "Rejected \($0.name)." }
        }
    }
}
