import ArgumentParser
import ChatClient
import Control
import UnixSignals

extension ChatCommand {
    struct Open: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Hold a conversation: the last messages, what comes while it is open, and a line to write in.",
            discussion: """
                On a terminal /help says what can be typed besides words; Ctrl-D ends it. What is shown is marked as read.
                Without one each line of input is a message, and what comes is printed a line each: printf 'one\ntwo\n' | tandem chat open ada
                It then ends with the input, once all of it was sent.
                """
        )

        @OptionGroup var options: ChatOptions
        @Option(
            help: ArgumentHelp(
                "Seconds that the last messages of a script may take to be sent, 1 to 3600.",
                valueName: "seconds"
            )
        )
        var timeout = 30

        func validate() throws {
            guard (1...3600).contains(timeout) else {
                throw ValidationError("--timeout is in seconds, 1 to 3600, not \(timeout).")
            }
        }

        func run() async throws {
            let conversation = try await options.conversation()
            let client = options.client
            let console = Running.console
            guard !options.global.json, console.isTerminal(.output), let terminal = console.makeRaw() else {
                let patience = Duration.seconds(timeout)
                return try await ChatScript(
                    conversation,
                    client: client,
                    json: options.global.json,
                    patience: patience
                ).run()
            }
            defer { terminal.restore() }
            let standing = try await ChatPeople(client: client).standing()
            let session = OpenChat(conversation, state: standing.state, client: client)
            do {
                try await Self.hold(session, client)
            } catch {
                terminal.restore()
                await session.end()
                throw error
            }
            terminal.restore()
            await session.end()
        }

        /// Until the person leaves, or the phone has gone.
        private static func hold(_ session: OpenChat, _ client: ControlClient) async throws {
            let id = await session.id
            try await withThrowingTaskGroup(of: Bool.self) { group in
                defer { group.cancelAll() }
                try await session.begin()
                group.addTask {
                    _ = try await client.call(ChatControl.follow, ChatControl.Following(id)) { item in
                        try await session.take(item)
                    }
                    return false
                }
                group.addTask {
                    try await session.work()
                    return true
                }
                group.addTask {
                    for await _ in await UnixSignalsSequence(trapping: .sigwinch) { try await session.resized() }
                    return false
                }
                group.addTask {
                    for await bytes in StandardInput() {
                        switch try await session.typed(bytes) {
                        case .goesOn: continue
                        case .ended: return false
                        case .interrupted: return true
                        }
                    }
                    await session.endOfInput()
                    return false
                }
                while let isOver = try await group.next() {
                    if isOver { return }
                }
            }
        }
    }
}
