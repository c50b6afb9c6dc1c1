public import Kernel
public import Logging
public import Rights
public import Sealing

/// The dependencies of pairing on a phone. Built in one place, by the code that composes the app.
public struct PairingDependencies: Sendable {
    /// This device's keys; nil until it has an identity.
    public var identity: @Sendable () async -> Identity?
    /// This device's id: a UUID made once and kept with the keys.
    public var deviceID: String
    /// This phone's description of itself.
    public var deviceInfo: PairingDeviceInfo
    /// The connection to signaling servers, for pairing alone.
    public var gate: any PairingSignalingGate
    /// Brings the pairing messages that arrive.
    public var bus: PairingMessageBus
    /// The computers that are paired.
    public var desktops: any PairedDesktopsStore
    /// The servers at which to look for a computer that gave no address: those found on the local network first, then the
    /// hub.
    public var addresses: @Sendable () async -> [SignalingAddress]
    /// Tells a computer, through its sealed session, that it was forgotten; throws where it cannot be told.
    public var sendForget: @Sendable (PairedDesktop) async throws -> Void
    /// Makes messages in the session with a computer count from one again. Called before its record is written: the computer may have
    /// forgotten this phone while the phone was away.
    public var startOver: @Sendable (PairedDesktop) async throws -> Void
    /// The rights that this phone uses at a computer that was paired without sealing, until its person says otherwise.
    public var initialClearRights: Set<Right>
    /// Measures waits. Its date is the one that codes are checked against and that records hold.
    public var time: any TimeSource
    /// Receives messages for engineers, without codes and keys.
    public var logger: Logger

    public init(
        identity: @escaping @Sendable () async -> Identity?,
        deviceID: String,
        deviceInfo: PairingDeviceInfo,
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
        return OwnDevice(identity: identity, deviceID: deviceID, info: deviceInfo)
    }
}
