import Kernel
public import Pairing

/// Holds typed codes at a switchboard in memory.
public struct InMemoryAliasGate: PairingAliasGate {
    private let server: PairingSwitchboard

    public init(_ server: PairingSwitchboard) { self.server = server }

    public func hold(
        _ code: PairingCode,
        handingOn receive: @escaping @Sendable (PairingGateEvent) async -> Void
    ) async throws {
        let broadcaster = Broadcaster<PairingGateEvent>()
        let events = broadcaster.subscribe()
        server.register(code.alias, broadcaster, isOwedKept: false)
        defer { server.unregister(code.alias, broadcaster) }
        for await event in events { await receive(event) }
        try Task.checkCancellation()
    }
}
