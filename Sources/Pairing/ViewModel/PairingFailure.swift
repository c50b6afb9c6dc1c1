/// Why pairing failed, for a screen: a sentence, and what the person may do about it.
public struct PairingFailure: Hashable, Sendable {
    /// What happened, then what to do.
    public let message: String
    /// Nil for what came from a store or the network.
    public let error: PairingError?

    init(_ error: any Error) {
        message = "\(error)"
        self.error = error as? PairingError
    }

    /// What to allow to go on all the same; nil when going on is no choice.
    public var remedy: PairingOptions? {
        switch error {
        case .keyChanged: PairingOptions(acceptsNewIdentity: true)
        case .notEndToEnd: PairingOptions(allowsDocumentedPeers: true)
        default: nil
        }
    }
}
