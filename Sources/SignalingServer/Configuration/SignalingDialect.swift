/// Which of the two observed servers to answer like, where they contradict each other. Source: `docs/protocol.md` 1.1.
package enum SignalingDialect: String, Hashable, Sendable, CaseIterable {
    /// The server inside a desktop program: what phones meet on a LAN.
    case embedded
    /// The server one deploys as a relay.
    case standalone
}
