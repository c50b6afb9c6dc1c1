import Capabilities
public import CommandClient
import Commands
public import Control
import Foundation
public import Kernel
public import Logging
public import Pairing
import Rights
import Sealing
package import Sections
public import ServiceLifecycle
import Signaling
package import Storage
import Transport

/// A phone: its identity, its paired computers, a session with each of them for as long as it runs, and the features that it operates them
/// with. Builds the parts and owns their lifetimes.
public actor Phone: Service {
    /// Pairs with computers, by their codes or by this phone's.
    public nonisolated let pairing: PhonePairing
    /// The identity by which computers know this phone.
    public nonisolated let identity: DeviceIdentity
    /// The commands that wait for computers that are away.
    public nonisolated let queue: OfflineCommandQueue
    let configuration: PhoneConfiguration
    nonisolated let features: PeerFeatures
    nonisolated let computers: Computers
    let desktops: SQLitePairingStore<PairedDesktop>
    private let sessions: PeerSessions
    let network: SignalNetwork
    private let gate: PhonePairingGate
    let clear: ClearComputers
    let state: RoleState
    /// Whether it is the phone that its keys name.
    package nonisolated let standing: StandingKeeper
    /// Whether its sessions and features have ended, since it has to rest. They begin with the next start of the program.
    package nonisolated let hasRested = LatestValue(false)
    private let outcomes = Broadcaster<ShownCodeOutcome>(capacity: 16)
    private let tasks = OwnedTasks()
    nonisolated let logger: Logger

    /// - Throws: What is wrong with the state folder or its database.
    public init(folder: StateFolder, configuration: PhoneConfiguration, logger: Logger) throws {
        let state = try RoleState(folder, schema: .phone(with: configuration.features))
        try self.init(state: state, configuration: configuration, logger: logger)
    }

    /// - Throws: What is wrong with the database.
    package init(state: RoleState, configuration: PhoneConfiguration, logger: Logger) throws {
        self.state = state
        standing = try StandingKeeper(state.folder)
        let (keys, database) = (state.identity, state.database)
        let desktops = try SQLitePairingStore<PairedDesktop>(database, logger: logger)
        let store = SQLiteSessionStore(database)
        let sessions = PeerSessions(store: store, time: configuration.time, logger: logger)
        let featuresComputers = PhoneComputers()
        let features = try configuration.features(in: state, with: featuresComputers, logger: logger)
        let network = configuration.signalNetwork(of: keys, logger: logger)
        let gate = PhonePairingGate(network: network, time: configuration.time)
        let serverLocator = ServerLocator(hub: configuration.hubURL)
        let kept = try SQLiteOfflineCommandStore(database, logger: logger)
        queue = OfflineCommandQueue(store: kept, policy: .init(features.methods), time: configuration.time)
        let reset = PairingReset(sessions: sessions, store: store, desktops: desktops, queue: queue)
        pairing = PhonePairing(
            PairingDependencies(
                identity: { keys },
                deviceID: state.deviceID,
                deviceInfo: configuration.device,
                gate: gate,
                bus: PairingMessageBus(),
                desktops: desktops,
                addresses: { serverLocator.addresses(known: desktops.all()) },
                sendForget: { try await reset.sendForget(to: $0) },
                startOver: { try await reset.startOver(with: $0) },
                initialClearRights: features.rights.initialInTheClear,
                time: configuration.time,
                logger: logger
            )
        )
        clear = ClearComputers(
            mobileDID: keys.did.text,
            network: network,
            features: features,
            time: configuration.time,
            logger: logger
        )
        computers = Computers(
            .init(
                identity: keys,
                configuration: configuration,
                desktops: desktops,
                store: store,
                sessions: sessions,
                network: network,
                serverLocator: serverLocator,
                pairing: pairing,
                queue: queue,
                clear: clear,
                features: features,
                logger: logger
            )
        )
        (self.configuration, self.desktops, self.sessions) = (configuration, desktops, sessions)
        (self.features, self.network, self.gate, self.logger) = (features, network, gate, logger)
        identity = DeviceIdentity(did: keys.did.text, deviceID: state.deviceID, fingerprint: keys.did.fingerprint)
        featuresComputers.open(self)
    }

    /// Runs until shutdown or cancellation. Once its data moves to another phone it ends everything that others would notice, and rests: commands and
    /// pages of this machine are answered until shutdown, and learn why from each refusal.
    public func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { [features] in await features.atRest.run() }
            if !standing.value.rests { await work() }
            await end()
            hasRested.set(standing.value.rests)
            // Returns at shutdown, or at once when the task is cancelled.
            try? await gracefulShutdown()
            group.cancelAll()
        }
        await features.atRest.close(on: configuration.time, telling: logger)
    }

    /// Keeps its sessions until it has to end or to rest.
    private func work() async {
        let (events, clearEvents, states) = (network.events(), network.events(), network.events())
        await withDiscardingTaskGroup { group in
            group.addTask { [gate] in await gate.run(events) }
            group.addTask { [clear] in await clear.run(clearEvents) }
            group.addTask { [pairing] in await pairing.run() }
            group.addTask { [computers] in await computers.run() }
            group.addTask { [features] in await features.usual.run() }
            group.addTask { await self.yieldToNewPhone(states) }
            group.addTask { for await _ in SuspensionWatch.resumes() { await self.resume() } }
            if let network = configuration.network {
                group.addTask { [computers] in await computers.follow(network) }
            }
            if let browser = configuration.browser {
                group.addTask { await browser.browse() }
                group.addTask { [computers] in
                    for await snapshot in browser.snapshots() { await computers.found(snapshot) }
                }
            }
            await untilEndOrRest()
            group.cancelAll()
        }
    }

    private func untilEndOrRest() async {
        await withTaskGroup(of: Void.self) { [standing] group in
            group.addTask { try? await gracefulShutdown() }
            group.addTask { await standing.untilResting() }
            await group.next()
            group.cancelAll()
        }
    }

    private func end() async {
        await sessions.close()
        await computers.close()
        await tasks.end()
        await clear.close()
        await features.usual.close(on: configuration.time, telling: logger)
        await network.close()
    }

    /// The machine slept, or came into another network: every way to every computer is looked at at once.
    public func resume() async { await computers.resume() }

    /// The requests that commands on this phone's state folder can make.
    public nonisolated var control: ControlTable {
        let usual = features.usual.controlRoutes.map { route in
            route.requiring { try self.requireAwake() }
        }
        return ControlTable(
            PhoneControl(phone: self).routes + standingRoutes + usual + features.atRest.controlRoutes
        )
    }

    // MARK: The phone's own code

    /// Shows a code for a computer to scan, in place of the one before, and waits for the computer while the phone runs.
    public func showCode(options: PairingOptions = PairingOptions()) async throws -> PhonePairing.ShownCode {
        try requireAwake()
        let code = try await pairing.makeCode(options: options)
        tasks.add { [pairing, outcomes] in
            do {
                let desktop = try await pairing.desktopScanning(code, options: options)
                outcomes.send(ShownCodeOutcome(code: code, result: .success(desktop)))
            } catch {
                outcomes.send(ShownCodeOutcome(code: code, result: .failure(error)))
            }
        }
        return code
    }

    /// Outcomes of shown codes from now on: ask before the code is made, so that nothing is missed.
    public nonisolated func shownCodeOutcomes() -> AsyncStream<ShownCodeOutcome> { outcomes.subscribe() }
}

/// The identity of a device.
public struct DeviceIdentity: Hashable, Sendable {
    /// The device's key as a DID, `did:key:z6Mk…`.
    public let did: String
    /// The id under which it registers at servers.
    public let deviceID: String
    /// The words of its key, for people to compare.
    public let fingerprint: String
}

/// The outcome of a code that this phone showed.
public struct ShownCodeOutcome: Sendable {
    /// The code as it was shown.
    public let code: PhonePairing.ShownCode
    /// The computer, once both sides have the pairing; else why it came to none.
    public let result: Result<PairedDesktop, any Error>
}
