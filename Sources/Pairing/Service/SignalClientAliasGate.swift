public import Foundation
import Kernel
public import Logging
import Signaling

/// Holds a typed code's alias at every server where phones may look for it, on sockets of their own: on the wire an id that
/// comes second takes the first one's place as the sender.
public struct SignalClientAliasGate: PairingAliasGate {
    private let servers: @Sendable () async -> [URL]
    private let logger: Logger

    /// - Parameter servers: This computer's own server and its hub, as they are now.
    public init(logger: Logger, servers: @escaping @Sendable () async -> [URL]) {
        self.servers = servers
        self.logger = logger
    }

    public func hold(
        _ code: PairingCode,
        handingOn receive: @escaping @Sendable (PairingGateEvent) async -> Void
    ) async throws {
        let urls = await servers()
        guard !urls.isEmpty else { throw PairingError.noAddress }
        try await withThrowingDiscardingTaskGroup { group in
            for url in urls {
                group.addTask { try await hold(code, at: url, handingOn: receive) }
            }
        }
    }

    private func hold(
        _ code: PairingCode,
        at url: URL,
        handingOn receive: @escaping @Sendable (PairingGateEvent) async -> Void
    ) async throws {
        // Without a proof: a server remembers proven ids for good, and the next holder of these digits is somebody else.
        let client = WebSocketSignalClient(identity: nil, logger: logger)
        let device = SignalDevice(
            category: .desktop,
            info: ["role": "manual-pair-alias", "code": .string(code.digits)]
        )
        let signals = client.messages()
        do {
            try await client.maintain(url, as: code.alias, device: device)
        } catch {
            await client.disconnect()
            throw error
        }
        for await signal in signals {
            if let event = PairingGateEvent(signal) { await receive(event) }
        }
        // Its reader ends when the task is cancelled; the alias must not outlive the code.
        await client.disconnect()
    }
}
