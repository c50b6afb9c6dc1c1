public import Foundation
import Kernel
public import Signaling

/// Holds a typed code's alias with clients of its own: one connection knows one id.
public struct SignalClientAliasGate: PairingAliasGate {
    private let addresses: @Sendable () async -> [URL]
    private let makeClient: @Sendable () -> any SignalClient

    /// - Parameters:
    ///   - addresses: The servers at which phones may look for a code: the computer's own, and the hub's.
    ///   - makeClient: A client that is connected to nothing.
    public init(
        addresses: @escaping @Sendable () async -> [URL],
        makeClient: @escaping @Sendable () -> any SignalClient
    ) {
        self.addresses = addresses
        self.makeClient = makeClient
    }

    public func hold(
        _ code: PairingCode,
        handingOn receive: @escaping @Sendable (PairingGateEvent) async -> Void
    ) async throws {
        let addresses = await addresses()
        guard !addresses.isEmpty else { throw PairingError.noAddress }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for address in addresses {
                group.addTask { try await hold(code, at: address, handingOn: receive) }
            }
            // One server that cannot be reached does not end the registration at another.
            var failure: (any Error)?
            var failures = 0
            while let result = await group.nextResult() {
                if case .failure(let error) = result {
                    failure = error
                    failures += 1
                }
            }
            if let failure, failures == addresses.count { throw failure }
        }
    }

    private func hold(
        _ code: PairingCode,
        at address: URL,
        handingOn receive: @escaping @Sendable (PairingGateEvent) async -> Void
    ) async throws {
        let client = makeClient()
        let messages = client.messages()
        do {
            try await client.connect(to: address)
            try await client.register(
                as: code.alias,
                device: SignalDevice(
                    category: .desktop,
                    info: ["role": "manual-pair-alias", "code": .string(code.digits)]
                )
            )
            for await event in messages {
                // A phone whose ack found nobody gave up there and then: what was kept of it is an exchange that is over.
                if case .message(let message) = event, message.wasStored { continue }
                if let event = PairingGateEvent(event) { await receive(event) }
            }
        } catch {
            await client.disconnect()
            throw error
        }
        await client.disconnect()
        try Task.checkCancellation()
    }
}
