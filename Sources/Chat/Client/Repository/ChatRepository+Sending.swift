import Accounts
public import Chat
import Foundation
import Kernel
import Logging

/// Own messages. Source: rules Q1 to Q8, C5, C7, B18 to B20, B24.
extension ChatRepository {
    /// Sends words. They are on disk when this returns; ``ChatControl/follow`` tells what becomes of them.
    ///
    /// - Parameter id: Chosen by the asker, so that asking again sends nothing twice; nil for a new one.
    /// - Throws: ``ChatError/blank``, ``ChatError/tooLong(_:limit:)``, ``ChatError/queueFull(limit:)``; what is wrong with the disk.
    public func send(_ text: String, in conversation: ConversationID, id: String? = nil) async throws
        -> ChatControl.MessageEntry
    {
        guard let words = Draft.sendable(text) else { throw ChatError.blank }
        let payload = MessagePayload.text(words)
        try payload.check()
        return try await send(.payload(payload), in: conversation, id: id)
    }

    /// Sends what was made ready: words, a quote, or files in the outbox's folder.
    ///
    /// - Throws: As ``send(_:in:id:)``.
    public func send(
        _ content: OutgoingContent,
        in conversation: ConversationID,
        id: String? = nil,
        receiveID: String? = nil
    ) async throws -> ChatControl.MessageEntry {
        guard conversation.peer(of: me) != nil else { throw ChatError.notYours }
        let id = try id.map(Self.checked) ?? UUID.randomText()
        try await outbox.add(
            OutgoingMessage(id: id, in: conversation, content, receiveID: receiveID, createTime: now)
        )
        return try await message(id, in: conversation)
    }

    /// An id that a message may have.
    ///
    /// - Throws: ``ChatError/malformed(_:)``, ``ChatError/tooLong(_:limit:)``.
    static func checked(_ id: String) throws(ChatError) -> String {
        guard id.utf8.count <= ChatLimits.messageID else { throw .tooLong("id", limit: ChatLimits.messageID) }
        guard !id.isEmpty, id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .malformed("id") }
        return id
    }

    /// Whether a message of this id is here already: asking again sends nothing twice.
    func known(_ id: String, in conversation: ConversationID) async throws -> ChatControl.MessageEntry? {
        do { return try await message(id, in: conversation) } catch ChatError.unknownMessage { return nil }
    }

    /// Answers a signal, once in a conversation: under an id that is the same on every device and at every try.
    ///
    /// - Throws: ``ChatError/malformed(_:)`` without a signal or a reply; as ``send(_:in:id:)``.
    public func quote(_ quote: ChatControl.Quote, in conversation: ConversationID) async throws
        -> ChatControl.MessageEntry
    {
        guard var shown = Conversation(conversation, for: me) else { throw ChatError.notYours }
        shown.fromSignal = true
        shown.signalID = quote.signal
        shown.signalReply = quote.reply
        shown.signalContent = quote.content
        shown.receiveID = quote.receive
        guard let signal = SignalQuote(shown) else { throw ChatError.malformed("signal") }
        try signal.payload.check()
        return try await send(
            .payload(signal.payload),
            in: conversation,
            id: signal.messageID,
            receiveID: quote.receive
        )
    }

    /// Sends a failed message once more, under its id. Source: rule B24.
    ///
    /// - Throws: ``ChatError/unknownMessage``, ``ChatError/illegalStatus(from:to:)``.
    public func resend(_ id: String, in conversation: ConversationID) async throws -> ChatControl.MessageEntry {
        let record = try await record(id, in: conversation)
        guard record.status == .failed else {
            throw ChatError.illegalStatus(from: record.status, to: .sending)
        }
        try await outbox.resend(id)
        return try await message(id, in: conversation)
    }

    /// Throws a message away that waits or failed.
    ///
    /// - Throws: ``ChatError/unknownMessage``; ``ChatError/notRecallable`` for one that is being sent or was sent.
    public func discard(_ id: String, in conversation: ConversationID) async throws {
        _ = try await record(id, in: conversation)
        try await outbox.discard(id)
    }

    /// Takes an own message back, on both sides; one that was not sent is taken out of the outbox.
    ///
    /// - Returns: The row as it is now; of one that was not sent as it was.
    /// - Throws: ``ChatError/unknownMessage``, ``ChatError/notRecallable``; what the hub refuses.
    public func recall(_ id: String, in conversation: ConversationID) async throws -> ChatControl.MessageEntry {
        let record = try await record(id, in: conversation)
        guard record.key.sender == me, !record.state.contains(.recalled) else { throw ChatError.notRecallable }
        guard record.status == .success else {
            try await outbox.discard(id)
            return feed.entry(record)
        }
        do {
            _ = try await server.ask(ChatEndpoints.revoke, RevokeMessage(conversation, clientMessageID: id))
        } catch ChatError.refused(.alreadyRevoked, _) {
            // By another device of the person.
        }
        try await noteRecalled(id, in: conversation)
        return try await message(id, in: conversation)
    }

    func noteRecalled(_ id: String, in conversation: ConversationID) async throws {
        let target = MessageKey(sender: me, clientMessageID: id)
        try await stored.write { [early] transaction in
            try transaction.change(conversation) {
                try transaction.recall(IncomingItem.Recall(target: target, sequence: nil), in: $0, early: early)
            }
        }
        acted()
    }

    /// Deletes a message for this account alone; one that was not sent is thrown away.
    ///
    /// - Throws: ``ChatError/unknownMessage``; what the hub refuses.
    public func remove(_ id: String, in conversation: ConversationID) async throws {
        let record = try await record(id, in: conversation)
        guard let place = record.sequence else { return try await outbox.discard(id) }
        _ = try await server.ask(IMEndpoints.deleteMessages, ConversationSequences(me, conversation, [place]))
        try await stored.write { [early] transaction in
            try transaction.change(conversation) { try transaction.delete([place], in: $0, early: early) }
        }
        acted()
    }

    /// Shows the other person that something is being written. What the hub does not take is forgotten.
    public func type(in conversation: ConversationID, _ isTyping: Bool) async throws {
        guard conversation.peer(of: me) != nil else { throw ChatError.notYours }
        // The other side lets it end by itself.
        guard isTyping, isConnected else { return }
        let payload = MessagePayload.unknown(.typing, TypingNotice(isTyping: true).element)
        var request = SendMessage(to: .conversation(conversation), payload, clientMessageID: UUID.randomText())
        request.push = nil
        do {
            _ = try await server.ask(ChatEndpoints.send, request)
        } catch {
            logger.debug("typing was not told", metadata: ["reason": "\(error)"])
        }
    }
}
