import Commands
public import Kernel

/// Why a bulk connection cannot be used (any more). None of these ends a transfer: it goes on over the sealed session.
public enum BulkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No connection came about: the other side is not reached at this address, or a firewall refuses it.
    case unreachable(reason: String)
    /// This device cannot listen for bulk connections.
    case notListening(reason: String)
    /// What was said first is no greeting, or its token was used, has expired or was taken back.
    case unknownToken
    /// The other side did not show that it knows the session's key.
    case wrongProof
    /// A record that was changed, comes twice or comes in another order.
    case damaged
    /// A record that is not as documented. The text says which part.
    case malformed(String)
    /// The connection ended before its last record.
    case truncated
    /// Nothing moved for as long as a connection may stand still.
    case stalled
    /// A body or a connection carries no more: a new one has to be opened.
    case exhausted
    /// The device holds as many tickets or connections as it may.
    case tooMany(limit: Int)
    /// It was closed at this side: the right was taken away, or nobody needs it any more.
    case closed

    public var description: String {
        switch self {
        case .unreachable(let reason):
            "No direct connection to the other device: \(reason). Files go the usual way; allow its port in the firewall for more speed."
        case .notListening(let reason):
            "This computer takes no direct connections: \(reason). Choose another port with directFilesPort, or leave it out."
        case .unknownToken:
            "A direct connection named no transfer that was agreed on. It was closed; the transfer goes on the usual way."
        case .wrongProof:
            "Another program answered in place of the paired device. Nothing was sent to it; the transfer goes on the usual way."
        case .damaged:
            "Data was changed on the way between the devices. It was not used; the transfer goes on the usual way."
        case .malformed(let part):
            "The other device sent \(part) that cannot be read. Update Tandem on both devices."
        case .truncated: "The direct connection was cut. The transfer goes on with what arrived."
        case .stalled: "The direct connection stands still. The transfer goes on the usual way."
        case .exhausted: "The direct connection carried as much as one may. The transfer goes on over another."
        case .tooMany(let limit): "\(limit) direct connections of this device are open already. Wait until one ends."
        case .closed: "The direct connection was closed on this device."
        }
    }
}

extension BulkError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .unreachable, .truncated, .stalled: .kind(.away)
        case .notListening: .code(FailureCode.unsupported)
        case .unknownToken, .wrongProof: .code(FailureCode.notAllowed, kind: .notAllowed)
        case .damaged, .malformed: .code(FailureCode.badParameters, kind: .badRequest)
        case .exhausted: .code(FailureCode.internalError, kind: .full)
        case .tooMany: .code(FailureCode.busy)
        case .closed: .code(FailureCode.cancelled, kind: .cancelled)
        }
    }
}
