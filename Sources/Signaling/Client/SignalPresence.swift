/// How a server knows us.
public struct SignalPresence: Hashable, Sendable {
    /// The id that the server confirmed.
    public var id: String
    /// The server checked our key. Source: `docs/protocol.md` 2.1.
    public var isProven: Bool
    /// Binary frames can be sent. Source: `docs/protocol.md` 2.2.
    public var hasBinary: Bool
    /// The server speaks Part 2 of the protocol.
    public var isTandem: Bool

    public init(id: String, isProven: Bool = false, hasBinary: Bool = false, isTandem: Bool = false) {
        self.id = id
        self.isProven = isProven
        self.hasBinary = hasBinary
        self.isTandem = isTandem
    }
}
