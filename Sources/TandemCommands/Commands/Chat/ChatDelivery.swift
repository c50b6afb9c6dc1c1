import ChatClient
import Control
import Foundation
import Kernel

/// Waits for what becomes of a message that was given to the phone.
struct ChatDelivery {
    /// Before each look at the history, should the news of a message be missed; the last one is used again and again.
    private static let pauses = [100, 200, 300, 400, 500, 1000].map { (pause: Int) -> Duration in .milliseconds(pause) }
    /// Messages of the newest page that are looked at: others may come meanwhile.
    private static let looked = 40

    let client: ControlClient
    let conversation: String

    /// An id for a new message, so that its news is known from the first moment on.
    static func newID() -> String { UUID().uuidString.lowercased() }

    /// Gives the message to the phone, and follows it.
    ///
    /// - Parameters:
    ///   - id: The message's.
    ///   - patience: How long it may take until it is sent; nil: it is not waited for.
    ///   - onProgress: Told how much of its files is uploaded, 0 to 1.
    ///   - give: Answers with the message as it came.
    /// - Returns: The message as it came last: sent, failed, or still waiting.
    func run(
        _ id: String,
        patience: Duration?,
        onProgress: @escaping @Sendable (Double) throws -> Void = { _ in },
        give: @escaping @Sendable () async throws -> JSONValue
    ) async throws -> JSONValue {
        guard let patience else { return try await give() }
        return try await withThrowingTaskGroup(of: JSONValue?.self) { group in
            defer { group.cancelAll() }
            let (ends, end) = AsyncStream.makeStream(of: JSONValue.self, bufferingPolicy: .bufferingOldest(1))
            group.addTask { [client, conversation] in
                // Should following not work, the looks find out.
                _ = try? await client.call(ChatControl.follow.asWire, ChatControl.Following(conversation)) { item in
                    guard let wire = item["message"], let message = Self.own(wire, id) else { return }
                    if message.status != .sending { end.yield(wire) } else { try onProgress(message.progress) }
                }
                return nil
            }
            group.addTask {
                for await wire in ends { return wire }
                return nil
            }
            group.addTask { try await look(for: id, from: try await give(), patience) }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            throw CancellationError()
        }
    }

    /// - Returns: As ``run(_:patience:onProgress:give:)``.
    private func look(for id: String, from first: JSONValue, _ patience: Duration) async throws -> JSONValue {
        var last = first
        var left = patience
        var pauses = Self.pauses[...]
        while Self.own(last, id)?.status == .sending, left > .zero {
            let pause = min(left, pauses.first ?? .seconds(1))
            if pauses.count > 1 { pauses.removeFirst() }
            try await Running.console.pause(for: pause)
            left -= pause
            let query = ChatControl.History(conversation, limit: Self.looked)
            let page = try await client.call(ChatControl.history.asWire, query)
            let found = page["messages"]?.arrayValue?.last {
                $0["id"]?.stringValue == id && $0["isMine"]?.boolValue == true
            }
            last = found ?? last
        }
        return last
    }

    private static func own(_ wire: JSONValue, _ id: String) -> ChatControl.MessageEntry? {
        guard wire["id"]?.stringValue == id, wire["isMine"]?.boolValue == true else { return nil }
        return try? wire.decode(as: ChatControl.MessageEntry.self)
    }

    /// Prints the outcome.
    ///
    /// - Throws: ``CommandError/notSent(_:id:name:)``.
    static func show(_ wire: JSONValue, in conversation: ChatControl.ConversationEntry, json: Bool) throws {
        let message: ChatControl.MessageEntry = try wire.controlAnswer()
        if json { try Output.json(wire) }
        guard message.status != .failed else {
            throw CommandError.notSent(message.error ?? "no reason was given", id: message.id, name: conversation.user)
        }
        if !json { try Output.result(ChatText.outcome(message)) }
    }
}
