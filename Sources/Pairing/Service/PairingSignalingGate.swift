public import Foundation
public import Kernel

/// What pairing needs of a signaling server, and nothing else.
public protocol PairingSignalingGate: Sendable {
    /// Returns once the server took the connection.
    func connect(to url: URL) async throws
    /// Returns once the server answered `registered`.
    func register(as id: String, device: PairingDeviceInfo) async throws
    /// Returns once the frame was handed to the server.
    func send(_ payload: JSONValue, to id: String) async throws
    /// Whether the server drops what is sent to an alias that no device holds. Where it keeps it, a repeat would go to the
    /// next device that shows the same digits.
    var dropsForAbsentAliases: Bool { get async }
    /// Disconnects and forgets the registration: before another address is used. What the owner asked for is no
    /// ``PairingGateEvent/disconnected(reason:)``.
    func reset() async
    /// What happens from now on; every reader gets all of it. What was kept at the server while this device was away
    /// arrives here too.
    func events() -> AsyncStream<PairingGateEvent>
}

/// Something that a signaling server said.
public enum PairingGateEvent: Hashable, Sendable {
    /// `from` is what the server stamped; nil when it did not.
    case message(from: String?, payload: JSONValue)
    /// The server keeps what was sent to this id until a device registers it.
    case peerOffline(id: String)
    case disconnected(reason: String)
    /// Connected and registered again after a disconnection.
    case reconnected
}

/// Holds the id under which a computer is found by the digits that it shows.
public protocol PairingAliasGate: Sendable {
    /// Registers `pairing-code:<six digits>` on connections of its own, beside the computer's id, and hands on what
    /// arrives there from now on, and not what the server kept before. A server that refuses, or is lost, is tried again by
    /// itself. Returns when its task is cancelled, which ends the registration.
    ///
    /// - Parameters:
    ///   - report: How the code stands at each server: for all of them before the first is asked, then at each change.
    ///   - receive: What arrived. The second value of both is the gate at the same server, by its place in
    ///     ``PairingHostDependencies/gates``.
    /// - Throws: ``PairingError/noAddress`` while no server is known.
    func hold(
        _ code: PairingCode,
        reporting report: @escaping @Sendable (PairingAliasStanding, Int) -> Void,
        handingOn receive: @escaping @Sendable (PairingGateEvent, Int) async -> Void
    ) async throws
}
