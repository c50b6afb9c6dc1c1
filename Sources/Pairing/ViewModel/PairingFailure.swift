/// A failed pairing, for a screen: a sentence, and the remedy that the person may choose.
public struct PairingFailure: Hashable, Sendable {
    /// A sentence for the person: what happened, then what to do.
    public let message: String
    /// The pairing error; nil for an error of a store or the network.
    public let error: PairingError?

    init(_ error: any Error) {
        message = "\(error)"
        self.error = error as? PairingError
    }

    /// The options with which the person may go on despite the failure; nil when that is not possible.
    public var remedy: PairingOptions? {
        switch error {
        case .keyChanged: PairingOptions(acceptsNewIdentity: true)
        case .notEndToEnd: PairingOptions(allowsDocumentedPeers: true)
        default: nil
        }
    }
}
