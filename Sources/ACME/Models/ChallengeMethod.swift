/// A way to prove to an authority that a name leads here.
public enum ChallengeMethod: String, Hashable, Sendable, CaseIterable {
    /// A file over HTTP, RFC 8555 section 8.3.
    case http = "http-01"
    /// A certificate in a TLS handshake of its own, RFC 8737.
    case tls = "tls-alpn-01"

    /// The port at which an authority asks. It is not to be chosen.
    public var publicPort: Int {
        switch self {
        case .http: 80
        case .tls: 443
        }
    }
}
