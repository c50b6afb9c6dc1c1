/// Hands messages to push services. An app's server that has Apple's key implements it for ``PushTarget/apns(_:)``.
package protocol PushSender: Sendable {
    /// Sends one message, once. A caller that is told ``PushOutcome/later(after:)`` decides whether to try again.
    ///
    /// - Parameters:
    ///   - payload: In the clear; a sender encrypts it where the protocol allows.
    ///   - topic: A message that waits under the same topic is replaced.
    ///   - ttl: How long the service keeps the message for a device that is away; zero drops it then.
    /// - Throws: ``PushError`` where no answer of a push service was had.
    func send(
        _ payload: [UInt8],
        to target: PushTarget,
        urgency: PushUrgency,
        topic: PushTopic?,
        ttl: Duration
    ) async throws(PushError) -> PushOutcome
}
