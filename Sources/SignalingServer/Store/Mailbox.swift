/// A frame for a device that is away.
package struct MailboxFrame: Hashable, Sendable {
    /// The device that is away.
    package var recipient: PeerID
    /// Nil when it had not registered.
    package var sender: PeerID?
    /// Whether the sender proved its id.
    package var isProven: Bool
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var storedAt: Int64
    /// The frame as the recipient would have received it, JSON.
    package var bytes: [UInt8]

    package init(recipient: PeerID, sender: PeerID?, isProven: Bool, storedAt: Int64, bytes: [UInt8]) {
        self.recipient = recipient
        self.sender = sender
        self.isProven = isProven
        self.storedAt = storedAt
        self.bytes = bytes
    }
}

/// A frame as a mailbox gives it back. Numbers grow in the order frames were stored.
package struct NumberedFrame: Hashable, Sendable {
    /// The frame's number, for ``Mailbox/remove(for:through:)``.
    package var number: Int64
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var storedAt: Int64
    /// The frame, as in ``MailboxFrame/bytes``.
    package var bytes: [UInt8]

    package init(number: Int64, storedAt: Int64, bytes: [UInt8]) {
        self.number = number
        self.storedAt = storedAt
        self.bytes = bytes
    }
}

/// Keeps frames for devices that are away, until they took them. Calls come one at a time, batched.
package protocol Mailbox: Sendable {
    /// Returns once the frames survive a power cut: senders are told then. One commit for all.
    ///
    /// - Returns: For each frame, whether it was kept; not when ``SignalingLimits/mailboxes``, the sender's share or the share
    ///   of senders without a proof is used up.
    func store(_ frames: [MailboxFrame]) async throws -> [Bool]

    /// The oldest frames behind `number`, about `maximumBytes` of them and at least one, none older than `storedAt`.
    func frames(
        for recipient: PeerID,
        after number: Int64,
        storedSince: Int64,
        maximumBytes: Int
    ) async throws -> [NumberedFrame]

    /// Forgets what was delivered.
    func remove(for recipient: PeerID, through number: Int64) async throws

    /// Forgets what was stored before this time, milliseconds since 1970.
    func removeStored(before: Int64) async throws

    /// How many frames are waiting.
    func count() async throws -> Int
}
