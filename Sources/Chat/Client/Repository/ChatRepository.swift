import Accounts
public import Chat
import Foundation
public import Kernel
public import Logging
import Storage
import Synchronization

/// One account's conversations on this device: what is kept of them, what the hub says of them, and what waits to be sent. Documented name.
///
/// Everything that comes is in the store before anybody is told of it; what is asked of the hub is asked by one worker, so that a push never waits for
/// an answer. Source: invariants I4 to I7.
public actor ChatRepository {
    /// What the worker has to do.
    struct Due {
        /// Ask `/chat/sync`.
        var needsSync = false
        /// Conversations whose newest page is not here.
        var loads: Set<ConversationID> = []
        /// Conversations whose row of the hub's list is not known, or not any more.
        var elements: Set<ConversationID> = []
        /// Gaps that had time to close by themselves. Source: invariant I4.
        var repairs: Set<ConversationID> = []
        /// How conversations are sealed.
        var seals: Set<ConversationID> = []
        /// Cursors and drafts that the hub was not told.
        var hasUntold = false
        var needsProfiles = false
        var needsPresence = false

        /// Whether there is something that needs the hub.
        var asksHub: Bool {
            needsSync || !loads.isEmpty || !elements.isEmpty || !repairs.isEmpty || hasUntold || needsProfiles
                || needsPresence
        }
    }

    /// For how long one word that the other person types counts.
    static let typingLife = Duration.seconds(6)
    /// For how long names are known before they are asked for anew, in milliseconds: a day.
    static let profileLife: Int64 = 86_400_000

    public let account: ChatAccount
    let server: any ChatServer
    let sealing: any MessageSealing
    let stored: StoredAccount
    let feed: ChatFeed
    let outbox: ChatOutbox
    let ledger: OutboxLedger
    let early = EarlyBook()
    let time: any TimeSource
    let logger: Logger
    let tasks = OwnedTasks()
    private let wake: AsyncStream<Void>.Continuation
    private let wakes: AsyncStream<Void>

    var due = Due()
    /// Messages that were pushed, before which something is missing.
    var pushed: [ConversationID: [Arrival]] = [:]
    /// Conversations whose gap has its time to close by itself.
    private var patience: Set<ConversationID> = []
    var isConnected = false
    private var isOver = false
    /// How often the worker was called, and how many calls it has answered.
    private var calls = 0
    private var answered = 0

    var me: UserID { account.user }
    var now: Int64 { time.date.millisecondsSince1970 }

    /// - Parameters:
    ///   - server: Is followed by ``run()``.
    ///   - sealing: Seals what ``OutgoingPipeline/send(_:)`` is given: a pipeline gets the form that goes to the server and seals nothing but files.
    ///   - pipeline: Uploads and sends.
    ///   - media: Is told when files in the outbox are not needed any more.
    /// - Throws: What is wrong with the database.
    public init(
        of account: ChatAccount,
        in store: ChatStore,
        server: any ChatServer,
        sealing: any MessageSealing = ClearMessages(),
        pipeline: any OutgoingPipeline,
        media: (any ChatMediaDesk)? = nil,
        policy: SendPolicy = SendPolicy(),
        time: any TimeSource = .system,
        logger: Logger
    ) async throws {
        self.account = account
        self.server = server
        self.sealing = sealing
        self.time = time
        self.logger = logger
        let feed = ChatFeed(me: account.user)
        self.feed = feed
        stored = try await store.open(account) { feed.tell($0) }
        let sealed = SealingPipeline(pipeline, sealing: sealing)
        let relay = Relay()
        let tasks = tasks
        ledger = OutboxLedger(
            stored,
            feed: feed,
            pipeline: sealed,
            early: early,
            callbacks: OutboxLedger.Callbacks(
                left: { message in
                    guard case .media(let files) = message.content, let media else { return }
                    tasks.add { await media.release(files, id: message.id, in: message.conversation) }
                },
                sent: { id, hasGap in tasks.add { await relay.repository?.noteSent(in: id, hasGap: hasGap) } },
                progressed: { id in tasks.add { await relay.repository?.noteProgress(id) } },
                late: { tasks.add { await relay.repository?.poke() } }
            )
        )
        let queue = SendQueue(of: account.user, through: sealed, journal: ledger, policy: policy, time: time)
        outbox = ChatOutbox(stored, queue: queue, ledger: ledger)
        (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        relay.repository = self
        feed.setListed(Set(try await stored.read { try $0.list().map(\.record.id) }))
        due.seals = Set(try await stored.read { try $0.conversations().map(\.id) })
    }

    // MARK: Running

    /// Sends what waits, and follows the server until the task is cancelled or the session is over. Called once.
    public func run() async {
        do {
            let (waiting, position) = try await stored.read { (try $0.outbox(), try $0.lastPosition()) }
            outbox.resume(waiting, lastPosition: position)
        } catch {
            logger.error("the outbox cannot be read", metadata: ["reason": "\(error)"])
        }
        poke()
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await self.server.follow { await self.take($0) }
                return true
            }
            group.addTask {
                await self.work()
                return true
            }
            group.addTask {
                for await id in self.sealing.changes() { await self.noteSeal(id) }
                // Sealing that never changes ends at once, and nothing else with it.
                return false
            }
            while let isEnd = await group.next(), !isEnd {}
            group.cancelAll()
        }
        isConnected = false
        feed.setStanding(.away)
    }

    /// Ends all sending and following, and returns once nothing of it runs. What was not sent is sent when the account is signed in again.
    public func end() async {
        isOver = true
        wake.finish()
        await outbox.end()
        await tasks.end()
        await feed.end()
    }

    /// Whether nothing is due, waits or is on its way: what tests wait for.
    var isSettled: Bool {
        answered == calls && tasks.count == 0 && pushed.isEmpty && ledger.ids.allSatisfy(ledger.isFailed)
    }

    /// Tells of each change, for pages that ask again.
    public nonisolated func changes() -> AsyncStream<Void> { feed.changes() }

    /// How the account stands with its hub.
    public nonisolated var standing: ChatControl.Standing.State { feed.standing }

    // MARK: News

    /// Takes one thing that the server tells, in order. It asks the server nothing: the answer may come behind this.
    func take(_ news: ChatServerNews) async {
        switch news {
        case .connected:
            isConnected = true
            feed.setStanding(.connecting)
            due.needsSync = true
            due.needsPresence = true
            due.hasUntold = true
            poke()
        case .resync:
            due.needsSync = true
            poke()
        case .lost, .ended:
            isConnected = false
            feed.setStanding(.away)
        case .messages(let messages): await takePushed(messages)
        case .events(let events): await take(events)
        }
    }

    private func takePushed(_ messages: [MessageData]) async {
        let mapper = IMMessageMapper(me: me)
        var byConversation: [ConversationID: [MessageData]] = [:]
        for data in messages {
            if let id = mapper.conversation(of: data) { byConversation[id, default: []].append(data) }
        }
        for (id, messages) in byConversation {
            let arrivals = await open(messages, in: id)
            await apply(pushed: arrivals, in: id)
        }
    }

    /// Applies what was pushed and what waited for it.
    func apply(pushed arrivals: [Arrival], in id: ConversationID) async {
        let waiting = pushed.removeValue(forKey: id) ?? []
        guard !waiting.isEmpty || !arrivals.isEmpty else { return }
        do {
            let (left, record, isNew) = try await stored.write { [early] transaction in
                let isNew = try transaction.reading.conversation(id)?.oldest == nil
                let left = try transaction.takePushed(waiting + arrivals, in: id, early: early)
                return (left, try transaction.conversation(id), isNew)
            }
            keep(left, in: id)
            if record.oldest == nil { due.loads.insert(id) } else if !left.isEmpty { beginPatience(id) }
            if isNew { noteNew(id) }
            if record.newest > record.receivedTold { due.hasUntold = true }
            poke()
        } catch {
            // They are asked for again.
            keep(waiting, in: id)
            due.needsSync = true
            logger.error("a push was not written down", metadata: ["reason": "\(error)"])
            poke()
        }
    }

    /// Beyond the bound the highest are let go, and pulled later.
    private func keep(_ arrivals: [Arrival], in id: ConversationID) {
        guard !arrivals.isEmpty else { return }
        let all = (pushed[id] ?? []) + arrivals
        pushed[id] = Array(
            all.sorted { $0.data.sequence < $1.data.sequence }.prefix(MessageTimeline.bufferLimit)
        )
    }

    /// A conversation that this device has not seen.
    private func noteNew(_ id: ConversationID) {
        due.elements.insert(id)
        due.seals.insert(id)
        due.needsProfiles = true
        due.needsPresence = true
    }

    private func take(_ events: [ChatEvent]) async {
        for event in events where event.number == nil { await takeLive(event.change) }
        let kept = events.filter { $0.number != nil }
        guard !kept.isEmpty else { return }
        do {
            let isWhole = try await stored.write { [early] in try $0.apply(kept, early: early) }
            if !isWhole { due.needsSync = true }
            for event in kept {
                // The event names no place, so the hub's list tells what it hid.
                if case .requestDeclined(let id) = event.change { due.elements.insert(id) }
                if case .requestAccepted(let id) = event.change { due.elements.insert(id) }
            }
        } catch {
            due.needsSync = true
            logger.error("a change was not written down", metadata: ["reason": "\(error)"])
        }
        poke()
    }

    /// What is told once and not kept.
    private func takeLive(_ change: ChatEvent.Change) async {
        switch change {
        case .typing(let id):
            guard id.peer(of: me) != nil else { return }
            feed.setTyping(id, until: time.now + Self.typingLife)
            tasks.add { [feed, time] in
                guard await time.pause(for: Self.typingLife) else { return }
                feed.endTyping(at: time.now)
            }
        case .presence(let person, let isOnline): await setOnline([person: isOnline])
        case .peerReceived(let id, let place):
            guard id.peer(of: me) != nil else { return }
            await note(id) { $0.peerReceived = max($0.peerReceived, place) }
        default: break
        }
    }

    func setOnline(_ people: [UserID: Bool]) async {
        for (person, isOnline) in people where feed.setOnline(person, isOnline) {
            // Tells the row anew.
            if let id = ConversationID(me, person) { await note(id) { _ in } }
        }
    }

    /// Changes a conversation that is known; what the disk refuses is lost with what the hub tells live only.
    private func note(_ id: ConversationID, _ body: @escaping @Sendable (inout ConversationRecord) -> Void) async {
        do {
            try await stored.write { transaction in
                guard try transaction.reading.conversation(id) != nil else { return }
                try transaction.change(id, body)
            }
        } catch {
            logger.notice("a live change was not written down", metadata: ["reason": "\(error)"])
        }
    }

    // MARK: Opening

    /// Messages as this device reads them. One that is here already stays sealed: the key that opened it may be gone, and the sending device never
    /// had one. None stops the others. Source: rules B14, I5.
    func open(_ messages: [MessageData], in id: ConversationID) async -> [Arrival] {
        var known: Set<MessageKey> = []
        let sealedKeys = messages.compactMap { data -> MessageKey? in
            guard case .sealed = data.payload, let sender = data.sender else { return nil }
            return MessageKey(sender: sender, clientMessageID: data.clientMessageID)
        }
        if !sealedKeys.isEmpty {
            known =
                (try? await stored.read { reading in
                    guard let record = try reading.conversation(id) else { return [] }
                    return Set(
                        try sealedKeys.filter { key in
                            guard let message = try reading.message(key, in: record) else { return false }
                            return message.trouble == nil
                        }
                    )
                }) ?? []  // then they are opened again
        }
        var arrivals: [Arrival] = []
        for data in messages {
            if let sender = data.sender,
                known.contains(MessageKey(sender: sender, clientMessageID: data.clientMessageID))
            {
                arrivals.append(Arrival(known: data))
            } else {
                arrivals.append(Arrival(await sealing.opened(data, in: id)))
            }
        }
        return arrivals
    }

    private func noteSeal(_ id: ConversationID) {
        due.seals.insert(id)
        poke()
    }

    // MARK: The worker

    /// Gives a gap its time to close by itself, then has it asked for. Source: invariant I4.
    func beginPatience(_ id: ConversationID) {
        guard patience.insert(id).inserted else { return }
        tasks.add { [time] in
            let isOver = await time.pause(for: MessageTimeline.patience)
            await self.endPatience(id, isOver: isOver)
        }
    }

    private func endPatience(_ id: ConversationID, isOver: Bool) {
        patience.remove(id)
        guard isOver else { return }
        due.repairs.insert(id)
        poke()
    }

    private func noteSent(in id: ConversationID, hasGap: Bool) async {
        let record = try? await stored.read { try $0.conversation(id) }  // nil: the next sync tells
        if record?.oldest == nil { due.loads.insert(id) } else if hasGap { beginPatience(id) }
        // The first message to somebody is a request until it is answered.
        if record?.newest == 1 { noteNew(id) }
        poke()
    }

    private func noteProgress(_ id: String) async {
        guard let message = ledger.message(id) else { return }
        let found = try? await stored.read { reading -> MessageRecord? in  // shown with the next part
            guard let record = try reading.conversation(message.conversation) else { return nil }
            return try reading.message(id, in: record)
        }
        if let record = found ?? nil { feed.tellProgress(record) }
    }

    /// Has the worker look at what is due.
    func poke() {
        calls += 1
        wake.yield()
    }

    private func work() async {
        var backoff = Backoff(steps: [.seconds(1), .seconds(2), .seconds(5)])
        for await _ in wakes {
            let call = calls
            while !Task.isCancelled, !due.seals.isEmpty || ledger.hasLate || isConnected && due.asksHub {
                do {
                    try await workOnce()
                    backoff.reset()
                } catch is CancellationError {
                    return
                } catch {
                    logger.notice("work for the conversations was put off", metadata: ["reason": "\(error)"])
                    guard await time.pause(for: backoff.next()) else { return }
                }
            }
            await scrub()
            answered = call
        }
    }

    /// Does all that is due, in the order in which it builds on each other.
    private func workOnce() async throws {
        try await ledger.noteLate()
        try await refreshSeals()
        guard isConnected else { return }
        if due.needsSync { try await sync() }
        if !due.loads.isEmpty { try await load() }
        if !due.elements.isEmpty { try await refreshElements() }
        for id in due.repairs { try await repair(id) }
        if due.hasUntold { try await tellUntold() }
        if due.needsProfiles { try await fetchProfiles() }
        if due.needsPresence { await followPresence() }
        if isConnected, !due.needsSync { feed.setStanding(.live) }
    }

    private func refreshSeals() async throws {
        let ids = due.seals
        due.seals = []
        for id in ids {
            let standing = await sealing.standing(of: id)
            let told = try await stored.read { try $0.conversation(id).flatMap($0.devicePlace) }
            let devices = await sealing.deviceChanges(of: id, since: told)
            let now = now
            try await stored.write { transaction in
                guard let record = try transaction.reading.conversation(id) else { return }
                if let devices { try transaction.note(devices, in: record, at: now) }
                guard
                    record.isSealed != standing.isSealed || record.isVerified != standing.isVerified
                        || record.trouble != standing.trouble
                else { return }
                try transaction.change(id) {
                    $0.isSealed = standing.isSealed
                    $0.isVerified = standing.isVerified
                    $0.trouble = standing.trouble
                }
            }
        }
    }

    private func scrub() async {
        do {
            guard try await !stored.store.scrub() else { return }
            // A reader was in the way.
            tasks.add { [time] in
                if await time.pause(for: .seconds(1)) { await self.poke() }
            }
        } catch is CancellationError {
            // At the next start.
        } catch {
            logger.notice("removed words are still in the files", metadata: ["reason": "\(error)"])
        }
    }
}

/// The repository, for what is made before it.
private final class Relay: Sendable {
    private struct Made: Sendable {
        weak var repository: ChatRepository?
    }

    private let made = Mutex(Made())

    var repository: ChatRepository? {
        get { made.withLock(\.repository) }
        set { made.withLock { $0.repository = newValue } }
    }
}
