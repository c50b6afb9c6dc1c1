/// A sealed body as it travels. Source: `docs/protocol.md` 2.5.
public struct SealedRecord: Hashable, Sendable {
    public var generation: UInt32
    public var sequence: UInt64
    /// The ciphertext, then the tag.
    public var ciphertext: [UInt8]

    public init(generation: UInt32, sequence: UInt64, ciphertext: [UInt8]) {
        self.generation = generation
        self.sequence = sequence
        self.ciphertext = ciphertext
    }
}
