import Foundation
public import Kernel
public import Logging
public import Pairing
import Remote
public import Sealing
public import ServiceLifecycle
import Signaling
import SignalingServer
import Storage
public import Transport

/// A computer: its identity, its server for the local network, its paired phones and a session with each that comes.
public actor Desktop: Service {
    /// Commands of one phone that run at a time.
    private static let commandLimit = 64

    public nonisolated let pairing: PairingHost
    public nonisolated let deviceID: String
    public nonisolated let did: String
    nonisolated let configuration: DesktopConfiguration
    let phones: SQLitePairingStore<PairedPhone>
    private let own: OwnDevice
    private let server: SignalingServer
    private let unmetered: UnmeteredKeys
    private let local: WebSocketSignalClient
    private let hub: WebSocketSignalClient?
    private let bus: PairingMessageBus
    private let listener: SessionListener
    private let sessions: SQLiteSessionStore
    private let skills: DesktopSkills
    private let router: CommandRouter
    let audit: SQLiteAuditLog
    private let serverPort = LatestValue<Int?>(nil)
    private let logger: Logger
    private let lock: FolderLock
    private let connectionTasks = TaskBag()
    private let streams = StreamsUnderWay()
    private var connections: [DID: PeerConnection] = [:]

    /// - Throws: What is wrong with the state folder, its database or the certificate.
    public init(folder: StateFolder, configuration: DesktopConfiguration, logger: Logger) throws {
        lock = try FolderLock(folder)
        let keys = try Identity.loadOrCreate(in: folder)
        let database = try StateDatabase.open(folder.databaseURL)
        let phones = try SQLitePairingStore<PairedPhone>(database, logger: logger)
        let sessions = try SQLiteSessionStore(database)
        let own = OwnDevice(identity: keys, deviceID: try folder.deviceID(), info: configuration.device)
        let local = WebSocketSignalClient(identity: keys, logger: logger)
        let hub = configuration.hubURL.map { _ in WebSocketSignalClient(identity: keys, logger: logger) }
        let bus = PairingMessageBus()
        let farewells = Farewells<DID>()
        let addresses = DesktopAddresses(configuration: configuration, port: serverPort)
        var serverConfiguration = configuration.server
        serverConfiguration.localPeer = LocalPeer(
            id: own.deviceID,
            deviceName: configuration.device.name,
            platform: configuration.device.platform.rawValue,
            ipAddress: addresses.localAddress ?? ""
        )
        let unmetered = UnmeteredKeys(own: keys.did)
        serverConfiguration.isUnmetered = { unmetered.contains($0) }
        pairing = PairingHost(
            PairingHostDependencies(
                own: own,
                gates: [local, hub].compactMap(\.self).map { SignalClientPairingGate($0, category: .desktop) },
                aliasGate: SignalClientAliasGate(
                    addresses: { await addresses.aliasServers() },
                    // Without a proof: a server keeps a proven id for its key, and these digits will be somebody else's.
                    makeClient: { WebSocketSignalClient(identity: nil, logger: logger) }
                ),
                bus: bus,
                phones: phones,
                iceServers: configuration.iceServers,
                addresses: { await addresses.forCode() },
                sendForget: { try await farewells.send(to: $0) },
                acceptsEverybody: configuration.acceptsEverybody,
                logger: logger
            )
        )
        server = try SignalingServer(configuration: serverConfiguration, database: database, logger: logger)
        listener = SessionListener(
            identity: keys,
            store: sessions,
            authorizer: PairedPhonesAuthorizer(phones: phones, pairing: pairing),
            timing: configuration.timing,
            logger: logger
        )
        let outlet = PhoneOutlet()
        skills = try DesktopSkills(configuration: configuration, database: database, outlet: outlet, logger: logger)
        audit = try SQLiteAuditLog(database, logger: logger)
        let registry = RemoteSkillRegistry.load(from: folder.url.appending(path: "skills.json"), logger: logger)
        router = CommandRouter(
            methods: skills.methods + RegistryMethods(registry: registry, serving: skills.methods).methods,
            logger: logger,
            gate: CommandGate(registry: registry, nonces: try SQLiteNonceStore(database)),
            answers: try SQLiteAnswerStore(database),
            audit: audit
        )
        self.own = own
        self.unmetered = unmetered
        self.phones = phones
        self.sessions = sessions
        self.local = local
        self.hub = hub
        self.bus = bus
        self.configuration = configuration
        self.logger = logger
        deviceID = own.deviceID
        did = keys.did.text
        farewells.attach { [weak self] in try await self?.sayFarewell(to: $0) }
        outlet.attach { [weak self] in try await self?.send($0, to: $1, isBulk: $2) }
    }

    /// Runs until shutdown or cancellation, or until the server fails.
    public func run() async throws {
        let clients = [local, hub].compactMap(\.self)
        let clearMessages = clients.map { ($0, $0.messages()) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [server] in try await server.run() }
            group.addTask { [pairing] in await pairing.run() }
            group.addTask { await self.serveConnections() }
            group.addTask { await self.followPhones() }
            for (client, messages) in clearMessages {
                group.addTask { await self.answerInTheClear(messages, over: client) }
            }
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
    public func boundPort() async throws -> Int { try await server.boundPort() }

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

    private func serveConnections() async {
        for await connection in listener.newConnections() {
            connections[connection.peer.did] = connection
            connectionTasks.add { [weak self] in await self?.serve(connection) }
            connectionTasks.add { [weak self] in await self?.followState(of: connection) }
        }
    }

    private func followPhones() async {
        for await list in phones.list() { unmetered.set(list.map(\.did)) }
    }

    private func followState(of connection: PeerConnection) async {
        for await state in connection.states() {
            guard case .connected = state else { continue }
            do {
                try await pairing.confirmed(by: connection.peer.did)
            } catch {
                logger.error("pairing not confirmed", metadata: ["reason": "\(error)"])
            }
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
            let response = await router.answer(request, from: Self.caller(phone, proof: .session))
            try await RemoteAnswerWriter(to: request, of: phone.did.text, among: streams)
                .write(response) { try await connection.send($0) }
            try await pairing.noteActivity(of: phone.did)
        } catch is CancellationError {
            // The phone wants no more of it, or this computer ends.
        } catch {
            logger.notice("command not answered", metadata: ["reason": "\(error)"])
        }
    }

    /// Waits while the session is full; a phone that is away misses it.
    private func send(_ message: [UInt8], to phone: DID, isBulk: Bool) async throws {
        guard let connection = connections[phone], case .connected = connection.state else {
            throw RemoteError.notConnected
        }
        try await connection.send(message, isBulk: isBulk)
    }

    private func forgotten(by phone: DID) async {
        do {
            try await pairing.forgotten(by: phone)
            try await endSession(with: phone)
            logger.notice("forgotten by the phone", metadata: ["phone": "\(phone)"])
        } catch {
            logger.error("record not removed", metadata: ["reason": "\(error)"])
        }
    }

    /// Tells a phone that it is forgotten, while there still is a session to say it in.
    private func sayFarewell(to phone: DID) async throws {
        guard let connection = connections[phone] else { return }
        try await connection.sendLast(try JSONValue(encoding: PairingForget()).canonicalBytes)
    }

    private func endSession(with phone: DID) async throws {
        await router.forget(phone.text)
        guard let connection = connections.removeValue(forKey: phone) else { return }
        await listener.remove(connection.peer.agreementKey)
        try await sessions.forget(connection.peer.agreementKey)
    }

    // MARK: Phones that speak only the documented wire

    /// Commands outside a session: answered where the owner allowed that phone to, refused with a reason otherwise.
    private func answerInTheClear(_ events: AsyncStream<SignalEvent>, over client: WebSocketSignalClient) async {
        for await event in events {
            guard case .message(let message) = event, message.kind == .message, !message.wasStored,
                let sender = message.from, message.payload["type"]?.stringValue == CommandRequest.type
            else { continue }
            do {
                let request = try CommandRequest(envelope: message.payload)
                let response = try await answer(request, inTheClearFrom: sender)
                try await client.send(SignalMessage(to: sender, payload: response.envelope(form: request.form)))
            } catch {
                logger.notice("command in the clear not answered", metadata: ["reason": "\(error)"])
            }
        }
    }

    private func answer(_ request: CommandRequest, inTheClearFrom sender: String) async throws -> CommandResponse {
        // An id that is no DID belongs to nobody who could be paired.
        let phone = (try? DID(sender)).flatMap { phones.record($0) }
        // The gate says no to whoever is not paired, and to whoever should have come through a session.
        let caller = phone.map { Self.caller($0, proof: $0.isEndToEnd ? .unsealed : .clear) } ?? .stranger(sender)
        return await router.answer(request, from: caller)
    }

    private static func caller(_ phone: PairedPhone, proof: Caller.Proof) -> Caller {
        Caller(
            id: phone.did.text,
            name: phone.name,
            proof: proof,
            allowedSkills: Set(phone.allowedSkills.map(\.rawValue))
        )
    }

    // MARK: For commands and screens

    public func pairedPhones() -> [PairedPhone] { phones.all() }

    /// How a phone is connected now; nil while it is not.
    public func path(to phone: DID) -> LinkKind? {
        guard case .connected(let path) = connections[phone]?.state else { return nil }
        return path
    }

    /// Removes a phone; it is told now if it is connected, else when it comes.
    public func forget(_ phone: DID) async throws {
        try await pairing.forget(phone)
        try await endSession(with: phone)
    }

    func clientStates() -> [(name: String, state: SignalClientState)] {
        [("local", local.state)] + (hub.map { [("hub", $0.state)] } ?? [])
    }
}
