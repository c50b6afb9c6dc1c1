public import Accounts
public import Chat
import ChatSealing
public import Kernel
public import Logging
public import Sealing

/// The sealed conversations of one account on this device: its own keys and list of devices, what it believes of others', and every message that
/// is sealed or opened. Source: `docs/chat-sealing.md`.
public actor SealedMessages {
    /// How long what the hub told of keys is taken, unless it tells of a change.
    static let freshness = Duration.seconds(600)
    /// Between two looks at the own keys.
    private static let look = Duration.seconds(3600)

    let me: UserID
    let identity: Identity
    let deviceName: String
    let rows: SealingRows
    let server: any ChatServer
    /// The devices that are signed in to the account, as its hub says.
    let accountDevices: @Sendable () async throws -> [AccountDevice]
    let time: any TimeSource
    let logger: Logger
    nonisolated let changed = Broadcaster<ConversationID>(capacity: 64)
    /// Told after the own list or keys may have changed, and when the hub is reached again.
    private nonisolated let own = Broadcaster<Void>(capacity: 1)
    private let tasks = OwnedTasks()

    private var contacts: [UserID: SealingContact] = [:]
    /// When the hub was asked last for a person's list, and what keys it had.
    private var asked: [UserID: ContinuousClock.Instant] = [:]
    private var bundles: [UserID: (bundles: [KeyBundle], at: ContinuousClock.Instant)] = [:]
    private var keys: [KeptKey]?
    /// Everything that was sent until then, by the hub's clock, was fetched; 0 while that is not known.
    private var fetchedUpTo: Int64 = 0
    private var aligning: Task<Void, Never>?

    /// - Parameters:
    ///   - deviceName: How this device stands in the list; longer names are cut.
    ///   - devices: Of the account, as its hub says: candidates for the list, nothing that is believed.
    /// - Throws: What is wrong with the database.
    public init(
        of account: ChatAccount,
        in store: ChatKeyStore,
        identity: Identity,
        deviceName: String,
        server: any ChatServer,
        devices: @escaping @Sendable () async throws -> [AccountDevice],
        time: any TimeSource = .system,
        logger: Logger
    ) async throws {
        me = account.user
        self.identity = identity
        self.deviceName = Self.listed(deviceName)
        rows = try await store.open(account)
        self.server = server
        accountDevices = devices
        self.time = time
        self.logger = logger
    }

    /// A name as lists have it: without control characters, at most 64 bytes.
    static func listed(_ name: String) -> String {
        var short = ""
        for scalar in name.unicodeScalars where scalar.properties.generalCategory != .control {
            guard short.utf8.count + String(scalar).utf8.count <= ListedDevice.nameLimit else { break }
            short.unicodeScalars.append(scalar)
        }
        return short.isEmpty ? "device" : short
    }

    /// Keeps the own keys as they have to be, until the task is cancelled.
    public func run() async {
        repeat { await align() } while await time.pause(for: Self.look)
    }

    /// Returns once nothing runs any more.
    public func end() async {
        await tasks.end()
        aligning?.cancel()
        await aligning?.value
        changed.finish()
        own.finish()
    }

    public nonisolated func changes() -> AsyncStream<ConversationID> { changed.subscribe() }

    /// Tells when something of the account's own devices may have changed, once this device has looked at its list and keys.
    nonisolated func ownNews() -> AsyncStream<Void> { own.subscribe() }

    var now: Int64 { time.date.millisecondsSince1970 }

    /// Everything that was sent until `time`, by the hub's clock, is on this device. Old private keys are deleted by it.
    public func fetchedEverything(upTo time: Int64) async { fetchedUpTo = max(fetchedUpTo, time) }

    /// What the hub tells beside messages.
    func note(_ news: ChatServerNews) {
        switch news {
        case .connected:
            // Changes of keys are told live only.
            (asked, bundles) = ([:], [:])
            tasks.add { [weak self] in await self?.alignAndTell() }
        case .events(let events):
            for event in events {
                guard case .keysChanged(let person) = event.change else { continue }
                noteKeysChanged(of: person)
            }
        case .resync: (asked, bundles) = ([:], [:])
        case .messages, .lost, .ended: break
        }
    }

    private func noteKeysChanged(of person: UserID) {
        (asked[person], bundles[person]) = (nil, nil)
        tasks.add { [weak self] in
            guard let self else { return }
            if person == me { return await alignAndTell() }
            // Without the hub it is asked for before the next message.
            _ = try? await current(person)
        }
    }

    private func alignAndTell() async {
        await align()
        own.send(())
    }

    // MARK: What is believed

    func contact(_ person: UserID) async throws -> SealingContact {
        if let contact = contacts[person] { return contact }
        let loaded = try await rows.contact(person)
        if let contact = contacts[person] { return contact }
        contacts[person] = loaded
        return loaded
    }

    /// Changes what is kept of a person; it is on disk when this returns.
    @discardableResult
    func change(_ person: UserID, _ body: @Sendable (inout SealingContact) -> Void) async throws -> SealingContact {
        _ = try await contact(person)
        guard var contact = contacts[person] else { throw ChatError.noAccount }
        let before = contact
        body(&contact)
        contacts[person] = contact
        try await rows.save(contact)
        if before.trouble != contact.trouble || before.isVerified != contact.isVerified
            || before.chain?.newest.hash != contact.chain?.newest.hash || before.hasSealed != contact.hasSealed
        {
            tell(of: person)
        }
        return contact
    }

    private func tell(of person: UserID) {
        if person == me {
            for peer in contacts.keys { tellOne(peer) }
        } else {
            tellOne(person)
        }
    }

    private func tellOne(_ person: UserID) {
        if let conversation = ConversationID(me, person) { changed.send(conversation) }
    }

    /// What is known of a person, after the hub was asked where that is due.
    ///
    /// - Throws: `ChatError` where the hub is not reached.
    func current(_ person: UserID) async throws -> SealingContact {
        if let last = asked[person], time.now - last < Self.freshness { return try await contact(person) }
        return try await refreshed(person)
    }

    /// As ``current(_:)``, always by asking.
    @discardableResult
    func refreshed(_ person: UserID) async throws -> SealingContact {
        let began = time.now
        let offer = try await ChainFetch(server).offer(of: person, known: contact(person).chain)
        let contact = try await believe(offer, of: person)
        // Who has no list is asked for again with the next message: a change of a stranger's is told to nobody.
        asked[person] = contact.chain == nil ? nil : began
        return contact
    }

    /// Believes what a person's device signed, and notes what does not hold.
    @discardableResult
    func believe(_ offer: ChainOffer, of person: UserID) async throws -> SealingContact {
        try await change(person) { $0.take(offer) }
    }

    /// The chat keys of people's devices, as far as their signatures go; their lists say which devices are meant.
    func keyBundles(of people: [UserID]) async throws -> [KeyBundle] {
        let stale = people.filter { person in
            bundles[person].map { time.now - $0.at >= Self.freshness } ?? true
        }
        if !stale.isEmpty {
            let began = time.now
            let answer = try await server.ask(ChatEndpoints.chatKeys, ChatKeysRequest(stale))
            for person in stale {
                let found = answer.bundles[person, default: []].compactMap { try? KeyBundle($0) }
                // None is asked for again.
                bundles[person] = found.isEmpty ? nil : (found, began)
            }
        }
        return people.flatMap { bundles[$0]?.bundles ?? [] }
    }

    /// Takes nothing that was told of these people's keys for new.
    func forgetWhatWasTold(of people: [UserID]) {
        for person in people { (asked[person], bundles[person]) = (nil, nil) }
    }

    // MARK: Own keys

    func ownKeys() async throws -> [KeptKey] {
        if let keys { return keys }
        let loaded = try await rows.keys()
        keys = loaded
        return loaded
    }

    func forgetOwnKeys() { keys = nil }

    /// Brings the own list and keys to where they have to be. What fails for want of a hub is tried again later.
    func align() async {
        if let aligning { return await aligning.value }
        let task = Task {
            do {
                try await alignList()
                try await alignKeys()
            } catch {
                logger.debug("chat keys wait", metadata: ["reason": "\(error)"])
            }
        }
        aligning = task
        await task.value
        aligning = nil
    }

    private func alignKeys() async throws {
        try await rows.removeSent(before: now - ChatKeyLife.overlap)
        // A device that waits to be added shows its key, too: so the others know that it waits.
        let own = try await contact(me)
        if own.trouble == nil, let chain = own.chain { try await renewKey(chain) }
        let over = try await ownKeys().filter { key in
            ChatKeyLife.isOver(made: key.pair.made, succeeded: key.succeeded, fetched: fetchedUpTo, at: now)
        }
        guard !over.isEmpty else { return }
        try await rows.deleteSecrets(over.map(\.pair.id))
        forgetOwnKeys()
    }

    /// Publishes a key where the newest one is due, was not published, or is older than the removal of a device.
    private func renewKey(_ chain: AccountChain) async throws {
        let newest = try await ownKeys().first
        let removal = chain.entries.last { $0.reason == .removed }?.number ?? -1
        var pair = newest?.pair
        if ChatKeyLife.isDue(newest: newest?.pair.made, at: now) || (newest?.list ?? -1) < removal {
            let made = try ChatKeyPair(madeAt: now)
            try await rows.add(made, list: chain.newest.number)
            pair = made
        } else if newest?.isPublished == true {
            return
        }
        guard let pair else { return }
        let bundle = try pair.bundle(signedBy: identity)
        _ = try await server.ask(ChatEndpoints.publishChatKey, PublishChatKey(of: me, bundle.json))
        try await rows.published(pair.id, at: now)
        forgetOwnKeys()
    }

    /// Has the newest key published again, with the next look at the keys: the hub deleted it.
    func publishAgain() async throws {
        guard let newest = try await ownKeys().first else { return }
        try await rows.unpublish(newest.pair.id)
        forgetOwnKeys()
    }
}
