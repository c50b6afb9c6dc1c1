public import CommandClient
public import Commands
public import Files
import Foundation
public import Kernel
public import Logging
public import Pairing
import Rights
import Sealing
public import ServiceLifecycle
import Signaling
import Storage
import Transfers
public import Transport

/// A phone: its identity, its paired computers, and a session with each of them for as long as it runs.
public actor Phone: Service {
    public nonisolated let pairing: PhonePairing
    public nonisolated let identity: DeviceIdentity
    let configuration: PhoneConfiguration
    private let keys: Identity
    private let desktops: SQLitePairingStore<PairedDesktop>
    private let sessions: SQLiteSessionStore
    private let transfers: SQLiteTransferJournal
    /// What waits for computers that are away.
    public nonisolated let queue: OfflineCommandQueue
    private let network: SignalNetwork
    private let gate: PhonePairingGate
    private let clear: ClearComputers
    private let addressBook: AddressBook
    private let logger: Logger
    private let lock: FolderLock
    private var links: [PairedDesktop.ID: DesktopLink] = [:]
    /// Where computers said that their own servers are.
    private var told: [PairedDesktop.ID: [URL]] = [:]
    /// Computers that removed their record first: they need no good-bye.
    private var forgotten: Set<PairedDesktop.ID> = []
    private let outcomes = Broadcaster<ShownCodeOutcome>(capacity: 16)
    private let tasks = TaskBag()

    /// - Throws: What is wrong with the state folder or its database.
    public init(folder: StateFolder, configuration: PhoneConfiguration, logger: Logger) throws {
        lock = try FolderLock(folder)
        let keys = try Identity.loadOrCreate(in: folder)
        let deviceID = try folder.deviceID()
        let database = try StateDatabase.open(folder.databaseURL)
        let desktops = try SQLitePairingStore<PairedDesktop>(database, logger: logger)
        let known: @Sendable () async -> [PairedDesktop] = { desktops.all() }
        let device = SignalDevice(
            category: .mobile,
            name: configuration.device.name,
            platform: configuration.device.platform.rawValue,
            version: configuration.version
        )
        let network = SignalNetwork(identity: keys, device: device, logger: logger)
        let gate = PhonePairingGate(network: network)
        let addressBook = AddressBook(hub: configuration.hubURL)
        let farewells = Farewells<PairedDesktop.ID>()
        pairing = PhonePairing(
            PairingDependencies(
                identity: { keys },
                deviceID: deviceID,
                deviceInfo: FixedDeviceInfo(configuration.device),
                gate: gate,
                bus: PairingMessageBus(),
                desktops: desktops,
                addresses: { addressBook.addresses(known: await known()) },
                sendForget: { try await farewells.send(to: $0.pcPeerID) },
                logger: logger
            )
        )
        self.keys = keys
        self.configuration = configuration
        self.desktops = desktops
        self.network = network
        self.gate = gate
        self.addressBook = addressBook
        self.logger = logger
        sessions = try SQLiteSessionStore(database)
        transfers = try SQLiteTransferJournal(database, logger: logger)
        clear = ClearComputers(mobileDID: keys.did.text, network: network, transfers: transfers, logger: logger)
        queue = OfflineCommandQueue(store: try SQLiteOfflineCommandStore(database, logger: logger))
        identity = DeviceIdentity(did: keys.did.text, deviceID: deviceID, fingerprint: keys.did.fingerprint)
        farewells.attach { [weak self] _ in
            guard let self else { return }
            await endLinks(leaving: self.desktops.all())
        }
    }

    /// Runs until shutdown or cancellation.
    public func run() async throws {
        let (events, clearEvents) = (network.events(), network.events())
        await withDiscardingTaskGroup { group in
            group.addTask { [gate] in await gate.run(events) }
            group.addTask { [clear] in await clear.run(clearEvents) }
            group.addTask { [pairing] in await pairing.run() }
            group.addTask { await self.followDesktops() }
            group.addTask { for await _ in SuspensionWatch.resumes() { await self.resume() } }
            if let network = configuration.network {
                group.addTask { await self.follow(network) }
            }
            if let browser = configuration.browser {
                group.addTask { await browser.browse() }
                group.addTask { for await snapshot in browser.snapshots() { await self.found(snapshot) } }
            }
            // Returns at shutdown, or at once when the task is cancelled.
            try? await gracefulShutdown()
            group.cancelAll()
        }
        for link in links.values { await link.close() }
        links = [:]
        await tasks.end()
        await clear.close()
        await network.close()
    }

    // MARK: Sessions

    /// Keeps one session for each computer in the store, whatever put it there or took it out.
    private func followDesktops() async {
        for await list in desktops.list() {
            await endLinks(leaving: list)
            let wanted = list.filter(\.isEndToEnd)
            for desktop in wanted { await look(for: desktop, through: await link(to: desktop)) }
            await clear.update(list) { [addressBook] in addressBook.localServers(of: $0.pcPeerID) }
        }
    }

    /// Ends the sessions with computers that are not in `list`, or are there with another key. A computer whose record was removed
    /// here is told first, while there still is a session to say it in.
    private func endLinks(leaving list: [PairedDesktop]) async {
        let peers = Dictionary(list.map { ($0.pcPeerID, Self.peer(of: $0)) }, uniquingKeysWith: { $1 })
        let leaving = links.filter { peers[$0.key] != $0.value.connection.peer }
        for id in leaving.keys {
            links[id] = nil
            told[id] = nil
        }
        await withDiscardingTaskGroup { group in
            for (id, link) in leaving {
                let isTold = peers[id] == nil && !forgotten.contains(id)
                forgotten.remove(id)
                group.addTask { await self.end(link, telling: isTold) }
            }
        }
    }

    private func end(_ link: DesktopLink, telling isTold: Bool) async {
        if isTold {
            do {
                try await link.connection.sendLast(try JSONValue(encoding: PairingForget()).canonicalBytes)
            } catch {
                // It is away, or does not answer: its list names this phone until its person removes it there.
                logger.info("a forgotten computer was not told yet", metadata: ["reason": "\(error)"])
            }
        }
        await link.close()
        await forgetSession(link)
    }

    private static func peer(of desktop: PairedDesktop) -> SessionPeer? {
        guard let did = desktop.did, let key = desktop.agreementKey else { return nil }
        return SessionPeer(did: did, agreementKey: key)
    }

    /// The session with a computer, made when there is none yet.
    private func link(to desktop: PairedDesktop) async -> DesktopLink? {
        if let link = links[desktop.pcPeerID] { return link }
        guard let peer = Self.peer(of: desktop), desktops.record(desktop.pcPeerID) != nil else { return nil }
        let made: DesktopLink
        do {
            made = try await DesktopLink(
                desktop: desktop,
                peer: peer,
                identity: keys,
                network: network,
                store: sessions,
                transfers: transfers,
                timing: configuration.timing,
                logger: logger
            )
        } catch {
            logger.error("session not opened", metadata: ["desktop": "\(desktop.pcPeerID)", "reason": "\(error)"])
            return nil
        }
        // Another task may have made one meanwhile: the first stays. The record may be gone: then there is none.
        guard links[desktop.pcPeerID] == nil, desktops.record(desktop.pcPeerID) != nil else {
            await made.close()
            return links[desktop.pcPeerID]
        }
        links[desktop.pcPeerID] = made
        forgotten.remove(desktop.pcPeerID)
        tasks.add { [weak self] in await self?.readMessages(of: made) }
        tasks.add { [weak self] in await self?.followState(of: made) }
        tasks.add { await made.followState() }
        let drainer = OfflineQueueDrainer(queue: queue, desktopID: made.desktopID, logger: logger) { request in
            try await made.commands.invoke(request)
        }
        tasks.add { await drainer.run(reachability: made.reachability()) }
        return made
    }

    private func look(for desktop: PairedDesktop, through link: DesktopLink?) async {
        guard let link else { return }
        let wanted = ComputerWay.wanted(
            for: desktop,
            told: told[desktop.pcPeerID] ?? [],
            discovered: addressBook.localServers(of: desktop.pcPeerID),
            hub: configuration.hubURL,
            current: await link.ways.current
        )
        await link.ways.use(wanted)
    }

    private func found(_ snapshot: DiscoverySnapshot) async {
        addressBook.update(snapshot)
        for desktop in desktops.all() { await look(for: desktop, through: links[desktop.pcPeerID]) }
        await clear.update(desktops.all()) { [addressBook] in addressBook.localServers(of: $0.pcPeerID) }
    }

    /// The computer says where it is: that is newer than what its code said, and tells its own server from a hub in the same house.
    private func take(_ addresses: DeviceAddresses, from link: DesktopLink) async {
        guard let known = desktops.record(link.desktopID) else { return }
        let lan = addresses.lan.map(\.url)
        let current = await link.ways.current
        let change: @Sendable (inout PairedDesktop) -> Void = { desktop in
            desktop.take(addresses) { current[ComputerWay(url: $0, kind: .lan)] == true }
        }
        var next = known
        change(&next)
        // Told at each reconnect, mostly the same.
        guard next != known || told[link.desktopID] != lan else { return }
        told[link.desktopID] = lan
        // What the code said already is not written down again.
        guard next != known else { return await look(for: known, through: link) }
        do {
            if let kept = try await desktops.update(link.desktopID, change) { await look(for: kept, through: link) }
        } catch {
            logger.error("addresses not kept", metadata: ["reason": "\(error)"])
        }
    }

    /// Containers and lease renewals change the system's list too: only an address that others can reach is news.
    private func follow(_ network: any NetworkWatch) async {
        var known = LocalAddresses.reachable(among: NetworkInterface.current())
        for await _ in network.changes() {
            let now = LocalAddresses.reachable(among: NetworkInterface.current())
            guard now != known else { continue }
            known = now
            await resume()
        }
    }

    /// The machine slept, or came into another network: every way to every computer is looked at at once.
    public func resume() async {
        for link in links.values { await link.connection.resume() }
        await network.resume()
    }

    private func readMessages(of link: DesktopLink) async {
        for await message in link.connection.messages() {
            if TransferFrame.isFrame(message.bytes) {
                await link.files.receive(frame: message.bytes)
                continue
            }
            guard let envelope = try? JSONValue(parsing: message.bytes) else {
                logger.notice("message dropped: not JSON", metadata: ["desktop": "\(link.desktopID)"])
                continue
            }
            if await link.commands.receive(envelope) { continue }
            if let event = RemoteEvent(envelope: envelope) {
                link.events.send(event)
                continue
            }
            if let addresses = DeviceAddresses(message: envelope) {
                await take(addresses, from: link)
                continue
            }
            if envelope["type"]?.stringValue == PairingForget.type { await forgotten(by: link.desktopID) }
        }
    }

    private func followState(of link: DesktopLink) async {
        for await state in link.connection.states() {
            do {
                switch state {
                case .connected: try await pairing.confirmed(by: link.desktopID)
                case .refused(.notPaired): await forgotten(by: link.desktopID)
                case .notConnected, .connecting, .closed: break
                }
            } catch {
                logger.error("pairing not updated", metadata: ["reason": "\(error)"])
            }
        }
    }

    private func forgotten(by desktopID: String) async {
        forgotten.insert(desktopID)
        do {
            try await pairing.forgotten(by: desktopID)
            logger.notice("forgotten by the computer", metadata: ["desktop": "\(desktopID)"])
        } catch {
            logger.error("record not removed", metadata: ["reason": "\(error)"])
        }
    }

    private func forgetSession(_ link: DesktopLink) async {
        do {
            // What waits for a computer that is gone would wait for ever.
            try await queue.clear(for: link.desktopID)
            try await sessions.forget(link.connection.peer.agreementKey)
        } catch {
            logger.error("session not forgotten", metadata: ["reason": "\(error)"])
        }
    }

    // MARK: The phone's own code

    /// Shows a code for a computer to scan, in place of the one before, and waits for the computer while the phone runs.
    public func showCode(options: PairingOptions = PairingOptions()) async throws -> PhonePairing.ShownCode {
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

    /// What becomes of shown codes from now on: ask before the code is made, so that nothing is missed.
    public nonisolated func shownCodeOutcomes() -> AsyncStream<ShownCodeOutcome> {
        outcomes.subscribe()
    }

    // MARK: For commands and screens

    /// - Parameter name: A computer's id or name; nil where only one is paired.
    /// - Throws: ``PhoneError``.
    public func desktop(named name: String?) async throws -> PairedDesktop {
        let all = desktops.all()
        guard !all.isEmpty else { throw PhoneError.nothingPaired }
        guard let name else {
            guard all.count == 1 else { throw PhoneError.severalComputers(all.map(\.deviceName)) }
            return all[0]
        }
        let matches = all.filter { $0.pcPeerID == name || $0.deviceName == name }
        guard matches.count == 1 else {
            throw matches.isEmpty ? PhoneError.unknownComputer(name) : .severalComputers(matches.map(\.pcPeerID))
        }
        return matches[0]
    }

    public func pairedDesktops() -> [PairedDesktop] { desktops.all() }

    /// How a computer is reached now; nil while it is not.
    public func path(to desktopID: String) async -> LinkKind? {
        guard let link = links[desktopID] else { return await clear.path(to: desktopID) }
        guard case .connected(let path) = link.connection.state else { return nil }
        return path
    }

    /// Lets this phone use what it may not use by itself at a computer that cannot seal, or takes it back.
    ///
    /// - Returns: The record now.
    /// - Throws: ``PhoneError/sealed(name:)`` for a computer that seals: what a phone may do there is said there.
    func change(
        _ desktop: PairedDesktop,
        _ change: @escaping @Sendable (Set<Right>) -> Set<Right>
    ) async throws -> PairedDesktop {
        guard !desktop.isEndToEnd else { throw PhoneError.sealed(name: desktop.deviceName) }
        let changed = try await desktops.update(desktop.pcPeerID) { $0.clearRights = change($0.clearRights) }
        guard let changed else { throw PhoneError.unknownComputer(desktop.deviceName) }
        // Before the next command, which may come sooner than the list's change.
        await clear.link(to: changed).update(changed)
        return changed
    }

    /// Calls one method of a paired computer.
    ///
    /// - Throws: ``PhoneError``, `RemoteFailure` when the computer refused, `RemoteError` when no answer came.
    public func call(
        _ method: String,
        _ params: JSONValue,
        on desktop: PairedDesktop,
        timeout: Duration = .seconds(30)
    ) async throws -> JSONValue {
        guard desktop.isEndToEnd else {
            return try await clear.link(to: desktop).invoke(method, params, timeout: timeout)
        }
        let link = try await knownLink(to: desktop)
        do {
            return try await link.invoke(method, params, timeout: timeout)
        } catch RemoteError.notPaired {
            throw PhoneError.notPaired(name: desktop.deviceName)
        } catch RemoteError.notConnected {
            // Its session is closed: because the computer does not know this phone any more, or because the phone ends.
            let isKnown = desktops.record(desktop.pcPeerID) != nil
            throw isKnown ? RemoteError.notConnected : PhoneError.notPaired(name: desktop.deviceName)
        }
    }

    /// The session with a computer, made when the list that opens sessions has not come yet: it is just paired.
    ///
    /// - Throws: ``PhoneError/notPaired(name:)`` for a computer whose record is gone.
    private func knownLink(to desktop: PairedDesktop) async throws -> DesktopLink {
        let link = await link(to: desktop)
        guard desktops.record(desktop.pcPeerID) != nil else { throw PhoneError.notPaired(name: desktop.deviceName) }
        guard let link else { throw RemoteError.notConnected }
        return link
    }

    /// Calls a method now, or as soon as the computer is there: the call is on disk when this returns.
    ///
    /// - Throws: ``OfflineQueueError`` for a method that may not wait.
    public func enqueue(_ method: String, _ params: JSONValue, for desktop: PairedDesktop) async throws -> QueuedCommand
    {
        guard desktop.isEndToEnd else { throw ClearRefusal.cannotWait(computer: desktop.deviceName) }
        return try await queue.enqueue(method, params, for: desktop.pcPeerID, mobileDID: identity.did)
    }

    /// Sends files to a computer and fetches them.
    public func files(of desktop: PairedDesktop) async throws -> FileTransferClient {
        guard desktop.isEndToEnd else { return await clear.link(to: desktop).files() }
        return try await knownLink(to: desktop).files
    }

    /// How a computer is reached, now and after each change; ends when it is forgotten.
    public func paths(to desktop: PairedDesktop) async throws -> AsyncStream<PeerConnectionState> {
        guard desktop.isEndToEnd else { return await clear.link(to: desktop).states() }
        return try await knownLink(to: desktop).connection.states()
    }

    /// What a computer tells from now on. Slow readers miss the oldest; what must be whole is numbered and asked for again.
    public func events(of desktop: PairedDesktop) async throws -> AsyncStream<RemoteEvent> {
        guard desktop.isEndToEnd else { return await clear.link(to: desktop).events.subscribe() }
        guard let link = await link(to: desktop) else { throw RemoteError.notConnected }
        return link.events.subscribe()
    }

    /// Where servers are met, for `status`.
    func servers() async -> [SignalNetwork.Server] { await network.servers() }
}

/// What a device is known by.
public struct DeviceIdentity: Hashable, Sendable {
    public let did: String
    public let deviceID: String
    /// The words of its key, for people to compare.
    public let fingerprint: String
}

/// What became of a code that this phone showed.
public struct ShownCodeOutcome: Sendable {
    public let code: PhonePairing.ShownCode
    public let result: Result<PairedDesktop, any Error>
}
