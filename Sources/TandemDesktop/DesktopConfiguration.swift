public import Foundation
public import Pairing
public import SignalingServer
public import Transport

/// What a computer is started with.
public struct DesktopConfiguration: Sendable {
    /// What other devices show.
    public var device: PairingDeviceInfo
    public var version: String
    /// The server for the local network; in a desktop that is also the hub, for everybody.
    public var server: SignalingServerConfiguration
    /// The hub that is used where phone and computer share no network; nil for none.
    public var hubURL: URL?
    /// What the code says in place of this computer's own address: behind a port forwarding, for example.
    public var advertisedURL: URL?
    /// Accept every pairing request without asking: for scripts.
    public var acceptsEverybody: Bool
    /// Lets other computers and phones on the network find this one; nil leaves that out.
    public var advertiser: (any ServiceAdvertiser)?
    /// Tells when this computer's addresses change; without one that is looked at each 30 s.
    public var network: (any NetworkWatch)?
    public var iceServers: IceServersProvider
    /// What phones operate this computer with.
    public var tools: DesktopTools
    public var timing: SessionTiming
    /// What `/metrics` shows; nil leaves it out.
    public var metrics: PrometheusMetrics?

    public init(
        device: PairingDeviceInfo,
        version: String,
        server: SignalingServerConfiguration,
        hubURL: URL? = nil,
        advertisedURL: URL? = nil,
        acceptsEverybody: Bool = false,
        advertiser: (any ServiceAdvertiser)? = nil,
        network: (any NetworkWatch)? = nil,
        iceServers: IceServersProvider = IceServersProvider(),
        tools: DesktopTools = DesktopTools(),
        timing: SessionTiming = SessionTiming(),
        metrics: PrometheusMetrics? = nil
    ) {
        self.device = device.bounded
        self.version = version
        self.server = server
        self.hubURL = hubURL
        self.advertisedURL = advertisedURL
        self.acceptsEverybody = acceptsEverybody
        self.advertiser = advertiser
        self.network = network
        self.iceServers = iceServers
        self.tools = tools
        self.timing = timing
        self.metrics = metrics
    }
}
