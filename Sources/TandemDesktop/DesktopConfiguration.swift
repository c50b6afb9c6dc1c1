package import Foundation
package import Pairing
package import SignalingServer
package import Transport

/// What a computer is started with.
package struct DesktopConfiguration: Sendable {
    /// What other devices show.
    package var device: PairingDeviceInfo
    package var version: String
    /// The server for the local network; in a desktop that is also the hub, for everybody.
    package var server: SignalingServerConfiguration
    /// The hub that is used where phone and computer share no network; nil for none.
    package var hubURL: URL?
    /// What the code says in place of this computer's own address: behind a port forwarding, for example.
    package var advertisedURL: URL?
    /// Accept every pairing request without asking: for scripts.
    package var acceptsEverybody: Bool
    /// Lets other computers and phones on the network find this one; nil leaves that out.
    package var advertiser: (any ServiceAdvertiser)?
    /// Tells when this computer's addresses change; without one that is looked at each 30 s.
    package var network: (any NetworkWatch)?
    package var iceServers: IceServersProvider
    /// What phones operate this computer with.
    package var tools: DesktopTools
    package var timing: SessionTiming
    /// What `/metrics` shows; nil leaves it out.
    package var metrics: PrometheusMetrics?

    package init(
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
