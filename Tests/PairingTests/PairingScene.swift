import Foundation
import Kernel
import KernelTesting
import Logging
import Pairing
import PairingTesting
import Rights
import Sealing
import Testing

/// A computer and a phone, with a signaling server on the local network and one out on the internet, in one process.
final class PairingScene: Sendable {
    static let lanURL = URL(string: "ws://192.168.7.20:9001")
    static let relayURL = URL(string: "wss://relay.example.net")

    /// What every phone may do from its pairing on.
    static let initialRights: Set<Right> = ["system.info", .notification]

    let clock: ManualClock
    let lan = PairingSwitchboard()
    let relay = PairingSwitchboard()
    let phoneGate: InMemoryPairingGate
    let desktopIdentity: Identity
    let phoneIdentity: Identity
    let phones: any PairedPhonesStore
    let desktops: any PairedDesktopsStore
    let host: PairingHost
    let phone: PhonePairing
    let told = Told()
    static let silence = Logger(label: "tandem.pairing.tests") { _ in SwiftLogNoOpLogHandler() }
    private let tasks: [Task<Void, Never>]

    static let desktopID = "9f0c6a1be2d34775a1c0ffee00d15ea5"
    static let phoneDeviceID = "b1d6c3a2-0000-4000-8000-00000000abcd"

    /// Who was told that it was forgotten.
    actor Told {
        var phones: [DID] = []
        var desktops: [String] = []
        func add(_ did: DID) { phones.append(did) }
        func add(_ id: String) { desktops.append(id) }
    }

    init(
        acceptsEverybody: Bool = false,
        phoneIdentity: Identity = Identity(),
        desktopIdentity: Identity = Identity(),
        phones: any PairedPhonesStore = InMemoryPairingStore<PairedPhone>(),
        guesses: any PairingGuessStore = InMemoryPairingGuesses(),
        desktops: any PairedDesktopsStore = InMemoryPairingStore<PairedDesktop>(),
        turnSecret: [UInt8]? = nil,
        clock: ManualClock = ManualClock(),
        phoneAddresses: [SignalingAddress]? = nil,
        aliasGate: (any PairingAliasGate)? = nil,
        logger: Logger = silence,
        dropsForAbsentAliases: Bool = true
    ) async throws {
        let lanURL = try #require(Self.lanURL)
        let relayURL = try #require(Self.relayURL)
        self.clock = clock
        self.phoneIdentity = phoneIdentity
        self.desktopIdentity = desktopIdentity
        self.phones = phones
        self.desktops = desktops
        phoneGate = InMemoryPairingGate(
            [lanURL: lan, relayURL: relay],
            dropsForAbsentAliases: dropsForAbsentAliases
        )
        let desktopLAN = InMemoryPairingGate([lanURL: lan])
        let desktopRelay = InMemoryPairingGate([relayURL: relay])
        let desktopInfo = PairingDeviceInfo(name: "studio-pc", platform: .linux, version: "5.0.3")
        for (gate, url) in [(desktopLAN, lanURL), (desktopRelay, relayURL)] {
            try await gate.connect(to: url)
            try await gate.register(as: Self.desktopID, device: desktopInfo)
        }
        let told = told
        host = PairingHost(
            PairingHostDependencies(
                own: OwnDevice(identity: desktopIdentity, deviceID: Self.desktopID, info: desktopInfo),
                gates: [desktopLAN, desktopRelay],
                aliasGate: aliasGate ?? InMemoryAliasGate(relay, gate: 1),
                bus: PairingMessageBus(),
                phones: phones,
                guesses: guesses,
                initialRights: Self.initialRights,
                iceServers: IceServersProvider(turnHost: "turn.example.net", turnSecret: turnSecret),
                addresses: { .init(signalingURL: lanURL, relayURL: relayURL) },
                sendForget: { await told.add($0.did) },
                acceptsEverybody: acceptsEverybody,
                time: clock,
                logger: logger
            )
        )
        let relayAddress = try SignalingAddress(relayURL.absoluteString)
        phone = PhonePairing(
            PairingDependencies(
                identity: { phoneIdentity },
                deviceID: Self.phoneDeviceID,
                deviceInfo: PairingDeviceInfo(name: "My iPhone", platform: .iOS),
                gate: phoneGate,
                bus: PairingMessageBus(),
                desktops: desktops,
                addresses: { phoneAddresses ?? [relayAddress] },
                sendForget: { await told.add($0.pcPeerID) },
                time: clock,
                logger: logger
            )
        )
        tasks = [Task { [host] in await host.run() }, Task { [phone] in await phone.run() }]
        // The computer's first look at its records sleeps a second: over before a test counts who sleeps on the clock.
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
    }

    deinit { for task in tasks { task.cancel() } }

    /// The host's status, once it fits.
    func status(where fits: (PairingHostStatus) -> Bool) async throws -> PairingHostStatus {
        for await status in host.statuses() where fits(status) { return status }
        throw CancellationError()
    }

    /// The next request that the person at the computer is shown.
    func request() async throws -> PairingRequest {
        try #require(try await status { !$0.requests.isEmpty }.requests.first)
    }

    /// The list of paired computers, once it fits.
    func desktopList(where fits: ([PairedDesktop]) -> Bool) async throws -> [PairedDesktop] {
        for await list in desktops.list() where fits(list) { return list }
        throw CancellationError()
    }

    /// Moves time on by `seconds`, one at a time, once somebody waits for it.
    func pass(seconds: Int) async {
        for _ in 0..<seconds {
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
        }
    }
}
