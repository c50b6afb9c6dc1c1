import CommandServer
import Commands
import Foundation
package import Kernel
package import Logging
package import Pairing
import Rights
package import Sealing
import ServiceLifecycle
import Signaling
import SignalingServer
import Storage
import Transfers
package import Transport

/// A computer: its identity, its server for the local network, its paired phones and a session with each that comes.
package actor Desktop: Service {
    /// Commands of one phone that run at a time.
    private static let commandLimit = 64
    /// Between two looks at this computer's addresses.
    private static let addressInterval = Duration.seconds(30)

    package nonisolated let pairing: PairingHost
    package nonisolated let deviceID: String
    package nonisolated let did: String
    /// The words of this computer's key, for people to compare.
    nonisolated let fingerprint: String
    nonisolated let configuration: DesktopConfiguration
    let phones: SQLitePairingStore<PairedPhone>
    private let own: OwnDevice
    private let addresses: DesktopAddresses
    private let server: SignalingServer
    private let unmetered: UnmeteredKeys
    private let local: WebSocketSignalClient
    private let hub: WebSocketSignalClient?
    private let bus: PairingMessageBus
    let listener: SessionListener
    let sessions: SQLiteSessionStore
    let skills: DesktopSkills
    let router: CommandRouter
    let clearDoor: ClearDoor
    let audit: SQLiteAuditLog
    private let serverPort = LatestValue<Int?>(nil)
    let logger: Logger
    private let lock: FolderLock
    private let connectionTasks = TaskBag()
    let streams = StreamsUnderWay()
    var connections: [DID: PeerConnection] = [:]
    /// What connected phones know.
    private var toldAddresses: DeviceAddresses?
    /// The records as sessions and features know them.
    var knownPhones: [DID: PairedPhone]
    /// The last call of ``settleRecords()``.
    var settling: Task<Void, Never>?
    /// What the owner leaves running of a phone that loses its right now.
    var keptActivities: [DID: Set<Activity.Kind>] = [:]

    /// - Throws: What is wrong with the state folder, its database or the certificate.
    package init(folder: StateFolder, configuration: DesktopConfiguration, logger: Logger) throws {
        lock = try FolderLock(folder)
        let keys = try Identity.loadOrCreate(in: folder)
        let database = try StateDatabase.open(folder.databaseURL)
        let phones = try SQLitePairingStore<PairedPhone>(database, logger: logger)
        let sessions = try SQLiteSessionStore(database)
        let deviceID = try folder.deviceID { DeviceID.certified(by: keys.did) }
        let own = OwnDevice(identity: keys, deviceID: deviceID, info: configuration.device)
        let addresses = DesktopAddresses(configuration: configuration, port: serverPort)
        let unmetered = UnmeteredKeys(own: keys.did)
        let server = try SignalingServer(
            configuration: Self.server(of: configuration, for: own, at: addresses, unmetered: unmetered),
            database: database,
            logger: logger,
            metrics: configuration.metrics
        )
        let dialer = OwnServerDialer(server: server)
        let local = WebSocketSignalClient(identity: keys, logger: logger, dial: { try await dialer.dial($0) })
        let hub = configuration.hubURL.map { _ in WebSocketSignalClient(identity: keys, logger: logger) }
        let bus = PairingMessageBus()
        let farewells = Farewells<DID>()
        pairing = PairingHost(
            PairingHostDependencies(
                own: own,
                gates: [local, hub].compactMap(\.self).map { SignalClientPairingGate($0, category: .desktop) },
                aliasGate: SignalClientAliasGate(
                    addresses: { await addresses.aliasServers() },
                    makeClient: { address in
                        // At a hub without a proof: old ones keep a proven id for its key, and these digits will be somebody else's.
                        guard address != configuration.hubURL else {
                            return WebSocketSignalClient(identity: nil, logger: logger)
                        }
                        return WebSocketSignalClient(
                            identity: keys,
                            logger: logger,
                            dial: { try await dialer.dial($0) }
                        )
                    }
                ),
                bus: bus,
                phones: phones,
                guesses: try SQLitePairingGuesses(database),
                iceServers: configuration.iceServers,
                addresses: { await addresses.forCode() },
                sendForget: { try await farewells.send(to: $0) },
                acceptsEverybody: configuration.acceptsEverybody,
                logger: logger
            )
        )
        self.server = server
        listener = SessionListener(
            identity: keys,
            store: sessions,
            authorizer: PairedPhonesAuthorizer(phones: phones, pairing: pairing),
            timing: configuration.timing,
            logger: logger
        )
        let record: PhoneOutlet.Record = { phones.record($0) }
        let outlet = PhoneOutlet(record: record)
        skills = try DesktopSkills(
            configuration: configuration,
            database: database,
            outlet: outlet,
            observer: ActivityNotices(
                record: record,
                notifier: configuration.tools.notifier,
                tasks: connectionTasks,
                logger: logger
            ),
            logger: logger
        )
        knownPhones = Dictionary(phones.all().map { ($0.did, $0) }, uniquingKeysWith: { first, _ in first })
        audit = try SQLiteAuditLog(database, logger: logger)
        let registry = RemoteSkillRegistry.load(from: folder.url.appending(path: "skills.json"), logger: logger)
        let router = CommandRouter(
            methods: skills.methods + RegistryMethods(registry: registry, serving: skills.methods).methods,
            logger: logger,
            gate: CommandGate(registry: registry, nonces: try SQLiteNonceStore(database)),
            answers: try SQLiteAnswerStore(database),
            audit: audit
        )
        clearDoor = Self.clearDoor(
            local: local,
            hub: hub,
            phones: phones,
            pairing: pairing,
            server: server,
            router: router,
            logger: logger
        )
        self.router = router
        self.own = own
        self.addresses = addresses
        self.unmetered = unmetered
        self.phones = phones
        self.sessions = sessions
        self.local = local
        self.hub = hub
        self.bus = bus
        self.configuration = configuration
        self.logger = logger
        self.deviceID = deviceID
        did = keys.did.text
        fingerprint = keys.did.fingerprint
        farewells.attach { [weak self] _ in await self?.settleRecords() }
        outlet.attach(
            send: { [weak self] in try await self?.send($0, to: $1, isBulk: $2) },
            tell: { [clearDoor] in try await clearDoor.send($0, to: $1) }
        )
    }

    /// What the own server is started with: the owner's settings, and what it knows of this computer.
    private static func server(
        of configuration: DesktopConfiguration,
        for own: OwnDevice,
        at addresses: DesktopAddresses,
        unmetered: UnmeteredKeys
    ) -> SignalingServerConfiguration {
        var server = configuration.server
        server.version = configuration.version
        server.localPeer = LocalPeer(
            id: own.deviceID,
            deviceName: configuration.device.name,
            platform: configuration.device.platform.rawValue,
            ipAddress: addresses.localAddress ?? ""
        )
        if let advertised = configuration.advertisedURL?.host(percentEncoded: false) { server.names.append(advertised) }
        server.isUnmetered = { unmetered.contains($0) }
        let deviceID = own.deviceID
        server.keepsMail = { unmetered.keepsMail($0, deviceID: deviceID) }
        return server
    }

    /// Reads the certificate and its key again.
    ///
    /// - Throws: `TLSFilesError`; the certificate in use stays then.
    package nonisolated func reloadCertificates() throws { try server.reloadCertificates() }

    /// Runs until shutdown or cancellation, or until the server fails.
    package func run() async throws {
        let clients = [local, hub].compactMap(\.self)
        // Before any phone can come: the first session is served however soon it is there.
        let newConnections = listener.newConnections()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [server] in try await server.run() }
            group.addTask { [pairing] in await pairing.run() }
            group.addTask { await self.serve(newConnections) }
            group.addTask { await self.followPhones() }
            let clearPhones = phones.list().map { $0.filter { !$0.isEndToEnd }.map(\.did) }
            group.addTask { [clearDoor] in await clearDoor.run(phones: clearPhones) }
            group.addTask { await self.followAddresses() }
            group.addTask { for await _ in SuspensionWatch.resumes() { await self.resume() } }
            try await connect()
            if let advertiser = configuration.advertiser { group.addTask { await self.advertise(with: advertiser) } }
            // The first part that ends, at shutdown or because it failed, ends the rest.
            defer { group.cancelAll() }
            try await group.next()
        }
        await skills.shutDown()
        await connectionTasks.end()
        await listener.close()
        await audit.close()
        for client in clients { await client.disconnect() }
    }

    /// The port of the server, once it is bound.
    package func boundPort() async throws -> Int { try await server.boundPort() }

    private func connect() async throws {
        let port = try await server.boundPort()
        let device = SignalDevice(
            category: .desktop,
            name: configuration.device.name,
            platform: configuration.device.platform.rawValue,
            version: configuration.version
        )
        await listener.add(SignalLinkAcceptor(client: local, kind: .lan).links())
        try await local.maintain(
            DesktopAddresses.loopback(configuration.server, port: port),
            as: deviceID,
            device: device
        )
        if let hub, let url = configuration.hubURL {
            await listener.add(SignalLinkAcceptor(client: hub, kind: .relay).links())
            try await hub.maintain(url, as: deviceID, device: device)
        }
        // Whoever reads a code at once shall find this computer behind the address in it.
        await waitUntilRegistered()
        serverPort.set(port)
    }

    /// Waits for the own server to know this computer, which takes milliseconds.
    private func waitUntilRegistered() async {
        let limit = Duration.seconds(5)
        do {
            try await withTimeout(limit, on: ContinuousClock(), throwing: SignalError.timedOut(after: limit)) {
                [local] in
                for await state in local.states() where state.presence != nil { return }
            }
        } catch is CancellationError {
            // It ends before it was there.
        } catch {
            logger.error("this computer did not reach its own server", metadata: ["reason": "\(error)"])
        }
    }

    private func advertise(with advertiser: any ServiceAdvertiser) async {
        do {
            guard let port = UInt16(exactly: try await server.boundPort()) else { return }
            let advertisement = try ServiceAdvertisement(
                deviceID: deviceID,
                did: own.identity.did,
                name: configuration.device.name,
                port: port
            )
            await advertiser.advertise(advertisement)
        } catch {
            logger.notice("not advertised on the network", metadata: ["reason": "\(error)"])
        }
        // A desktop that cannot be found on the network still works.
        try? await gracefulShutdown()
    }

    // MARK: Sessions

    private func serve(_ newConnections: AsyncStream<PeerConnection>) async {
        for await connection in newConnections {
            connections[connection.peer.did] = connection
            connectionTasks.add { [weak self] in await self?.serve(connection) }
            connectionTasks.add { [weak self] in await self?.followState(of: connection) }
        }
    }

    private func followPhones() async {
        for await list in phones.list() {
            unmetered.set(list.map(\.did))
            await settleRecords()
        }
    }

    private func followState(of connection: PeerConnection) async {
        for await state in connection.states() {
            guard case .connected = state else { continue }
            await tellAddresses(on: connection)
            do {
                try await pairing.confirmed(by: connection.peer.did)
            } catch {
                logger.error("pairing not confirmed", metadata: ["reason": "\(error)"])
            }
        }
    }

    /// A phone that came another way learns where this computer is on its own network, and which of its ways is a hub.
    private func tellAddresses(on connection: PeerConnection) async {
        do {
            try await connection.send(await addresses.told().message.canonicalBytes)
        } catch {
            logger.debug("addresses not told", metadata: ["reason": "\(error)"])  // the session is over
        }
    }

    /// The machine slept: every way to every phone is looked at at once.
    private func resume() async {
        for client in [local, hub].compactMap(\.self) { client.resume() }
        for connection in connections.values { await connection.resume() }
    }

    /// Tells connected phones of new addresses. The system's list is looked at when it changes, and beside the keepalives.
    private func followAddresses() async {
        toldAddresses = await addresses.told()
        await withDiscardingTaskGroup { group in
            if let network = configuration.network {
                group.addTask { for await _ in network.changes() { await self.tellNewAddresses() } }
            }
            while (try? await ContinuousClock().sleep(for: Self.addressInterval)) != nil { await tellNewAddresses() }
            group.cancelAll()  // the end: the sleep was cancelled
        }
    }

    private func tellNewAddresses() async {
        let now = await addresses.told()
        guard now != toldAddresses else { return }
        toldAddresses = now
        // What went over the old address is silent now: the news take the way that is left.
        await resume()
        for connection in connections.values {
            if case .connected = connection.state { await tellAddresses(on: connection) }
        }
    }

    private func serve(_ connection: PeerConnection) async {
        let phone = connection.peer.did
        // Commands run side by side, so that a slow one holds up nobody; over the bound the next message is not taken, and
        // the phone waits.
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await message in connection.messages() {
                if TransferFrame.isFrame(message.bytes) {
                    receive(frame: message.bytes, from: phone)
                    continue
                }
                guard let envelope = try? JSONValue(parsing: message.bytes) else {
                    logger.notice("message dropped: not JSON", metadata: ["phone": "\(phone)"])
                    continue
                }
                switch envelope["type"]?.stringValue {
                case CommandRequest.type:
                    if running == Self.commandLimit {
                        await group.next()
                        running -= 1
                    }
                    running += 1
                    group.addTask { await self.answer(envelope, on: connection) }
                case CommandCancel.type: await cancel(envelope, from: phone)
                case PairingForget.type: await forgotten(by: phone)
                default: logger.debug("message of an unknown type", metadata: ["phone": "\(phone)"])
                }
            }
        }
        if connections[phone] === connection { connections[phone] = nil }
    }

    private func cancel(_ envelope: JSONValue, from phone: DID) async {
        do {
            guard let phone = phones.record(phone) else { return }
            let cancel = try CommandCancel(envelope: envelope)
            await router.cancel(cancel, from: Self.caller(phone, proof: .session))
            streams.cancel(cancel.id, of: phone.did.text)
        } catch {
            logger.notice("command not cancelled", metadata: ["reason": "\(error)"])
        }
    }

    private func receive(frame: [UInt8], from phone: DID) {
        guard let phone = phones.record(phone) else { return }
        skills.receive(frame: frame, from: Self.caller(phone, proof: .session))
    }

    private func answer(_ envelope: JSONValue, on connection: PeerConnection) async {
        do {
            guard let phone = phones.record(connection.peer.did) else { return }
            let request = try CommandRequest(envelope: envelope)
            streams.began(request.id, of: phone.did.text)
            defer { streams.ended(request.id, of: phone.did.text) }
            let response = await router.answer(request, from: Self.caller(phone, proof: .session))
            try await RemoteAnswerWriter(to: request, of: phone.did.text, among: streams)
                .write(response) { try await connection.send($0) }
            // The gates are the own server's and the hub's, in this order.
            try await pairing.noteActivity(of: phone.did, through: path(to: phone.did).map { $0 == .lan ? 0 : 1 })
        } catch is CancellationError {
            // The phone wants no more of it, or this computer ends.
        } catch {
            logger.notice("command not answered", metadata: ["reason": "\(error)"])
        }
    }

    /// Waits while the session is full. A phone that is away misses events; parts of files wait for its return, as any answer.
    func send(_ message: [UInt8], to phone: DID, isBulk: Bool) async throws {
        guard let connection = connections[phone] else { throw RemoteError.notConnected }
        switch connection.state {
        case .connected, .connecting: break
        case .notConnected where isBulk: break
        case .notConnected, .refused, .closed: throw RemoteError.notConnected
        }
        try await connection.send(message, isBulk: isBulk)
    }

    private func forgotten(by phone: DID) async {
        // It left by itself: a good-bye in answer could reach it when it has paired anew.
        let connection = connections.removeValue(forKey: phone)
        do {
            try await pairing.forgotten(by: phone)
            await settleRecords()
            logger.notice("forgotten by the phone", metadata: ["phone": "\(phone)"])
        } catch {
            if connections[phone] == nil { connections[phone] = connection }
            logger.error("record not removed", metadata: ["reason": "\(error)"])
        }
    }

    static func caller(_ phone: PairedPhone, proof: Caller.Proof) -> Caller {
        Caller(
            id: phone.did.text,
            name: phone.name,
            proof: proof,
            allowedSkills: Set(phone.allowedSkills.map(\.rawValue))
        )
    }

    // MARK: For commands and screens

    package func pairedPhones() -> [PairedPhone] { phones.all() }

    /// How a phone is connected now; nil while it is not.
    package func path(to phone: DID) async -> LinkKind? {
        if case .connected(let path) = connections[phone]?.state { return path }
        return await clearDoor.path(to: phone)
    }

    func clientStates() -> [(name: String, state: SignalClientState, problem: SignalProblem?)] {
        [("local", local.state, local.problem)] + (hub.map { [("hub", $0.state, $0.problem)] } ?? [])
    }
}
