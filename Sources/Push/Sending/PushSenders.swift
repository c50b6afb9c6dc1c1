/// One sender for each kind of target.
package struct PushSenders: PushSender {
    private let senders: [PushTarget.Kind: any PushSender]

    package init(_ senders: [PushTarget.Kind: any PushSender]) { self.senders = senders }

    /// - Throws: ``PushError/noSender(_:)`` where there is none for this kind; what the sender throws.
    package func send(
        _ payload: [UInt8],
        to target: PushTarget,
        urgency: PushUrgency,
        topic: PushTopic?,
        ttl: Duration
    ) async throws(PushError) -> PushOutcome {
        guard let sender = senders[target.kind] else { throw .noSender(target.kind) }
        return try await sender.send(payload, to: target, urgency: urgency, topic: topic, ttl: ttl)
    }
}
