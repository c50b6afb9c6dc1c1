import CommandServer
import Commands
import Control
import Foundation
package import Kernel
package import Logging
import Pairing
import Rights
import Sealing
import ServiceLifecycle
import Signaling
import SignalingServer
package import Storage
import Transport

/// Builds the parts of a computer, each from those before it.
extension Desktop {
    /// - Throws: What is wrong with the state folder, its database or the certificate.
    package init(folder: StateFolder, configuration: DesktopConfiguration, logger: Logger) throws {
        let schema = Schema.desktop(with: configuration.features)
        let state = try RoleState(folder, schema: schema) { DeviceID.certified(by: $0.did) }
        try self.init(state: state, configuration: configuration, logger: logger)
    }

    /// - Throws: What is wrong with the database or the certificate.
    package init(state: RoleState, configuration: DesktopConfiguration, logger: Logger) throws {
        self.state = state
        let (keys, database) = (state.identity, state.database)
        let own = OwnDevice(identity: keys, deviceID: state.deviceID, info: configuration.device)
        let store = try SQLitePairingStore<PairedPhone>(database, logger: logger)
        let sessionStore = SQLiteSessionStore(database)
        let sessions = PeerSessions(store: sessionStore, time: configuration.time, logger: logger)
        clearDoor = ClearDoor(
            isKnown: { store.record($0).map { !$0.isEndToEnd } ?? false },
            time: configuration.time,
            logger: logger
        )
        let callers = OpenCallers()
        features = try CommandFeatures(
            configuration.features,
            CommandContext(
                database: database,
                outlet: RecordedOutlet(phones: store, sessions: sessions, clearDoor: clearDoor, callers: callers),
                callers: callers,
                observer: ActivityNotices(
                    record: { store.record($0) },
                    notifier: configuration.notifier,
                    tasks: tasks,
                    logger: logger,
                    time: configuration.time
                ),
                settings: configuration.featureSettings,
                version: configuration.version,
                time: configuration.time,
                logger: logger
            )
        )
        let unmetered = UnmeteredKeys(own: keys.did)
        let addresses = DesktopAddresses(configuration: configuration, port: LatestValue(nil))
        let served = configuration.server(for: own, at: addresses, unmetered: unmetered, serving: features)
        let server: any OwnServer =
            try configuration.makeServer?(served)
            ?? SignalingServer(
                configuration: served,
                database: database,
                logger: logger,
                time: configuration.time,
                metrics: configuration.metrics
            )
        let dialer = OwnServerDialer(server: server)
        network = DesktopNetwork(
            configuration,
            own: own,
            addresses: addresses,
            dialer: dialer,
            sessions: sessions,
            logger: logger
        )
        let records = PhoneRecords(store: store, rights: features.rights)
        pairing = PairingHost(
            PairingHostDependencies(
                own: own,
                gates: network.clients.map { SignalClientPairingGate($0, category: .desktop) },
                aliasGate: network.aliasGate(through: dialer),
                bus: PairingMessageBus(),
                phones: store,
                guesses: try SQLitePairingGuesses(database),
                initialRights: records.rights.initial,
                iceServers: configuration.iceServers,
                addresses: { await addresses.forCode() },
                sendForget: {
                    if let peer = $0.sessionPeer { await sessions.end(with: peer, saying: PairingForget.message) }
                },
                acceptsEverybody: configuration.acceptsEverybody,
                time: configuration.time,
                logger: logger
            )
        )
        listener = SessionListener(
            identity: keys,
            store: sessionStore,
            authorizer: PairedPhonesAuthorizer(phones: store, pairing: pairing, time: configuration.time),
            timing: configuration.timing,
            time: configuration.time,
            logger: logger
        )
        audit = SQLiteAuditLog(database, time: configuration.time, logger: logger)
        let registry =
            state.folder.map { RemoteSkillRegistry.load(from: $0.url.appending(path: "skills.json"), logger: logger) }
            ?? .builtIn
        let router = CommandRouter(
            methods: features.methods + RegistryMethods(registry: registry, serving: features.methods).methods,
            logger: logger,
            gate: CommandGate(
                registry: registry,
                rights: records.rights,
                nonces: SQLiteNonceStore(database),
                limits: configuration.limits,
                time: configuration.time
            ),
            answers: SQLiteAnswerStore(database),
            audit: audit,
            time: configuration.time
        )
        let streams = ActiveStreams()
        phones = PhoneAdministration(
            .init(
                records: records,
                pairing: pairing,
                sessions: sessions,
                listener: listener,
                store: sessionStore,
                router: router,
                streams: streams,
                clearDoor: clearDoor,
                keepers: features.keepers,
                audit: audit,
                time: configuration.time,
                acceptsEverybody: configuration.acceptsEverybody,
                logger: logger
            )
        )
        door = SessionDoor(
            records: records,
            router: router,
            streams: streams,
            sessions: sessions,
            pairing: pairing,
            frames: features.frames,
            forgotten: { [phones] in await phones.forgotten(by: $0) },
            logger: logger
        )
        clearHands = ClearDoor.Hands(
            records: records,
            router: router,
            methods: features.methods.map(\.declaration),
            pairing: pairing,
            server: server,
            logger: logger
        )
        features.open(
            CommandAccess(
                router: router,
                methods: features.methods.map(\.declaration),
                rights: records.rights,
                keepers: features.keepers,
                deviceID: own.deviceID,
                did: keys.did,
                name: configuration.device.name,
                accept: { [listener] in await listener.add($0) }
            )
        )
        self.router = router
        self.server = server
        self.sessions = sessions
        self.unmetered = unmetered
        self.configuration = configuration
        self.logger = logger
        device = own
    }
}
