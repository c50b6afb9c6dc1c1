package import Sealing

/// A device that is connected, as the operator of a server sees it.
package struct ConnectedPeer: Hashable, Sendable {
    /// One of the ids that its socket registered; `pairing-code` in place of the digits of a shown code.
    package var id: String
    /// The key by which it proved that; nil where it did not.
    package var key: DID?
    /// The address it came from, of an IPv6 host the /64.
    package var address: String
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var connectedAt: Int64
    /// When bytes of it last arrived, pongs included: milliseconds since 1970-01-01T00:00:00Z.
    package var lastSeen: Int64

    /// Whether it proved that the id is its own.
    package var isProven: Bool { key != nil }
}
