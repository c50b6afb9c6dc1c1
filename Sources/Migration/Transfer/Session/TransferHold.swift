/// A pause, which the side that asked for it ends: so two sides that pause and go on at the same moment never disagree about who waits.
public struct TransferHold: Hashable, Sendable {
    /// Why this side pauses; nil when it does not. A word, for example `user` or `diskFull`.
    public var own: String?
    /// Why the peer pauses; nil when it does not.
    public var peer: String?

    public init(own: String? = nil, peer: String? = nil) {
        self.own = own
        self.peer = peer
    }

    public var isHeld: Bool { own != nil || peer != nil }
}
