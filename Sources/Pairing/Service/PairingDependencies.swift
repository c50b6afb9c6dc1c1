public import Kernel
public import Logging
public import Rights
public import Sealing

/// The dependencies of pairing on a phone. Built in one place, by the code that composes the app.
public struct PairingDependencies: Sendable {
    /// Nil until this device has an identity.
    public var identity: @Sendable () async -> Identity?
    /// This device's id: a UUID made once and kept with the keys.
    public var deviceID: String
    /// What this phone says about itself.
    public var deviceInfo: any PairingDeviceInfoProvider
    /// The way to signaling servers, for pairing alone.
    public var gate: any PairingSignalingGate
    /// Brings the pairing messages that arrive.
    public var bus: PairingMessageBus
    /// The computers that are paired.
    public var desktops: any PairedDesktopsStore
    /// Where to look for a computer that did not say where it is: servers found on the local network first, then the
    /// hub.
    public var addresses: @Sendable () async -> [SignalingAddress]
    /// Tells a computer, through its sealed session, that it was forgotten; throws where it does not hear that.
    public var sendForget: @Sendable (PairedDesktop) async throws -> Void
    /// Readies the session with a computer that is about to be written down as paired for messages that count from one: the computer may
    /// have forgotten this phone while that was away.
    public var startOver: @Sendable (PairedDesktop) async throws -> Void
    /// What this phone may use at a computer that was paired without sealing, until its person says otherwise.
    public var initialClearRights: Set<Right>
    /// Measures waits; its date is what codes are judged by and what is written down.
    public var time: any TimeSource
    /// Gets what an engineer needs to know; no codes and no keys.
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
        startOver: @escaping @Sendable (PairedDesktop) async throws -> Void = { _ in },
        initialClearRights: Set<Right> = [],
        time: any TimeSource = .system,
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
        self.startOver = startOver
        self.initialClearRights = initialClearRights
        self.time = time
        self.logger = logger
    }

    func ownDevice() async throws(PairingError) -> OwnDevice {
        guard let identity = await identity() else { throw .noIdentity }
        return OwnDevice(identity: identity, deviceID: deviceID, info: await deviceInfo.deviceInfo())
    }
}
