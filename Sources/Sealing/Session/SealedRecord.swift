/// A sealed body in its wire form. Source: `docs/protocol.md` 2.5.
public struct SealedRecord: Hashable, Sendable {
    /// The number of the direction's key that sealed it, counted from 0.
    public var generation: UInt32
    /// The nonce's number, from 0 in each direction and never used twice.
    public var sequence: UInt64
    /// The ciphertext, then the tag.
    public var ciphertext: [UInt8]

    public init(generation: UInt32, sequence: UInt64, ciphertext: [UInt8]) {
        self.generation = generation
        self.sequence = sequence
        self.ciphertext = ciphertext
    }
}
