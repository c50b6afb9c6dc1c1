public import Foundation
import Kernel
public import Signaling
import Synchronization

/// Holds a typed code's alias with clients of its own: one connection knows one id.
public struct SignalClientAliasGate: PairingAliasGate {
    private let addresses: @Sendable () async -> [URL]
    private let makeClient: @Sendable (URL) -> any SignalClient

    /// - Parameters:
    ///   - addresses: The servers at which phones may look for a code, in the order of the gates at them: the computer's
    ///     own, and the hub's.
    ///   - makeClient: A client for a server, connected to nothing.
    public init(
        addresses: @escaping @Sendable () async -> [URL],
        makeClient: @escaping @Sendable (URL) -> any SignalClient
    ) {
        self.addresses = addresses
        self.makeClient = makeClient
    }

    public func hold(
        _ code: PairingCode,
        isHeld: @escaping @Sendable () -> Void,
        handingOn receive: @escaping @Sendable (PairingGateEvent, Int) async -> Void
    ) async throws {
        let addresses = await addresses()
        guard !addresses.isEmpty else { throw PairingError.noAddress }
        let unanswered = Countdown(addresses.count, then: isHeld)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (gate, address) in addresses.enumerated() {
                group.addTask {
                    let hasAnswered = Countdown(1, then: unanswered.count)
                    // A server that cannot be reached has answered too.
                    defer { hasAnswered.count() }
                    try await hold(code, at: address, isHeld: hasAnswered.count) { await receive($0, gate) }
                }
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
        isHeld: @Sendable () -> Void,
        handingOn receive: @escaping @Sendable (PairingGateEvent) async -> Void
    ) async throws {
        let client = makeClient(address)
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
            isHeld()
            for await event in messages {
                // A phone whose ack found no computer gave up at once: a stored message belongs to an exchange that is over.
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

/// Runs something once, when it was counted down to nothing.
private final class Countdown: Sendable {
    private let left: Mutex<Int>
    private let action: @Sendable () -> Void

    init(_ count: Int, then action: @escaping @Sendable () -> Void) {
        left = Mutex(count)
        self.action = action
    }

    @Sendable
    func count() {
        let isLast = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isLast { action() }
    }
}
