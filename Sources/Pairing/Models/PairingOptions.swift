public import Rights

/// A person's choices for one pairing.
public struct PairingOptions: Hashable, Sendable {
    /// Whether to pair with a program that speaks only the documented wire and cannot seal what it sends.
    public var allowsDocumentedPeers: Bool
    /// Whether to go on although the device is known with another key.
    public var acceptsNewIdentity: Bool
    /// The digits that may be typed in place of scanning. A code that was shown with ten digits is never completed with six.
    public var digits: TypedDigits
    /// Rights for the phone that is paired here, beside those of every phone. Not used when the other device is a computer.
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
