public import Kernel

/// Takes pairing messages out of what a signaling server delivers, before anything else may look at them, and hands
/// each to every reader.
public final class PairingMessageBus: Sendable {
    public enum Event: Hashable, Sendable {
        /// A well-formed pairing message; `payload` is what it was read from.
        case message(PairingMessage, payload: JSONValue, from: String?)
        /// A pairing message that is not in the documented form: dropped, and worth a line in the log.
        case malformed(PairingError, from: String?)
        case peerOffline(id: String)
        case disconnected(reason: String)
        case reconnected
    }

    private let broadcaster = Broadcaster<Event>()

    public init() {}

    /// Events from now on, one stream per reader.
    public func events() -> AsyncStream<Event> { broadcaster.subscribe() }

    /// Whether a payload belongs to pairing: then nobody else may act on it, well-formed or not.
    public static func owns(_ payload: JSONValue) -> Bool { PairingMessage.isPairing(payload) }

    /// Hands `payload` to the readers if it belongs to pairing.
    ///
    /// - Returns: False when it does not: then it is for somebody else.
    @discardableResult
    public func intercept(_ payload: JSONValue, from sender: String?) -> Bool {
        let payload = PairingMessage.unwrapped(payload)
        guard Self.owns(payload) else { return false }
        do {
            broadcaster.send(.message(try PairingMessage(parsing: payload), payload: payload, from: sender))
        } catch {
            broadcaster.send(.malformed(error, from: sender))
        }
        return true
    }

    public func receive(_ event: PairingGateEvent) {
        switch event {
        case .message(let sender, let payload): intercept(payload, from: sender)
        case .peerOffline(let id): broadcaster.send(.peerOffline(id: id))
        case .disconnected(let reason): broadcaster.send(.disconnected(reason: reason))
        case .reconnected: broadcaster.send(.reconnected)
        }
    }
}
