public import Foundation
public import Kernel
public import Signaling

/// Pairing over a signaling client that somebody else connects and registers: the computer's own server, or its hub.
public struct SignalClientPairingGate: PairingSignalingGate {
    private let client: any SignalClient

    public init(_ client: any SignalClient) {
        self.client = client
    }

    /// Its owner connects it; there is nothing to do.
    public func connect(to url: URL) async throws {}
    /// Its owner registers it under the device's own id.
    public func register(as id: String, device: PairingDeviceInfo) async throws {}
    /// Other parts use the connection too, so pairing never ends it.
    public func reset() async {}

    public func send(_ payload: JSONValue, to id: String) async throws {
        try await client.send(SignalMessage(to: id, payload: payload))
    }

    public func events() -> AsyncStream<PairingGateEvent> {
        PairingGateEvent.events(of: client)
    }
}

extension PairingGateEvent {
    /// What a client says, as far as it matters to pairing. Ends with its reader.
    public static func events(of client: any SignalClient) -> AsyncStream<PairingGateEvent> {
        let (stream, events) = AsyncStream.makeStream(of: PairingGateEvent.self, bufferingPolicy: .bufferingNewest(256))
        let signals = client.messages()
        let states = client.states()
        let task = Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await signal in signals {
                        if let event = PairingGateEvent(signal) { events.yield(event) }
                    }
                }
                group.addTask {
                    var wasLost = false
                    for await state in states {
                        if let event = PairingGateEvent(state, wasLost: &wasLost) { events.yield(event) }
                    }
                }
            }
        }
        events.onTermination = { _ in task.cancel() }
        return stream
    }

    public init?(_ signal: SignalEvent) {
        switch signal {
        case .message(let message) where message.kind == .message:
            self = .message(from: message.from, payload: message.payload)
        case .peerOffline(let notice):
            self = .peerOffline(id: notice.peerID)
        default:
            return nil
        }
    }

    /// - Parameter wasLost: Whether the connection was up before and is not now; kept by the caller from call to call.
    public init?(_ state: SignalClientState, wasLost: inout Bool) {
        switch state {
        case .registered where wasLost:
            wasLost = false
            self = .reconnected
        case .waiting, .replaced, .refused:
            guard !wasLost else { return nil }
            wasLost = true
            self = .disconnected(reason: "the connection to the server was lost")
        case .registered, .disconnected, .connecting, .connected:
            return nil
        }
    }
}
