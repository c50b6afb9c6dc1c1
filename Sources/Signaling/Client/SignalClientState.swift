/// Where a signaling client stands.
public enum SignalClientState: Hashable, Sendable {
    case disconnected
    case connecting
    /// The socket is up; the server does not know yet who we are.
    case connected
    case registered(SignalPresence)
    /// The connection was lost; another try comes by itself.
    case waiting(retryIn: Duration)
    /// Another device, or another process, registered under the same id with a proof. This one tries again after a minute.
    case replaced
    /// The server will not have us under this id. This one tries again after some minutes, and when it is resumed.
    case refused(SignalError)

    /// How this device is registered; nil while it is not.
    public var presence: SignalPresence? {
        if case .registered(let presence) = self { presence } else { nil }
    }
}
