import Kernel

/// The server's answer to a registration.
public struct SignalRegistered: Hashable, Sendable {
    /// The id that is registered.
    public var peerID: String?
    /// The server's time, in milliseconds since 1970.
    public var serverTime: Int64?
    /// Whether the server saw the proof that the id is ours. Source: `docs/protocol.md` 2.1.
    public var isProven: Bool
    /// Whether the server forwards binary frames.
    public var hasBinary: Bool
    /// Whether the server speaks Part 2 of the protocol.
    public var isTandem: Bool
    /// The address of the page that makes a browser a phone, as the server says it; to be checked before it is shown. Source:
    /// `docs/protocol.md` 2.1.
    public var phonePage: String?

    private static let addressLimit = 1024

    init(_ frame: JSONValue) {
        peerID = frame["peerId"]?.peerID
        serverTime = frame["serverTime"]?.integerValue
        let extra = frame["e2e"]
        isTandem = extra?.objectValue != nil
        isProven = extra?["proven"]?.boolValue ?? false
        hasBinary = extra?["binary"]?.boolValue ?? false
        phonePage = frame["phonePage"]?.stringValue.flatMap { $0.utf8.count <= Self.addressLimit ? $0 : nil }
    }
}
