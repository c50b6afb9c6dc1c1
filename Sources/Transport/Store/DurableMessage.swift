/// A message that outlives the process that sent it. Numbers count up from 1 for each peer and are never used twice.
public struct DurableMessage: Hashable, Sendable {
    /// Its durable number, from 1 for each peer.
    public let number: UInt64
    /// The message, at most 700,000 bytes.
    public let bytes: [UInt8]

    public init(number: UInt64, bytes: [UInt8]) {
        self.number = number
        self.bytes = bytes
    }
}
