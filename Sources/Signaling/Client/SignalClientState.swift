/// The state of a signaling client.
public enum SignalClientState: Hashable, Sendable {
    case disconnected
    case connecting
    /// The socket is up, and this device is not registered yet.
    case connected
    case registered(SignalPresence)
    /// The connection was lost; another try comes by itself.
    case waiting(retryIn: Duration)
    /// Another device, or another process, registered under the same id with a proof. This client tries again after a minute.
    case replaced
    /// The server refused this id or key. This client tries again after some minutes, and when it is resumed.
    case refused(SignalError)

    /// This device's registration; nil while there is none.
    public var presence: SignalPresence? {
        if case .registered(let presence) = self { presence } else { nil }
    }
}
