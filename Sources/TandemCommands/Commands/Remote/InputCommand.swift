import ArgumentParser
import Commands
import Control
import Kernel
import RemoteInput

struct InputCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "input",
        abstract: "Use the pointer and the keyboard of a paired computer.",
        discussion: """
            For example: tandem input type "Hello"
            The computer must allow it first: tandem devices allow <phone> screen.control
            At the computer, tandem input stop ends what a phone does there.
            """,
        subcommands: [Text.self, Key.self, Click.self, Media.self, State.self, Stop.self]
    )

    /// The options of each command that takes control for a moment.
    struct Options: ParsableArguments {
        @OptionGroup var remote: RemoteOptions
        @Flag(help: "End another phone's control first.") var takeOver = false

        /// Opens a control, does these events, and ends it.
        func send(_ events: [InputEvent], _ sentence: String) async throws {
            let client = InputClient(remote.peer)
            // A computer's desktop may ask its person first. Without its events nothing is said, and the answer comes all the same.
            let telling = Task {
                for await seconds in try await client.asked() {
                    Output.complain("The desktop of the computer asks the person there, who has \(seconds) seconds.")
                }
            }
            defer { telling.cancel() }
            switch try await client.open(takingOver: takeOver) {
            case .held(let name):
                throw CommandError.empty(
                    "\(TerminalText.line(name)) controls the computer now. Take over with: --take-over"
                )
            case .open(let facts):
                let session = client.session(facts)
                do {
                    try await session.send(events)
                } catch {
                    // The first failure is what the person has to know.
                    try? await session.close()
                    throw error
                }
                try await session.close()
                if remote.global.json { return try Output.json(["done": .integer(Int64(events.count))]) }
                try Output.result(sentence)
            }
        }
    }

    struct Text: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "type",
            abstract: "Type a text, whatever the computer's layout of keys.",
            discussion: "A line break is the Enter key."
        )

        @OptionGroup var options: Options
        @Argument(help: "The text. Left out: what comes on stdin.") var text: String?

        func run() async throws {
            let typed = if let text { text } else { try await Self.input() }
            guard !typed.isEmpty else { throw ValidationError("There is nothing to type.") }
            try await options.send([.text(typed)], "It was typed.")
        }

        private static func input() async throws -> String {
            var gathered: [UInt8] = []
            for await piece in StandardInput() {
                gathered += piece
                guard gathered.count <= 64 << 10 else { throw ValidationError("At most 64 KiB are typed at once.") }
            }
            guard let text = String(validating: gathered, as: UTF8.self) else {
                throw ValidationError("Text must be UTF-8.")
            }
            return text
        }
    }

    struct Key: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Press keys: single ones, or several together with plus signs, such as Control+Alt+t.",
            discussion: """
                Names are those of browsers: Enter, Escape, Tab, ArrowLeft, F5, Meta. Ctrl, Esc, Super, Up, Down, Left \
                and Right are taken too.
                """
        )

        @OptionGroup var options: Options
        @Argument(help: "The keys, pressed one after the other.") var keys: [String] = []

        func run() async throws {
            guard !keys.isEmpty else { throw ValidationError("Name the keys, such as Control+c.") }
            try await options.send(try keys.flatMap(KeyNames.events), "Pressed.")
        }
    }

    struct Click: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Click where the pointer is, or at a place.")

        enum Button: String, CaseIterable, ExpressibleByArgument {
            case left, middle, right, back, forward

            var wire: InputEvent.Button {
                switch self {
                case .left: .left
                case .middle: .middle
                case .right: .right
                case .back: .back
                case .forward: .forward
                }
            }
        }

        @OptionGroup var options: Options
        @Option(help: ArgumentHelp("left, middle, right, back or forward.", valueName: "which"))
        var button: Button = .left
        @Option(help: ArgumentHelp("Click first at this place, in the display's pixels.", valueName: "x,y"))
        var at: String?
        @Option(help: ArgumentHelp("Which display, from: tandem screen list", valueName: "id")) var display: Int = 0
        @Flag(help: "Click twice.") var double = false

        func run() async throws {
            var events: [InputEvent] = []
            if let at {
                let numbers = at.split(separator: ",", omittingEmptySubsequences: false).compactMap { Double($0) }
                guard numbers.count == 2, numbers.allSatisfy({ (0...32_767).contains($0) }), (0...255).contains(display)
                else { throw ValidationError("--at is two numbers with a comma, such as 640,400.") }
                events.append(.place(x: numbers[0], y: numbers[1], display: display))
            }
            events += Array(repeating: .button(button.wire, .tap), count: double ? 2 : 1)
            try await options.send(events, "Clicked.")
        }
    }

    struct Media: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Press a media key: play, stop, next, previous, louder, quieter or mute."
        )

        enum Choice: String, CaseIterable, ExpressibleByArgument {
            case play, stop, next, previous, louder, quieter, mute

            var key: InputKey.Name {
                switch self {
                case .play: .playPause
                case .stop: .stop
                case .next: .nextTrack
                case .previous: .previousTrack
                case .louder: .volumeUp
                case .quieter: .volumeDown
                case .mute: .mute
                }
            }
        }

        @OptionGroup var options: Options
        @Argument(help: "The key.") var key: Choice?

        func run() async throws {
            guard let key else { throw ValidationError("Name the key, such as play.") }
            try await options.send([.key(.named(key.key), .tap)], "Pressed.")
        }
    }

    struct State: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "At the computer: whether phones can control it, and which one does now."
        )
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.show(InputControl.state, NoControlParameters(), of: .desktop) { state in
                if let phone = state.phone {
                    let key = state.stopKey.map { " or press \($0)" } ?? ""
                    return "\(TerminalText.line(phone)) controls this computer. End it with tandem input stop\(key)."
                }
                if let reason = state.reason { return "No phone can control this computer. \(reason)" }
                return "No phone controls this computer. One that may can, by \(state.way ?? "a way of its own")."
            }
        }
    }

    struct Stop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "At the computer: end a phone's control of the pointer and the keyboard."
        )
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.show(InputControl.stop, NoControlParameters(), of: .desktop) { stopped in
                stopped.phone.map { "\(TerminalText.line($0)) does not control this computer any more." }
                    ?? "No phone controls this computer."
            }
        }
    }
}

