/// What the person allowed for one pairing.
public struct PairingOptions: Hashable, Sendable {
    /// Pair with a program that speaks only the documented wire and cannot seal what it sends.
    public var allowsDocumentedPeers: Bool
    /// Go on although the device is known with another key.
    public var acceptsNewIdentity: Bool

    public init(allowsDocumentedPeers: Bool = false, acceptsNewIdentity: Bool = false) {
        self.allowsDocumentedPeers = allowsDocumentedPeers
        self.acceptsNewIdentity = acceptsNewIdentity
    }
}
