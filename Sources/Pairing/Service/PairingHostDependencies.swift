public import Foundation
public import Kernel
public import Logging
public import Rights

/// The dependencies of ``PairingHost``. Built in one place, by the code that composes the computer's program.
public struct PairingHostDependencies: Sendable {
    /// The signaling addresses to draw into a QR code; nil where there is none.
    public struct Addresses: Hashable, Sendable {
        /// This computer's own server, as phones on its network reach it.
        public var signalingURL: URL?
        /// The hub where it is registered.
        public var relayURL: URL?

        /// The page that makes a browser a phone, at a server where this computer is registered.
        public var phonePage: URL?

        public init(signalingURL: URL? = nil, relayURL: URL? = nil, phonePage: URL? = nil) {
            self.signalingURL = signalingURL
            self.relayURL = relayURL
            self.phonePage = phonePage
        }
    }

    /// This computer.
    public var own: OwnDevice
    /// The gates at the computer's own server, then at the hub. Their owner connects them and registers them as
    /// `own.deviceID`. A gate is named by its place here.
    public var gates: [any PairingSignalingGate]
    /// Holds the alias of a code while it is shown.
    public var aliasGate: any PairingAliasGate
    /// Brings the pairing messages that arrive.
    public var bus: PairingMessageBus
    /// The phones that are paired.
    public var phones: any PairedPhonesStore
    /// The store of wrong codes, which lasts over restarts.
    public var guesses: any PairingGuessStore
    /// The rights that every phone has from its pairing on.
    public var initialRights: Set<Right>
    /// The ICE servers that phones get for direct connections.
    public var iceServers: IceServersProvider
    /// The addresses for a new code, asked for each time because a computer moves between networks.
    public var addresses: @Sendable () async -> Addresses
    /// Tells a phone, through its sealed session, that it was forgotten.
    public var sendForget: @Sendable (PairedPhone) async throws -> Void
    /// Whether requests are accepted without asking, for scripts. A changed identity or a number to compare still needs a person.
    public var acceptsEverybody: Bool
    /// Measures waits. Its date is the one that codes are checked against and that records hold.
    public var time: any TimeSource
    /// Receives messages for engineers, without codes and keys.
    public var logger: Logger

    public init(
        own: OwnDevice,
        gates: [any PairingSignalingGate],
        aliasGate: any PairingAliasGate,
        bus: PairingMessageBus,
        phones: any PairedPhonesStore,
        guesses: any PairingGuessStore = InMemoryPairingGuesses(),
        initialRights: Set<Right> = [],
        iceServers: IceServersProvider,
        addresses: @escaping @Sendable () async -> Addresses,
        sendForget: @escaping @Sendable (PairedPhone) async throws -> Void,
        acceptsEverybody: Bool = false,
        time: any TimeSource = .system,
        logger: Logger = Logger(label: "tandem.pairing")
    ) {
        self.own = own
        self.gates = gates
        self.aliasGate = aliasGate
        self.bus = bus
        self.phones = phones
        self.guesses = guesses
        self.initialRights = initialRights
        self.iceServers = iceServers
        self.addresses = addresses
        self.sendForget = sendForget
        self.acceptsEverybody = acceptsEverybody
        self.time = time
        self.logger = logger
    }
}
