/// A message that waits on disk for a peer that is away. Source: `docs/protocol.md`, "Records": it leaves as a durable message.
public struct KeptMessage: Hashable, Sendable {
    /// The message as it is sent.
    public var bytes: [UInt8]
    /// The subject by which messages are taken back together: the right that the peer needs to be told.
    public var topic: String
    /// A message under the same key that has not left yet is replaced; nil replaces none.
    public var key: String?
    /// Whether it is a state, which neither age nor later messages drop: a peer has to learn the newest however long it was away.
    public let isState: Bool

    /// - Parameter topic: A right takes what is kept back with it; a name that is no right keeps it.
    public init(_ bytes: [UInt8], topic: String, key: String? = nil) {
        self.bytes = bytes
        self.topic = topic
        self.key = key
        isState = false
    }

    /// The newest of a state, in place of what was kept of it before. There is one for a name, so that it needs no other bound.
    public init(state name: String, _ bytes: [UInt8]) {
        self.bytes = bytes
        topic = name
        key = name
        isState = true
    }
}

/// How much is kept for one peer. What goes beyond it is the oldest.
public struct KeptBounds: Hashable, Sendable {
    /// Messages.
    public var count: Int
    /// Bytes of all messages together.
    public var bytes: Int
    /// Bytes of one message.
    public var messageBytes: Int
    /// The greatest age, in milliseconds.
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
