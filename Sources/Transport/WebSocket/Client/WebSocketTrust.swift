/// Whom a `wss://` connection believes.
public enum WebSocketTrust: Hashable, Sendable {
    /// The system's certificate authorities.
    case system
    /// Only these certificates, PEM text: a hub with a certificate of its own.
    case certificates(pem: [UInt8])
}
