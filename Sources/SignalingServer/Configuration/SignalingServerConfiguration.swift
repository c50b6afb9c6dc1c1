package import Sealing
package import Transport

/// The settings that a signaling server is started with.
package struct SignalingServerConfiguration: Sendable {
    /// The address to listen on, in numbers; `0.0.0.0` for every interface.
    package var address = "0.0.0.0"
    /// 0 for any free port; see ``SignalingServer/boundPort()``.
    package var port = 9001
    /// The server whose answers are given where the two known ones differ.
    package var dialect = SignalingDialect.embedded
    /// Brings back what the observed servers did before ownership: every device sees all others, unregistered senders are
    /// forwarded, ids may be numbers. For replaying transcripts and for old LANs.
    package var isLegacyOpen = false
    /// Bounds on everything that peers can make the server hold or do.
    package var limits = SignalingLimits()
    /// Nil for `ws://`.
    package var tls: TLSFiles?
    /// The names of a certificate that is put into those files while the server runs; nil: it must be there at the start. Until it is there,
    /// only its authority's challenges are answered.
    package var awaitedCertificateNames: [String]?
    /// `ws://` is answered on loopback and private addresses only, unless this is set.
    package var allowsPlainOnPublicAddresses = false
    /// The names and addresses by which clients ask for this server, beside this machine's own and those in the certificate.
    package var names: [String] = []
    /// Web pages that may connect beside the server's own, as browsers write origins: `https://app.example.org`.
    package var allowedOrigins: [String] = []
    /// Reverse proxies that are believed about whose connection they pass on. Empty: no proxy is believed.
    package var trustedProxies: [AddressRange] = []
    /// How they tell: with a header of the PROXY protocol (version 2) before everything else, or with `X-Forwarded-For`.
    package var readsProxyProtocol = false
    /// The version that `/health` reports.
    package var version = ""
    /// The computer that the server runs inside; nil for a hub.
    package var localPeer: LocalPeer?
    /// Nil gives STUN only.
    package var turn: TURNConfiguration?
    /// Threads that serve sockets.
    package var eventLoops = 1
    /// Whether a key's holders send as fast as they can, however the rates are set: on a computer's own server its paired phones.
    /// Asked on event loops, so it must answer at once.
    package var isUnmetered: @Sendable (DID) -> Bool = { _ in false }
    /// Whether frames for an id are kept while its device is away: on a computer's own server those for it and its paired phones.
    /// Asked on event loops, so it must answer at once.
    package var keepsMail: @Sendable (String) -> Bool = { _ in true }
    /// The address of the page that makes a browser a phone, for a client that dialled this authority; nil where no browser could seal there, or
    /// no page is served. Asked on event loops, so it must answer at once.
    package var phonePage: @Sendable (_ host: String) -> String? = { _ in nil }

    /// WebSockets of features, on this port or on ports of their own. Every path that none of them takes is the relay's.
    package var webSocketRoutes: [WebSocketRoute] = []
    /// HTTP requests that features answer, on this port or on ports of their own.
    package var httpRoutes: [HTTPRoute] = []

    package init() {}
}
