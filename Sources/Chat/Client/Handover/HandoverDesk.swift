import Accounts
import Chat
import ChatSealing
import Kernel
import Logging
import Sealing

/// Hands what this device read of sealed conversations to other devices of the account, and takes it from them. Each step is on disk before the next
/// begins, so both go on where they were cut. Source: `docs/chat-sealing.md`, "Handing history over".
actor HandoverDesk {
    /// Between tries while the hub is not reached.
    private static let waits = Backoff(steps: [.seconds(2), .seconds(10), .seconds(60), .seconds(300)])
    /// Milliseconds for which a device's screen says that it has taken a history.
    private static let remembrance: Int64 = 86_400_000

    let me: UserID
    let identity: Identity
    let repository: ChatRepository
    let sealing: SealedMessages
    let server: any ChatServer
    let objects: HandoverObjects
    let time: any TimeSource
    let logger: Logger
    /// Told after each step.
    nonisolated let changed = Broadcaster<Void>(capacity: 1)
    private let wake: AsyncStream<Void>.Continuation
    private let wakes: AsyncStream<Void>
    /// Why handing over to a device, or taking, stands still; until the next try.
    private var failures: [DID: any Error] = [:]
    private var takingFailure: (any Error)?
    /// Offers that do not hold, by their ids: they are not fetched again.
    private var refused: Set<[UInt8]> = []

    init(
        of me: UserID,
        identity: Identity,
        repository: ChatRepository,
        sealing: SealedMessages,
        server: any ChatServer,
        objects: HandoverObjects,
        time: any TimeSource,
        logger: Logger
    ) {
        self.me = me
        self.identity = identity
        self.repository = repository
        self.sealing = sealing
        self.server = server
        self.objects = objects
        self.time = time
        self.logger = logger
        (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    var now: Int64 { time.date.millisecondsSince1970 }

    // MARK: Running

    /// Goes on with what was begun, and follows the account's devices, until the task is cancelled.
    func run() async {
        let news = sealing.ownNews()
        wake.yield()
        await withDiscardingTaskGroup { group in
            group.addTask { [wake] in
                for await _ in news { wake.yield() }
                wake.finish()
            }
            group.addTask { await self.work() }
        }
    }

    /// Lets go of who follows.
    nonisolated func end() {
        wake.finish()
        changed.finish()
    }

    private func work() async {
        var backoff = Self.waits
        for await _ in wakes {
            while await !workOnce() {
                guard await time.pause(for: backoff.next()) else { return }
            }
            backoff.reset()
        }
    }

    /// - Returns: False where it is to be tried again soon.
    private func workOnce() async -> Bool {
        do {
            let offers = try await offers()
            try await settle(offers)
            let hasTaken = await take(offers.filter { $0.receiver == identity.did })
            let hasOffered = try await offerAll()
            return hasTaken && hasOffered
        } catch {
            logger.debug("history waits", metadata: ["reason": "\(error)"])
            return !Self.isSoonOver(error)
        }
    }

    /// Whether trying again a little later may help, without anything else that changes.
    static func isSoonOver(_ error: any Error) -> Bool {
        switch error as? ChatError {
        case .refused(.tooManyRequests, _): true
        case let error?: error.isTransport
        case nil: false
        }
    }

    /// The offers at the hub. What is none is passed over: it is a later version's, or a lie.
    private func offers() async throws -> [HandoverOffer] {
        let answer: Handovers
        do throws(ChatError) {
            answer = try await server.ask(ChatEndpoints.handovers, HandoversRequest(of: me))
        } catch {
            // A hub of before.
            guard error == .noChat else { throw error }
            return []
        }
        return answer.offers.compactMap { try? HandoverOffer($0) }.filter { $0.user == me }
    }

    /// Notes what became of the own offers, and of one that was being taken.
    private func settle(_ offers: [HandoverOffer]) async throws {
        let ids = Set(offers.map(\.id))
        if let taking = try await repository.newestTaking(), !taking.isDone, !ids.contains(taking.offer) {
            // It is over, or was replaced. What came of it stays.
            try await repository.end(taking: taking.offer)
        }
        if !offers.contains(where: { $0.receiver == identity.did }) { takingFailure = nil }
        for var offering in try await repository.offerings() {
            guard try await sealing.isListed(offering.device) else {
                try await repository.end(offeringTo: offering.device)
                continue
            }
            guard offering.stage == .offered, !ids.contains(offering.offer) else { continue }
            offering.stage = now - offering.began >= HandoverOffer.lifetime ? .lapsed : .taken
            try await repository.save(offering)
            changed.send(())
        }
    }

    // MARK: What the person asks

    /// Begins to hand this device's history to another one of the list; one that is under way goes on.
    ///
    /// - Throws: `ChatError`: `notThatDevice`, `deviceNotAdded`, `nothingToHandOver`; `ChatSealingError/keyNotInUse`.
    func handOver(to text: String) async throws {
        guard let device = try? DID(text) else { throw ChatError.notThatDevice }
        // Says at once what could not be done.
        _ = try await sealing.handoverTarget(device)
        guard try await begin(to: device) else { throw ChatError.nothingToHandOver }
    }

    /// As ``handOver(to:)``, of a device that was added to the list just now: what stands in the way is told with its progress.
    func handOver(toAdded text: String) async throws {
        guard let device = try? DID(text) else { throw ChatError.notThatDevice }
        _ = try await begin(to: device)
    }

    /// - Returns: False where there is nothing to hand over.
    private func begin(to device: DID) async throws -> Bool {
        let count = try await repository.countForHandover()
        guard count > 0 else { return false }
        let known = try await repository.offerings().first { $0.device == device }
        if known?.stage != .making {
            try await repository.begin(
                OfferingRecord(to: device, RandomBytes.make(HandoverOffer.idCount), messages: count, at: now)
            )
        }
        failures[device] = nil
        changed.send(())
        wake.yield()
        return true
    }

    /// What is said of each device, by its key: of others what they get from this one, of this one what it takes.
    func progress() async throws -> [String: ChatControl.Handover] {
        var all: [String: ChatControl.Handover] = [:]
        for offering in try await repository.offerings() {
            let done = try await repository.offeredPages(to: offering.device).reduce(0) { $0 + $1.count }
            all[offering.device.text] = ChatControl.Handover(
                stage: .init(offering.stage),
                done: offering.stage == .making ? done : offering.messages,
                messages: offering.messages,
                isCut: offering.messages > HandoverIndex.messageLimit,
                failure: failures[offering.device].map { "\($0)" }
            )
        }
        let taking = try await repository.newestTaking()
        if let taking, !taking.isDone || now - taking.began < Self.remembrance {
            all[identity.did.text] = ChatControl.Handover(
                stage: taking.isDone ? .done : .taking,
                done: taking.taken,
                messages: taking.messages,
                isCut: taking.isCut,
                failure: taking.isDone ? nil : takingFailure.map { "\($0)" }
            )
        } else if let takingFailure {
            all[identity.did.text] = ChatControl.Handover(
                stage: .taking,
                done: 0,
                messages: 0,
                isCut: false,
                failure: "\(takingFailure)"
            )
        }
        return all
    }

    // MARK: Handing over

    /// - Returns: False where one is to be tried again soon.
    private func offerAll() async throws -> Bool {
        var isDone = true
        for offering in try await repository.offerings() where offering.stage == .making {
            do {
                try await offer(offering)
                failures[offering.device] = nil
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                failures[offering.device] = error
                logger.notice("history is not handed over", metadata: ["reason": "\(error)"])
                if Self.isSoonOver(error) { isDone = false }
            }
            changed.send(())
        }
        return isDone
    }

    private func offer(_ begun: OfferingRecord) async throws {
        var offering = begun
        // What was uploaded may be gone from the hub by now.
        if now - begun.began >= OfferingRecord.patience { offering = try await beginAnew(begun) }
        let (pages, isCut) = try await uploadPages(of: &offering)
        guard !pages.isEmpty else {
            // Nothing but view-once pictures.
            try await repository.end(offeringTo: offering.device)
            return
        }
        let index = HandoverIndex(pages, isCut: isCut)
        let sealed = try await objects.put(index.json.canonicalBytes)
        let target = try await sealing.handoverTarget(offering.device)
        let offer = try HandoverOffer.make(
            offering.offer,
            list: target.list,
            for: target.bundle,
            index: sealed.part,
            key: sealed.key,
            from: identity,
            at: now
        )
        let keys = [sealed.part.object] + pages.map(\.part.object)
        do throws(ChatError) {
            _ = try await server.ask(
                ChatEndpoints.offerHandover,
                OfferHandover(of: me, offer.json, objects: keys)
            )
        } catch {
            guard case .refused(.notFound, _) = error else { throw error }
            // The hub let go of a page: the next try begins anew.
            _ = try await beginAnew(offering)
            throw ChatError.unreachable
        }
        offering.stage = .offered
        offering.messages = index.messages
        offering.began = now
        try await repository.save(offering)
        logger.notice("history offered", metadata: ["messages": "\(index.messages)"])
    }

    private func beginAnew(_ offering: OfferingRecord) async throws -> OfferingRecord {
        let new = OfferingRecord(
            to: offering.device,
            RandomBytes.make(HandoverOffer.idCount),
            messages: try await repository.countForHandover(),
            at: now
        )
        try await repository.begin(new)
        return new
    }

    /// Uploads the pages that are missing.
    ///
    /// - Returns: All pages, and whether older messages had no room.
    private func uploadPages(of offering: inout OfferingRecord) async throws -> ([HandoverIndex.Page], isCut: Bool) {
        var pages = try await repository.offeredPages(to: offering.device)
        var (size, count) = (pages.reduce(0) { $0 + $1.part.size }, pages.reduce(0) { $0 + $1.count })
        while true {
            try Task.checkCancellation()
            let found = try await repository.messagesForHandover(behind: offering.place)
            guard let last = found.last?.place else { return (pages, false) }
            var messages: [(message: HandoverPage.Message, place: OfferingRecord.Place)] = []
            for (record, place) in found {
                if let message = try await sealing.handed(record) { messages.append((message, place)) }
            }
            guard let page = HandoverPage(packing: messages.lazy.map(\.message)) else {
                // Nothing of these is handed over.
                offering.place = last
                try await repository.save(offering)
                continue
            }
            let text = page.json.canonicalBytes
            (size, count) = (size + text.count, count + page.messages.count)
            guard pages.count < HandoverIndex.pageLimit, count <= HandoverIndex.messageLimit,
                size <= HandoverIndex.sizeLimit
            else { return (pages, true) }
            let sealed = try await objects.put(text)
            let listed = HandoverIndex.Page(sealed.part, key: sealed.key, count: page.messages.count)
            offering.place =
                page.messages.count == messages.count ? last : messages[page.messages.count - 1].place
            try await repository.note(listed, number: pages.count, of: offering)
            pages.append(listed)
            changed.send(())
        }
    }

    // MARK: Taking

    /// - Returns: False where one is to be tried again soon.
    private func take(_ offers: [HandoverOffer]) async -> Bool {
        var isDone = true
        for offer in offers where !refused.contains(offer.id) {
            do {
                try await take(offer)
                takingFailure = nil
            } catch is CancellationError {
                return true
            } catch is ChatSealingError {
                refused.insert(offer.id)
                takingFailure = ChatError.handoverUnreadable
                logger.notice("an offer of history does not hold")
            } catch {
                takingFailure = error
                logger.notice("history is not taken", metadata: ["reason": "\(error)"])
                if Self.isSoonOver(error) { isDone = false }
            }
            changed.send(())
        }
        return isDone
    }

    /// - Throws: `ChatSealingError` for an offer that does not hold, `ChatError` where the hub is not reached.
    private func take(_ offer: HandoverOffer) async throws {
        let known = try await repository.taking(offer.id)
        if known?.isDone != true {
            let key = try await sealing.handoverKey(of: offer)
            let index = try HandoverIndex(try await objects.get(offer.index, key: key))
            guard let taking = try await repository.begin(taking: offer.id, index) else { return }
            guard taking.pages == index.pages.count, taking.messages == index.messages else {
                throw ChatSealingError.otherFile
            }
            changed.send(())
            for number in taking.next..<index.pages.count {
                try Task.checkCancellation()
                try await take(index.pages[number], number: number, of: offer.id)
                changed.send(())
            }
            logger.notice("history taken", metadata: ["messages": "\(index.messages)"])
        }
        _ = try await server.ask(ChatEndpoints.endHandover, EndHandover(of: me, offer.id))
    }

    private func take(_ listed: HandoverIndex.Page, number: Int, of offer: [UInt8]) async throws {
        let page = try HandoverPage(try await objects.get(listed.part, key: listed.key))
        guard page.messages.count == listed.count else { throw ChatSealingError.wrongLength }
        // First what opens the files: a message that is shown can be looked at.
        try await sealing.keepFiles(of: page)
        try await repository.take(page, number: number, of: offer)
    }
}
