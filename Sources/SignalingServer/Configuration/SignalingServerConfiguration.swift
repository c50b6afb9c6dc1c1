public import Sealing
public import Transport

/// What a signaling server is started with.
public struct SignalingServerConfiguration: Sendable {
    public var address = "0.0.0.0"
    /// 0 for any free port; see ``SignalingServer/boundPort()``.
    public var port = 9001
    public var dialect = SignalingDialect.embedded
    /// Brings back what the observed servers did before ownership: everyone sees everyone, unregistered senders are
    /// forwarded, ids may be numbers. For replaying transcripts and for old LANs.
    public var isLegacyOpen = false
    public var limits = SignalingLimits()
    /// Nil for `ws://`.
    public var tls: TLSFiles?
    /// `ws://` is answered on loopback and private addresses only, unless this is set.
    public var allowsPlainOnPublicAddresses = false
    /// Believes `X-Forwarded-For` of a proxy on this machine. Only with one that sets it.
    public var trustsForwardedFor = false
    public var localPeer: LocalPeer?
    /// Nil gives STUN only.
    public var turn: TURNConfiguration?
    public var eventLoops = 1
    /// Holders of which keys send as fast as they can, however the rates are set: on a computer's own server its paired phones.
    /// Asked on event loops, so it must answer at once.
    public var isUnmetered: @Sendable (DID) -> Bool = { _ in false }

    public init() {}
}
