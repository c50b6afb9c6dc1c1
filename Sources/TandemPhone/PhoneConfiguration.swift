public import Foundation
public import Pairing
public import Transport

/// What a phone is started with.
public struct PhoneConfiguration: Sendable {
    /// What other devices show.
    public var device: PairingDeviceInfo
    public var version: String
    /// Where to meet computers that did not say where they are; nil where there is no hub.
    public var hubURL: URL?
    /// Finds computers on the same network; nil leaves that out.
    public var browser: (any ServiceBrowser)?
    /// Tells when this phone's addresses change; without one a way that is gone is noticed by its silence.
    public var network: (any NetworkWatch)?
    public var timing: SessionTiming

    public init(
        device: PairingDeviceInfo,
        version: String,
        hubURL: URL? = nil,
        browser: (any ServiceBrowser)? = nil,
        network: (any NetworkWatch)? = nil,
        timing: SessionTiming = SessionTiming()
    ) {
        self.device = device.bounded
        self.version = version
        self.hubURL = hubURL
        self.browser = browser
        self.network = network
        self.timing = timing
    }
}
