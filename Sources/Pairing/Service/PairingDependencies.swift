public import Foundation
public import Logging
public import Sealing

/// What pairing on a phone stands on. Built in one place, by whoever composes the app.
public struct PairingDependencies: Sendable {
    /// Nil until this device has an identity.
    public var identity: @Sendable () async -> Identity?
    /// This device's id: a UUID made once and kept with the keys.
    public var deviceID: String
    public var deviceInfo: any PairingDeviceInfoProvider
    public var gate: any PairingSignalingGate
    public var bus: PairingMessageBus
    public var desktops: any PairedDesktopsStore
    /// Where to look for a computer that did not say where it is: servers found on the local network first, then the
    /// hub.
    public var addresses: @Sendable () async -> [SignalingAddress]
    /// Tells a computer, through its sealed session, that it was forgotten.
    public var sendForget: @Sendable (PairedDesktop) async throws -> Void
    public var clock: any Clock<Duration>
    public var now: @Sendable () -> Date
    public var logger: Logger

    public init(
        identity: @escaping @Sendable () async -> Identity?,
        deviceID: String,
        deviceInfo: any PairingDeviceInfoProvider,
        gate: any PairingSignalingGate,
        bus: PairingMessageBus,
        desktops: any PairedDesktopsStore,
        addresses: @escaping @Sendable () async -> [SignalingAddress],
        sendForget: @escaping @Sendable (PairedDesktop) async throws -> Void,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        logger: Logger = Logger(label: "tandem.pairing")
    ) {
        self.identity = identity
        self.deviceID = deviceID
        self.deviceInfo = deviceInfo
        self.gate = gate
        self.bus = bus
        self.desktops = desktops
        self.addresses = addresses
        self.sendForget = sendForget
        self.clock = clock
        self.now = now
        self.logger = logger
    }

    func ownDevice() async throws(PairingError) -> OwnDevice {
        guard let identity = await identity() else { throw .noIdentity }
        return OwnDevice(identity: identity, deviceID: deviceID, info: await deviceInfo.deviceInfo())
    }
}
