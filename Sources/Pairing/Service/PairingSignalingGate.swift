public import Foundation
public import Kernel

/// The part of a signaling connection that pairing needs.
public protocol PairingSignalingGate: Sendable {
    /// Connects, and returns once the server took the connection.
    func connect(to url: URL) async throws
    /// Registers, and returns once the server answered `registered`.
    func register(as id: String, device: PairingDeviceInfo) async throws
    /// Sends, and returns once the frame was handed to the server.
    func send(_ payload: JSONValue, to id: String) async throws
    /// Whether the server drops messages to an alias that no device holds. Where it keeps them, a repeat would go to the next
    /// device that shows the same digits.
    var dropsForAbsentAliases: Bool { get async }
    /// Disconnects and forgets the registration; called before another address is used. It causes no
    /// ``PairingGateEvent/disconnected(reason:)``.
    func reset() async
    /// The events from now on; every reader gets all of them. Messages that the server kept while this device was away
    /// arrive here too.
    func events() -> AsyncStream<PairingGateEvent>
}

/// A message from a signaling server, or a change of the connection to it.
public enum PairingGateEvent: Hashable, Sendable {
    /// A message; `from` is the sender that the server stamped, nil when it stamped none.
    case message(from: String?, payload: JSONValue)
    /// The recipient is away: the server keeps the message until a device registers this id.
    case peerOffline(id: String)
    case disconnected(reason: String)
    /// The client is connected and registered again after a disconnection.
    case reconnected
}

/// Holds the alias: the id under which a computer is found by the digits that it shows.
public protocol PairingAliasGate: Sendable {
    /// Registers `pairing-code:<six digits>` on connections of its own, beside the computer's id, and hands on what
    /// arrives there from now on, and not what the server kept before. A server that refuses, or is lost, is tried again by
    /// itself. Returns when its task is cancelled, which ends the registration.
    ///
    /// - Parameters:
    ///   - report: Gets the registration at each server: for all of them before the first is asked, then at each change.
    ///   - receive: Gets the events. The second value of both is the gate at the same server, by its place in
    ///     ``PairingHostDependencies/gates``.
    /// - Throws: ``PairingError/noAddress`` while no server is known.
    func hold(
        _ code: PairingCode,
        reporting report: @escaping @Sendable (PairingAliasStanding, Int) -> Void,
        handingOn receive: @escaping @Sendable (PairingGateEvent, Int) async -> Void
    ) async throws
}
