public import Commands

/// Locking, sleeping and waking by a paired computer.
///
/// Each call throws ``RemoteFailure`` when the computer refused, and ``RemoteError`` when no answer came or it could not be read.
public struct PowerClient: Sendable {
    private let peer: any Peer

    public init(_ peer: any Peer) { self.peer = peer }

    /// What the computer can do of it, and how it can be woken.
    public func status() async throws -> PowerStatus { try await peer.call(PowerMethods.status) }

    public func lock() async throws { _ = try await peer.call(PowerMethods.lock) }

    /// Puts the computer to sleep, which ends its connections.
    public func sleep() async throws { _ = try await peer.call(PowerMethods.sleep) }

    /// Has the computer broadcast the packets that wake another.
    ///
    /// - Parameter addresses: Of the other one's interfaces, 1 to ``WakeLimits/addresses``.
    public func wake(_ addresses: [HardwareAddress]) async throws -> WakeSent {
        try await peer.call(PowerMethods.wake, WakeRequest(addresses))
    }
}
