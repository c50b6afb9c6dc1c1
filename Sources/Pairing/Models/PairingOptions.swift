public import Rights

/// What the person allowed for one pairing.
public struct PairingOptions: Hashable, Sendable {
    /// Pair with a program that speaks only the documented wire and cannot seal what it sends.
    public var allowsDocumentedPeers: Bool
    /// Go on although the device is known with another key.
    public var acceptsNewIdentity: Bool
    /// What may be typed in place of scanning. A code that was shown with ten digits is never completed with six.
    public var digits: TypedDigits
    /// What a phone that is paired here may do beside what every phone may. Means nothing for a computer.
    public var allowing: Set<Right>

    public init(
        allowsDocumentedPeers: Bool = false,
        acceptsNewIdentity: Bool = false,
        digits: TypedDigits = .ten,
        allowing: Set<Right> = []
    ) {
        self.allowsDocumentedPeers = allowsDocumentedPeers
        self.acceptsNewIdentity = acceptsNewIdentity
        self.digits = digits
        self.allowing = allowing
    }
}
