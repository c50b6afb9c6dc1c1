/// How things stand between this device and a paired one.
public enum PeerConnectionState: Hashable, Sendable {
    /// No link is up, or the other device said good-bye.
    case notConnected
    /// A link is up; the other device has not answered yet.
    case connecting
    case connected(path: LinkKind)
    case refused(RefusalReason)
    case closed

    /// Why the other device will not talk to this one, proven by its key.
    public enum RefusalReason: String, Hashable, Sendable {
        case notPaired = "not-paired"
    }
}
