extension MessageTimeline {
    /// What a recall begins with.
    public enum RecallStep: Hashable, Sendable {
        /// Ask the server; the row is shown as recalled meanwhile.
        case ask(RevokeMessage)
        /// The message was never sent: take it out of the queue, and ``MessageTimeline/discard(_:)`` it where that worked. Source: rule B19.
        case cancelSending(id: String)
    }

    /// Recalls an own message, at once on this screen. Source: rules C5, B18, B19.
    ///
    /// - Throws: ``ChatError/unknownMessage`` for another one's message, too; ``ChatError/notRecallable``.
    public mutating func beginRecall(_ id: String) throws(ChatError) -> RecallStep {
        guard let message = own(id) else { throw .unknownMessage }
        guard !message.isRecalled else { throw .notRecallable }
        guard message.status == .success else { return .cancelSending(id: id) }
        optimisticRecalls.insert(message.key)
        return .ask(RevokeMessage(conversation, clientMessageID: id))
    }

    /// The server recalled it.
    public mutating func confirmRecall(_ id: String) {
        let key = MessageKey(sender: me, clientMessageID: id)
        optimisticRecalls.remove(key)
        messages[key]?.recall()
    }

    /// The server did not recall it: the row is as it was, wherever it stands now. What changed in it meanwhile stays. Source: rule B18.
    public mutating func rollBackRecall(_ id: String) {
        optimisticRecalls.remove(MessageKey(sender: me, clientMessageID: id))
    }
}
