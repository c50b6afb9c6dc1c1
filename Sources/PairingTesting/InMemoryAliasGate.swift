import Kernel
public import Pairing

/// Holds typed codes at a switchboard in memory.
public struct InMemoryAliasGate: PairingAliasGate {
    private let server: PairingSwitchboard
    private let gate: Int

    /// - Parameter gate: The place of the computer's gate at the same switchboard.
    public init(_ server: PairingSwitchboard, gate: Int) {
        self.server = server
        self.gate = gate
    }

    public func hold(
        _ code: PairingCode,
        reporting report: @escaping @Sendable (PairingAliasStanding, Int) -> Void,
        handingOn receive: @escaping @Sendable (PairingGateEvent, Int) async -> Void
    ) async throws {
        let broadcaster = Broadcaster<PairingGateEvent>()
        let events = broadcaster.subscribe()
        server.register(code.alias, broadcaster, isOwedKept: false)
        report(.held, gate)
        defer { server.unregister(code.alias, broadcaster) }
        for await event in events { await receive(event, gate) }
        try Task.checkCancellation()
    }
}
