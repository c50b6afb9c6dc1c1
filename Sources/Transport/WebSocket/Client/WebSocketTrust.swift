/// Whom a `wss://` connection believes.
public enum WebSocketTrust: Hashable, Sendable {
    /// The system's certificate authorities.
    case system
    /// Only these certificates, PEM text: a hub with a certificate of its own.
    case certificates(pem: [UInt8])
    /// Only the certificate with this SHA-256 (DER), whatever names it holds: for a server in the same process.
    case certificate(sha256: [UInt8])
}
