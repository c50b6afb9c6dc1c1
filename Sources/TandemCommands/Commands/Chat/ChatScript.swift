import Chat
import ChatClient
import Control
import Kernel
import Synchronization

/// An open conversation without a terminal: each line of input is a message, and each message that comes is a row of output. It ends with the
/// input, once all of it was sent.
final class ChatScript: Sendable {
    /// Before each look at what became of the messages.
    private static let pause = Duration.milliseconds(200)

    private let client: ControlClient
    private let conversation: ChatControl.ConversationEntry
    private let json: Bool
    private let patience: Duration
    /// Own messages that wait, and how many failed.
    private let outcome = Mutex((waiting: Set<String>(), failed: 0))

    /// - Parameter patience: How long the messages may take until they are sent, from the end of input on.
    init(_ conversation: ChatControl.ConversationEntry, client: ControlClient, json: Bool, patience: Duration) {
        self.conversation = conversation
        self.client = client
        self.json = json
        self.patience = patience
    }

    /// - Throws: ``CommandError/notAllSent(_:)``, ``CommandError/lineTooLong(limit:)``, ``ControlError``.
    func run() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask { [self] in
                try await follow()
                return false
            }
            group.addTask { [self] in
                try await sendLines()
                try await settle()
                return true
            }
            while let isOver = try await group.next() {
                if isOver { break }
            }
        }
        let (waiting, failed) = outcome.withLock { ($0.waiting.count, $0.failed) }
        if waiting > 0 { Output.complain("\(waiting) of them wait, and are sent as soon as they can be.") }
        guard failed == 0 else { throw CommandError.notAllSent(failed) }
    }

    private func follow() async throws {
        let news = ChatNews([conversation])
        _ = try await client.call(ChatControl.follow.asWire, ChatControl.Following(conversation.id)) { [self] wire in
            guard let item = try? wire.decode(as: ChatControl.Item.self) else { return }
            if let message = item.message, message.isMine { note(message) }
            if json { return try Output.json(wire) }
            for line in item.message?.isMine == true ? [] : news.lines(of: item) { try Output.result(line) }
        }
    }

    /// A line that is blank is no message.
    private func sendLines() async throws {
        for try await line in InputLines(limit: ChatLimits.text) where line.contains(where: { !$0.isWhitespace }) {
            let id = ChatDelivery.newID()
            outcome.withLock { _ = $0.waiting.insert(id) }
            note(try await client.call(ChatControl.send, ChatControl.Text(conversation.id, line, id: id)))
        }
    }

    /// Looks at the history until nothing waits: what is followed may have begun after the first messages were sent.
    private func settle() async throws {
        var left = patience
        while outcome.withLock({ !$0.waiting.isEmpty }), left > .zero {
            let query = ChatControl.History(conversation.id, limit: ChatMessages.limit)
            for message in try await client.call(ChatControl.history, query).messages where message.isMine {
                note(message)
            }
            guard outcome.withLock({ !$0.waiting.isEmpty }) else { return }
            try await Running.console.pause(for: Self.pause)
            left -= Self.pause
        }
    }

    private func note(_ message: ChatControl.MessageEntry) {
        guard message.status != .sending, outcome.withLock({ $0.waiting.remove(message.id) }) != nil,
            message.status == .failed
        else { return }
        outcome.withLock { $0.failed += 1 }
        Output.complain("Not sent: \(TerminalText.line(message.text)): \(TerminalText.line(message.error ?? ""))")
    }
}
