public import Foundation
public import Kernel
public import Signaling

/// Holds a typed code's alias with clients of its own, because a connection registers one id only.
public struct SignalClientAliasGate: PairingAliasGate {
    private let addresses: @Sendable () async -> [URL]
    private let makeClient: @Sendable (URL) -> any SignalClient
    private let time: any TimeSource

    /// The wait where a server does not say when it takes codes again.
    private static let usualWait = Duration.seconds(15)
    /// The bounds for the wait that a server asks for.
    private static let waits = Duration.milliseconds(100)...Duration.seconds(300)
    /// The wait while another device holds the digits, which lasts for minutes.
    private static let takenWait = Duration.seconds(60)
    /// How long a connection lasts to count as good: its end then says nothing about the next one.
    private static let settled = Duration.seconds(10)

    /// - Parameters:
    ///   - addresses: The servers at which phones may look for a code, in the order of the gates at them: the computer's
    ///     own, and the hub's.
    ///   - makeClient: A client for a server, connected to nothing.
    ///   - time: Measures the waits between tries.
    public init(
        addresses: @escaping @Sendable () async -> [URL],
        makeClient: @escaping @Sendable (URL) -> any SignalClient,
        time: any TimeSource = .system
    ) {
        self.addresses = addresses
        self.makeClient = makeClient
        self.time = time
    }

    public func hold(
        _ code: PairingCode,
        reporting report: @escaping @Sendable (PairingAliasStanding, Int) -> Void,
        handingOn receive: @escaping @Sendable (PairingGateEvent, Int) async -> Void
    ) async throws {
        let addresses = await addresses()
        guard !addresses.isEmpty else { throw PairingError.noAddress }
        for gate in addresses.indices { report(.asking, gate) }
        // One server that refuses or cannot be reached does not end the registration at another.
        await withDiscardingTaskGroup { group in
            for (gate, address) in addresses.enumerated() {
                group.addTask {
                    await keep(
                        code,
                        at: address,
                        reporting: { report($0, gate) },
                        handingOn: { await receive($0, gate) }
                    )
                }
            }
        }
        try Task.checkCancellation()
    }

    /// Holds the code at one server for as long as it is wanted.
    private func keep(
        _ code: PairingCode,
        at address: URL,
        reporting report: @Sendable (PairingAliasStanding) -> Void,
        handingOn receive: @escaping @Sendable (PairingGateEvent) async -> Void
    ) async {
        var backoff = Backoff.signaling
        while !Task.isCancelled {
            let client = makeClient(address)
            let messages = client.messages()
            var wait: Duration
            do {
                try await register(code, at: address, with: client)
                report(.held)
                let heldAt = time.now
                await receiveAll(of: client, messages, handingOn: receive)
                if time.now - heldAt >= Self.settled { backoff.reset() }
                wait = backoff.next()
                report(.asking)
            } catch {
                let reason: TypedCodeTrouble.Reason
                (reason, wait) = Self.trouble(error, &backoff)
                let trouble = TypedCodeTrouble(
                    reason: reason,
                    server: Self.name(of: address),
                    retriesAt: time.date.addingTimeInterval(wait / .seconds(1))
                )
                if !Task.isCancelled { report(.failed(trouble)) }
            }
            await client.disconnect()
            guard await time.pause(for: wait) else { return }
        }
    }

    private func register(_ code: PairingCode, at address: URL, with client: any SignalClient) async throws {
        try await client.connect(to: address)
        try await client.register(
            as: code.alias,
            device: SignalDevice(
                category: .desktop,
                info: ["role": "manual-pair-alias", "code": .string(code.digits)]
            )
        )
    }

    /// Hands on the messages that arrive, until the connection is lost or the task is cancelled.
    private func receiveAll(
        of client: any SignalClient,
        _ messages: AsyncStream<SignalEvent>,
        handingOn receive: @escaping @Sendable (PairingGateEvent) async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await event in messages {
                    // A phone whose ack found no computer gave up at once: a stored message belongs to an exchange that is over.
                    if case .message(let message) = event, message.wasStored { continue }
                    if let event = PairingGateEvent(event) { await receive(event) }
                }
            }
            group.addTask {
                for await state in client.states() where state.presence == nil { return }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private static func trouble(
        _ error: any Error,
        _ backoff: inout Backoff
    ) -> (reason: TypedCodeTrouble.Reason, wait: Duration) {
        switch error {
        case SignalError.aliasLimit(let wait):
            (.limited, min(max(wait ?? usualWait, waits.lowerBound), waits.upperBound))
        case SignalError.aliasTaken: (.taken, takenWait)
        default: (.unreachable, backoff.next())
        }
    }

    /// The host and port of an address, as the person knows them.
    private static func name(of address: URL) -> String {
        let host = PeerText.name(address.host(percentEncoded: false) ?? "")
        return address.port.map { "\(host):\($0)" } ?? host
    }
}
