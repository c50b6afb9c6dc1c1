/// Whom a `wss://` connection believes.
public enum WebSocketTrust: Hashable, Sendable {
    /// The system's certificate authorities.
    case system
    /// Only these certificates, PEM text: a hub with a certificate of its own.
    case certificates(pem: [UInt8])
    /// Only the certificate with this SHA-256 (DER), with any names: for a server in the same process.
    case certificate(sha256: [UInt8])
    /// Only certificates for the key with this SHA-256, of its `SubjectPublicKeyInfo` in DER as in RFC 7469, with any names and any
    /// lifetime: a server that was paired with, and may renew its certificate.
    case publicKey(sha256: [UInt8])
}
