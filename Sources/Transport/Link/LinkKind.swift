/// The carrier of a session's frames. Ordered: a later case is the better way, so the greatest that answers is used.
public enum LinkKind: String, Hashable, Sendable, Comparable, CaseIterable {
    /// Through a hub or another program's relay.
    case relay
    case webRTC
    /// Directly, in the same network.
    case lan

    public static func < (first: LinkKind, second: LinkKind) -> Bool { first.rank < second.rank }

    private var rank: Int {
        switch self {
        case .relay: 0
        case .webRTC: 1
        case .lan: 2
        }
    }
}