/// Keys as people type them.
enum KeyNames {
    private static let short: [String: InputKey.Name] = [
        "ctrl": .control, "esc": .escape, "super": .meta, "win": .meta, "cmd": .meta, "return": .enter, "del": .delete,
        "ins": .insert, "left": .left, "right": .right, "up": .up, "down": .down, "menu": .contextMenu,
    ]

    /// The presses of one combination: all but the last are held while the last is pressed.
    ///
    /// - Throws: `ValidationError` naming what is no key.
    static func events(_ combination: String) throws -> [InputEvent] {
        // A plus sign by itself, and one at the end of a combination, is the key.
        var names = combination.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        if combination.hasSuffix("+") { names = names.dropLast(2) + ["+"] }
        let keys = try names.map(key)
        guard let last = keys.last else { return [] }
        let held = keys.dropLast()
        return held.map { .key($0, .down) } + [.key(last, .tap)] + held.reversed().map { .key($0, .up) }
    }

    private static func key(_ name: String) throws -> InputKey {
        let small = name.lowercased()
        if small == "space" { return .character(" ") }
        if let name = short[small] { return .named(name) }
        let known = InputKey.Name.allCases.first { $0.rawValue.lowercased() == small }
        if let known { return .named(known) }
        guard let key = InputKey(name) else {
            throw ValidationError(
                "\(TerminalText.line(name)) is no key. Use one character, or a name such as Enter, Escape or ArrowLeft."
            )
        }
        return key
    }
}
