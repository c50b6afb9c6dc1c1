package import Capabilities
package import CommandServer
package import Foundation
package import Kernel
package import Pairing
package import Signaling
package import SignalingServer
package import Transport

/// The configuration that a computer is started with.
package struct DesktopConfiguration: Sendable {
    /// The name and platform that other devices show.
    package var device: PairingDeviceInfo
    package var version: String
    /// The server for the local network; in a desktop that is also the hub, for other networks too.
    package var server: SignalingServerConfiguration
    /// The hub that is used where phone and computer share no network; nil for none.
    package var hubURL: URL?
    /// The address in the code in place of this computer's own: behind a port forwarding, for example.
    package var advertisedURL: URL?
    /// Accept every pairing request without asking: for scripts.
    package var acceptsEverybody: Bool
    /// Lets other computers and phones on the network find this one; nil leaves that out.
    package var advertiser: (any ServiceAdvertiser)?
    /// Tells when this computer's addresses change; without one that is looked at each 30 s.
    package var network: (any NetworkWatch)?
    package var iceServers: IceServersProvider
    /// The features with which phones operate this computer.
    package var features: [CommandFeatureMaker]
    /// The features that bring nothing for phones: a hub's, where this computer serves as one.
    package var served: [ServedFeatureMaker]
    /// The values that the owner set for features, by the settings' names.
    package var featureSettings: [String: JSONValue]
    /// Shows that a phone begins to watch or to hold something.
    package var notifier: (any DesktopNotifier)?
    /// The checks of this machine that belong to no feature alone.
    package var checks: @Sendable () async -> [DoctorCheck]
    /// Makes another server of its own than the signaling server on a socket; nil for that one.
    package var makeServer: (@Sendable (SignalingServerConfiguration) throws -> any OwnServer)?
    /// How often a device may ask.
    package var limits: GateLimits
    /// How signaling servers are met; nil for WebSockets.
    package var signaling: SignalAccess?
    package var time: any TimeSource
    package var timing: SessionTiming
    /// The metrics that `/metrics` shows; nil leaves it out.
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
        features: [CommandFeatureMaker] = [],
        served: [ServedFeatureMaker] = [],
        featureSettings: [String: JSONValue] = [:],
        notifier: (any DesktopNotifier)? = nil,
        checks: @escaping @Sendable () async -> [DoctorCheck] = { [] },
        makeServer: (@Sendable (SignalingServerConfiguration) throws -> any OwnServer)? = nil,
        limits: GateLimits = GateLimits(),
        signaling: SignalAccess? = nil,
        time: any TimeSource = .system,
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
        self.features = features
        self.served = served
        self.featureSettings = featureSettings
        self.notifier = notifier
        self.checks = checks
        self.makeServer = makeServer
        self.limits = limits
        self.signaling = signaling
        self.time = time
        self.timing = timing
        self.metrics = metrics
    }
}
