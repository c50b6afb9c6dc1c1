public import Sealing
public import Transport

/// What a signaling server is started with.
public struct SignalingServerConfiguration: Sendable {
    public var address = "0.0.0.0"
    /// 0 for any free port; see ``SignalingServer/boundPort()``.
    public var port = 9001
    public var dialect = SignalingDialect.embedded
    /// Brings back what the observed servers did before ownership: every device sees all others, unregistered senders are
    /// forwarded, ids may be numbers. For replaying transcripts and for old LANs.
    public var isLegacyOpen = false
    public var limits = SignalingLimits()
    /// Nil for `ws://`.
    public var tls: TLSFiles?
    /// `ws://` is answered on loopback and private addresses only, unless this is set.
    public var allowsPlainOnPublicAddresses = false
    /// The names and addresses by which clients ask for this server, beside this machine's own and those in the certificate.
    public var names: [String] = []
    /// Web pages that may connect beside the server's own, as browsers write origins: `https://app.example.org`.
    public var allowedOrigins: [String] = []
    /// Reverse proxies that are believed about whose connection they pass on. Empty: no proxy is believed.
    public var trustedProxies: [AddressRange] = []
    /// How they tell: with a header of the PROXY protocol (version 2) before everything else, or with `X-Forwarded-For`.
    public var readsProxyProtocol = false
    /// What `/health` says.
    public var version = ""
    public var localPeer: LocalPeer?
    /// Nil gives STUN only.
    public var turn: TURNConfiguration?
    public var eventLoops = 1
    /// Holders of which keys send as fast as they can, however the rates are set: on a computer's own server its paired phones.
    /// Asked on event loops, so it must answer at once.
    public var isUnmetered: @Sendable (DID) -> Bool = { _ in false }
    /// Whose frames are kept while they are away, by id: on a computer's own server those of the computer and its paired phones.
    /// Asked on event loops, so it must answer at once.
    public var keepsMail: @Sendable (String) -> Bool = { _ in true }

    /// WebSockets of features, on this port or on ports of their own. Every path that none of them takes is the relay's.
    public var webSocketRoutes: [WebSocketRoute] = []
    /// HTTP requests that features answer, on this port or on ports of their own.
    public var httpRoutes: [HTTPRoute] = []

    public init() {}
}
