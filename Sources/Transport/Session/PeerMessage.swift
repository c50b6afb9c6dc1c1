/// A message from the other device.
public struct PeerMessage: Hashable, Sendable {
    /// The message, at most 700,000 bytes.
    public let bytes: [UInt8]
    /// The sender's number for a message that outlives its process. A crash while it is being handled brings it again
    /// with the same number, so a reader that stores what it says can store the number with it.
    public let durable: UInt64?

    public init(bytes: [UInt8], durable: UInt64?) {
        self.bytes = bytes
        self.durable = durable
    }
}
