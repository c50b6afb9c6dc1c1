public import Capabilities
public import CommandClient
public import Foundation
public import Kernel
import Logging
public import Pairing
import Sealing
public import Signaling
import Storage
public import Transport

/// The configuration that a phone is started with.
public struct PhoneConfiguration: Sendable {
    /// The name and platform that other devices show.
    public var device: PairingDeviceInfo
    /// The app's version, as servers and computers are told it.
    public var version: String
    /// Where to meet computers that did not say where they are; nil where there is no hub.
    public var hubURL: URL?
    /// Finds computers on the same network; nil leaves that out.
    public var browser: (any ServiceBrowser)?
    /// Tells when this phone's addresses change; without one a way that is gone is noticed by its silence.
    public var network: (any NetworkWatch)?
    /// The features with which computers are operated.
    public var features: [PeerFeatureMaker]
    /// How signaling servers are met; nil for WebSockets.
    public var signaling: SignalAccess?
    /// The clocks that sessions are timed by. Tests put their own here.
    public var time: any TimeSource
    /// The clock for how long a computer's answer may take: it stands while the machine sleeps, so that no call ends by a sleep.
    public var callTime: any TimeSource
    /// How long sessions wait for what.
    public var timing: SessionTiming

    public init(
        device: PairingDeviceInfo,
        version: String,
        hubURL: URL? = nil,
        browser: (any ServiceBrowser)? = nil,
        network: (any NetworkWatch)? = nil,
        features: [PeerFeatureMaker] = .standard,
        signaling: SignalAccess? = nil,
        time: any TimeSource = .system,
        callTime: any TimeSource = .awake,
        timing: SessionTiming = SessionTiming()
    ) {
        self.device = device.bounded
        self.version = version
        self.hubURL = hubURL
        self.browser = browser
        self.network = network
        self.features = features
        self.signaling = signaling
        self.time = time
        self.callTime = callTime
        self.timing = timing
    }

    /// Makes the features, each with its own storage.
    ///
    /// - Throws: What a feature cannot be made without.
    func features(in state: RoleState, with computers: PhoneComputers, logger: Logger) throws -> PeerFeatures {
        try PeerFeatures(features, in: state.features) {
            PeerContext(
                FeatureContext(storage: $0, version: version, time: time, logger: logger),
                computers: computers,
                identity: state.identity
            )
        }
    }

    /// The servers by which the phone reaches its computers, where it registers as a phone.
    func signalNetwork(of identity: Identity, logger: Logger) -> SignalNetwork {
        SignalNetwork(
            identity: identity,
            device: SignalDevice(
                category: .mobile,
                name: device.name,
                platform: device.platform.rawValue,
                version: version
            ),
            access: signaling ?? .webSockets(logger: logger)
        )
    }
}
