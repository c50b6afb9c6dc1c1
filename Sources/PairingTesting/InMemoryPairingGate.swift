public import Foundation
public import Kernel
public import Pairing
import Synchronization

/// A gate to switchboards in memory, each found under its address.
public final class InMemoryPairingGate: PairingSignalingGate {
    private struct State {
        var server: PairingSwitchboard?
        var id: String?
        var attempts: [URL] = []
    }

    /// Whether the servers say that they drop what is sent to an alias that no device holds, as ours do.
    public let dropsForAbsentAliases: Bool
    private let servers: [URL: PairingSwitchboard]
    private let broadcaster = Broadcaster<PairingGateEvent>()
    private let state = Mutex(State())

    public init(_ servers: [URL: PairingSwitchboard], dropsForAbsentAliases: Bool = true) {
        self.servers = servers
        self.dropsForAbsentAliases = dropsForAbsentAliases
    }

    /// The addresses that were tried, in order.
    public var attempts: [URL] { state.withLock(\.attempts) }

    public func connect(to url: URL) async throws {
        state.withLock { $0.attempts.append(url) }
        guard let server = servers[url], server.isUp else { throw InMemoryPairingGateError.refused }
        state.withLock { $0.server = server }
    }

    public func register(as id: String, device: PairingDeviceInfo) async throws {
        guard let server = state.withLock(\.server) else { throw InMemoryPairingGateError.notConnected }
        state.withLock { $0.id = id }
        server.register(id, broadcaster)
    }

    public func send(_ payload: JSONValue, to id: String) async throws {
        let (server, own) = state.withLock { ($0.server, $0.id) }
        guard let server, server.isUp else { throw InMemoryPairingGateError.notConnected }
        server.send(.init(from: own, to: id, payload: payload), sender: broadcaster)
    }

    public func reset() async {
        let (server, id) = state.withLock { state in
            defer { (state.server, state.id) = (nil, nil) }
            return (state.server, state.id)
        }
        if let server, let id { server.unregister(id, broadcaster) }
    }

    public func events() -> AsyncStream<PairingGateEvent> { broadcaster.subscribe() }

    /// Reports an event to the readers, as a real connection does by itself.
    public func report(_ event: PairingGateEvent) { broadcaster.send(event) }
}

/// An error of a connection in memory.
public enum InMemoryPairingGateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No switchboard has the address, or it is down.
    case refused
    /// ``InMemoryPairingGate/connect(to:)`` was not called, or the switchboard went down since.
    case notConnected

    public var description: String {
        switch self {
        case .refused: "The server refused the connection."
        case .notConnected: "There is no connection."
        }
    }
}
