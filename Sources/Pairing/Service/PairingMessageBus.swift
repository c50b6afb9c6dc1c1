public import Kernel

/// Takes the pairing messages out of a signaling server's messages, before any other feature sees them, and hands each to
/// every reader.
public final class PairingMessageBus: Sendable {
    /// A pairing message, or a change of the connection that carries them.
    public enum Event: Hashable, Sendable {
        /// A well-formed pairing message; `payload` is the JSON that it was read from.
        case message(PairingMessage, payload: JSONValue, from: String?)
        /// A pairing message that is not in the documented form. It is dropped and logged.
        case malformed(PairingError, from: String?)
        case peerOffline(id: String)
        case disconnected(reason: String)
        case reconnected
    }

    private let broadcaster = Broadcaster<Event>()

    public init() {}

    /// Events from now on, one stream per reader.
    public func events() -> AsyncStream<Event> { broadcaster.subscribe() }

    /// Whether a payload belongs to pairing, well-formed or not; no other feature may then act on it.
    public static func owns(_ payload: JSONValue) -> Bool { PairingMessage.isPairing(payload) }

    /// Hands `payload` to the readers if it belongs to pairing.
    ///
    /// - Returns: False when it does not, and is for another feature.
    @discardableResult
    public func intercept(_ payload: JSONValue, from sender: String?) -> Bool {
        guard let event = Self.event(for: payload, from: sender) else { return false }
        broadcaster.send(event)
        return true
    }

    /// - Returns: The event that the readers got; nil for one that does not belong to pairing.
    @discardableResult
    public func receive(_ event: PairingGateEvent) -> Event? {
        let event: Event? =
            switch event {
            case .message(let sender, let payload): Self.event(for: payload, from: sender)
            case .peerOffline(let id): .peerOffline(id: id)
            case .disconnected(let reason): .disconnected(reason: reason)
            case .reconnected: .reconnected
            }
        if let event { broadcaster.send(event) }
        return event
    }

    private static func event(for payload: JSONValue, from sender: String?) -> Event? {
        let payload = PairingMessage.unwrapped(payload)
        guard owns(payload) else { return nil }
        do {
            return .message(try PairingMessage(parsing: payload), payload: payload, from: sender)
        } catch {
            return .malformed(error, from: sender)
        }
    }
}
