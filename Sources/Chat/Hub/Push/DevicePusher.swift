package import Chat

/// Wakes closed devices: a seam, so that the service knows no network.
package protocol DevicePusher: Sendable {
    /// The public key that devices bind their subscriptions to: 65 bytes as base64url.
    var publicKey: String { get }
    /// - Throws: For a subscription to which nothing can be sent.
    func check(_ subscription: RegisterPush.Subscription) throws
    /// Sends one message, and once more where the service is busy for a moment.
    ///
    /// - Parameter topic: What the message is about: one that waits there is replaced. The push service does not see it.
    func wake(_ subscription: RegisterPush.Subscription, with payload: [UInt8], topic: String) async -> PushEnd
}

/// What became of a message to a closed device.
package enum PushEnd: Hashable, Sendable {
    case sent
    /// The subscription is over.
    case gone
    case failed
}
