/// A message that waits on disk for a peer that is away. Source: `docs/protocol.md`, "Records": it leaves as a durable message.
public struct KeptMessage: Hashable, Sendable {
    /// The message as it is sent.
    public var bytes: [UInt8]
    /// What the message is about, for taking back all of it: the right that the peer needs to be told.
    public var topic: String
    /// A message under the same key that has not left yet is replaced; nil replaces none.
    public var key: String?

    public init(_ bytes: [UInt8], topic: String, key: String? = nil) {
        self.bytes = bytes
        self.topic = topic
        self.key = key
    }
}

/// How much is kept for one peer. What goes beyond it is the oldest.
public struct KeptBounds: Hashable, Sendable {
    /// Messages.
    public var count: Int
    /// Bytes of all messages together.
    public var bytes: Int
    /// Of one message.
    public var messageBytes: Int
    /// In milliseconds.
    public var age: Int64

    public init(
        count: Int = 1000,
        bytes: Int = 4 << 20,
        messageBytes: Int = 256 << 10,
        age: Int64 = 30 * 24 * 3600 * 1000
    ) {
        self.count = count
        self.bytes = bytes
        self.messageBytes = messageBytes
        self.age = age
    }
}
