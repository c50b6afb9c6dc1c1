import ArgumentParser
import Chat
import ChatClient
import Control
import Foundation
import Kernel

/// The options of every command for one conversation.
struct ChatOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions

    @Argument(
        help: ArgumentHelp(
            "The other person: the account's name, tb_7, a link, or the shown name where only one has it.",
            valueName: "name"
        )
    )
    var person: String

    var client: ControlClient { global.client(for: .phone) }

    func conversation() async throws -> ChatControl.ConversationEntry {
        try await ChatPeople(client: client).conversation(person)
    }

    /// Asks something of this conversation and prints the answer.
    func show<Parameters, Answer>(
        _ method: ControlMethod<Parameters, Answer>,
        _ parameters: (ChatControl.ConversationEntry) -> Parameters,
        _ lines: (Answer) throws -> String
    ) async throws {
        let conversation = try await conversation()
        try await global.show(method, parameters(conversation), of: .phone, lines)
    }
}

/// The words of a message.
struct ChatWords: ParsableArguments {
    @Argument(help: "What to say. Left out, or -: what comes on stdin.") var text: [String] = []

    /// - Throws: `ValidationError` for nothing, for more than 16 KiB and for what is no UTF-8.
    func words() async throws -> String {
        var words = text.joined(separator: " ")
        if text.isEmpty || text == ["-"] {
            if Running.console.isTerminal(.input) { Output.complain("Type what to say. Ctrl-D ends it.") }
            var bytes: [UInt8] = []
            for await piece in StandardInput() {
                bytes += piece
                // What is too long is not collected to its end.
                guard bytes.count <= ChatLimits.text + 1 else { break }
            }
            guard let read = String(validating: bytes, as: UTF8.self) else {
                throw bytes.count > ChatLimits.text ? Self.tooLong : ValidationError("Text must be UTF-8.")
            }
            words = read.hasSuffix("\n") ? String(read.dropLast()) : read
        }
        guard words.utf8.count <= ChatLimits.text else { throw Self.tooLong }
        guard words.contains(where: { !$0.isWhitespace }) else { throw ValidationError("There is nothing to say.") }
        return words
    }

    private static let tooLong = ValidationError("A message has at most 16 KiB. Send it in parts.")
}

/// How long a command waits for what becomes of a message.
struct ChatWaiting: ParsableArguments {
    @Flag(help: "Do not wait until it is sent.") var noWait = false
    @Option(help: ArgumentHelp("Seconds to wait until it is sent, 1 to 3600.", valueName: "seconds")) var timeout = 30

    func validate() throws {
        guard (1...3600).contains(timeout) else {
            throw ValidationError("--timeout is in seconds, 1 to 3600, not \(timeout).")
        }
    }

    /// Nil: nothing is waited for.
    var patience: Duration? { noWait ? nil : .seconds(timeout) }
}

/// Something that is switched on by a command, and off by the same one.
struct ChatSwitch: ParsableArguments {
    @Flag(help: "Take it back.") var off = false

    var isOn: Bool { !off }
}
