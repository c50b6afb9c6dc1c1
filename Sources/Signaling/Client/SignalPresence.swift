/// This device's registration at a server.
public struct SignalPresence: Hashable, Sendable {
    /// The id that the server confirmed.
    public var id: String
    /// Whether the server checked our key. Source: `docs/protocol.md` 2.1.
    public var isProven: Bool
    /// Whether binary frames can be sent. Source: `docs/protocol.md` 2.2.
    public var hasBinary: Bool
    /// Whether the server speaks Part 2 of the protocol.
    public var isTandem: Bool
    /// The address that the server says its page for phones has.
    public var phonePage: String?

    public init(
        id: String,
        isProven: Bool = false,
        hasBinary: Bool = false,
        isTandem: Bool = false,
        phonePage: String? = nil
    ) {
        self.id = id
        self.isProven = isProven
        self.hasBinary = hasBinary
        self.isTandem = isTandem
        self.phonePage = phonePage
    }
}
