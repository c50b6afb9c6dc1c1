public import Foundation
public import Logging
public import Sealing

/// What ``PairingHost`` stands on. Built in one place, by whoever composes the computer's program.
public struct PairingHostDependencies: Sendable {
    /// The signaling addresses to draw into a QR code; nil for what there is not.
    public struct Addresses: Hashable, Sendable {
        public var signalingURL: URL?
        public var relayURL: URL?

        public init(signalingURL: URL?, relayURL: URL?) {
            self.signalingURL = signalingURL
            self.relayURL = relayURL
        }
    }

    public var own: OwnDevice
    /// Each connected and registered as `own.deviceID` by its owner: the computer's own server first, then the hub's. A
    /// gate is named by its place here.
    public var gates: [any PairingSignalingGate]
    public var aliasGate: any PairingAliasGate
    public var bus: PairingMessageBus
    public var phones: any PairedPhonesStore
    public var guesses: any PairingGuessStore
    public var iceServers: IceServersProvider
    public var addresses: @Sendable () async -> Addresses
    /// Tells a phone, through its sealed session, that it was forgotten.
    public var sendForget: @Sendable (DID) async throws -> Void
    /// Accept without asking, for scripts. A changed identity or a number to compare still needs a person.
    public var acceptsEverybody: Bool
    public var clock: any Clock<Duration>
    public var now: @Sendable () -> Date
    public var logger: Logger

    public init(
        own: OwnDevice,
        gates: [any PairingSignalingGate],
        aliasGate: any PairingAliasGate,
        bus: PairingMessageBus,
        phones: any PairedPhonesStore,
        guesses: any PairingGuessStore = InMemoryPairingGuesses(),
        iceServers: IceServersProvider,
        addresses: @escaping @Sendable () async -> Addresses,
        sendForget: @escaping @Sendable (DID) async throws -> Void,
        acceptsEverybody: Bool = false,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        logger: Logger = Logger(label: "tandem.pairing")
    ) {
        self.own = own
        self.gates = gates
        self.aliasGate = aliasGate
        self.bus = bus
        self.phones = phones
        self.guesses = guesses
        self.iceServers = iceServers
        self.addresses = addresses
        self.sendForget = sendForget
        self.acceptsEverybody = acceptsEverybody
        self.clock = clock
        self.now = now
        self.logger = logger
    }
}
