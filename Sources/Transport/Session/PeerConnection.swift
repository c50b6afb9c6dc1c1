import Foundation
public import Kernel
public import Logging
public import Sealing
import Synchronization

/// One sealed session with one paired device, and messages in both directions that arrive in order and once,
/// whichever of its links carry them and however often those fail.
///
/// A thin shell: ``SessionEngine`` decides everything; this actor moves frames, time and what is on disk.
/// ``close()`` ends it and everything it started.
public actor PeerConnection {
    /// The paired device at the other end.
    public nonisolated let peer: SessionPeer
    /// Which end begins handshakes: the initiator is the phone.
    public nonisolated let role: NoiseHandshake.Role

    let store: any SessionStore
    let time: any TimeSource
    let logger: Logger
    var engine: SessionEngine
    var links: [LinkID: ConnectedLink] = [:]
    var nextLink: UInt64 = 0
    var sources: [LinkSourceID: Task<Void, Never>] = [:]
    var nextSource: UInt64 = 0
    private let isAnswerAwaited = Atomic(false)

    // One sender at a time has the turn, so that durable messages get their numbers in the order in which they were given.
    private var isSending = false
    private let senders = FIFOWaiters()
    private let room = FIFOWaiters()
    private let readers = FIFOWaiters()
    private var taken: PeerMessage?
    private let restarts = Broadcaster<Void>(capacity: 1)
    private let latestState = LatestValue(PeerConnectionState.notConnected, capacity: 16)

    var handshake: Task<Void, Never>?
    var isTicketRefused = false
    var bookkeeping: Task<Void, Never>?
    var ticketToSave: ResumptionTicket?
    var durableToRemove: UInt64 = 0
    private var timer: Task<Void, Never>?
    private var timerDeadline: ContinuousClock.Instant?

    /// Reads what an earlier process left, and is then ready for links.
    ///
    /// - Parameters:
    ///   - role: The phone is the initiator. Responders are made by a ``SessionListener``.
    ///   - sources: Where links come from, tried all at once.
    /// - Throws: What the store throws.
    public init(
        identity: Identity,
        peer: SessionPeer,
        role: NoiseHandshake.Role = .initiator,
        store: any SessionStore,
        sources: [any LinkSource] = [],
        timing: SessionTiming = SessionTiming(),
        time: any TimeSource = .system,
        logger: Logger
    ) async throws {
        self.peer = peer
        self.role = role
        self.store = store
        self.time = time
        self.logger = logger
        engine = SessionEngine(
            identity: identity,
            peer: peer,
            role: role,
            outbound: try await store.outbound(to: peer.agreementKey),
            inboundCursor: try await store.inboundCursor(from: peer.agreementKey),
            timing: timing
        )
        for source in sources { add(source) }
    }

    /// The secret of which the keys of bulk connections beside the session that is used now are made; nil without a session.
    package var bulkSecret: BulkSecret? { engine.current?.bulkSecret }

    /// Whether the peer is reached now, and over which kind of link.
    public nonisolated var state: PeerConnectionState { latestState.value }

    /// The state now, and every later one; a slow reader misses those in between.
    public nonisolated func states() -> AsyncStream<PeerConnectionState> { latestState.values() }

    /// Each time the peer came back as another process, which knows nothing of what the one before had taken and not answered.
    public nonisolated func peerRestarts() -> AsyncStream<Void> { restarts.subscribe() }

    /// Says whether something that was sent is to be answered by a message. While it is, the link in use is asked whether it works, so that
    /// an answer that was lost in a dead one is not waited for.
    public nonisolated func awaitAnswers(_ isAwaited: Bool) { isAnswerAwaited.store(isAwaited, ordering: .relaxed) }

    /// Shakes hands anew, for messages that count from one: a peer that is paired again may have forgotten this device meanwhile. With
    /// one that did not, everything that is under way goes on.
    ///
    /// - Returns: False for a connection that is over, which stays so.
    /// - Throws: What the store throws.
    package func startOver() async throws -> Bool {
        guard isUsable else { return false }
        engine.startOver()
        if let taken { self.taken = PeerMessage(bytes: taken.bytes, durable: nil) }
        ticketToSave = nil
        defer { settle() }
        try await store.startOver(with: peer.agreementKey)
        return isUsable
    }

    private var isUsable: Bool {
        switch engine.state {
        case .closed, .refused: false
        case .notConnected, .connecting, .connected: true
        }
    }

    /// The machine slept, or the process was stopped: asks every link at once whether it still works.
    public func resume() {
        engine.resume(now: time.now)
        settle()
    }

    // MARK: Messages

    /// Hands over one message, waiting while too much is not acknowledged. It is sent once the peer can be reached,
    /// however long that takes.
    ///
    /// - Parameters:
    ///   - durable: Written to disk before this returns, and sent again by the next process if need be.
    ///   - isBulk: Part of something large, such as a file: messages that are not overtake it, among themselves both keep their order.
    /// - Throws: ``SessionError``, what the store throws, `CancellationError`.
    public func send(_ message: [UInt8], durable: Bool = false, isBulk: Bool = false) async throws {
        guard message.count <= SessionBody.maximumMessageBytes else {
            throw SessionError.messageTooLong(bytes: message.count, limit: SessionBody.maximumMessageBytes)
        }
        try await inTurn(needing: message.count) {
            let number = durable ? try await store.appendOutbound(message, to: peer.agreementKey) : 0
            // Closed meanwhile: what is durable is on disk and goes out with the next process.
            engine.send(message, durable: number, isBulk: isBulk, now: time.now)
            settle()
        }
    }

    /// Sends the oldest message that is kept on disk for the peer, once there is room for it. From then on it is a durable message.
    ///
    /// - Parameter milliseconds: The time since 1970, for the age of what is kept.
    /// - Returns: Whether there was one.
    /// - Throws: As ``send(_:durable:isBulk:)``.
    package func sendKept(at milliseconds: Int64, bounds: KeptBounds) async throws -> Bool {
        try await inTurn(needing: bounds.messageBytes) {
            guard let message = try await store.moveKept(to: peer.agreementKey, at: milliseconds, bounds: bounds) else {
                return false
            }
            // Closed meanwhile: it is in the outbox on disk and goes out with the next process.
            engine.send(message.bytes, durable: message.number, now: time.now)
            settle()
            return true
        }
    }

    /// Runs `body` when those before it have sent and there is room for `count` bytes.
    private func inTurn<Value>(needing count: Int, _ body: () async throws -> Value) async throws -> Value {
        try checkUsable()
        if isSending {
            try await senders.wait(at: senders.join())
        } else {
            isSending = true
        }
        defer { if !senders.wakeFirst() { isSending = false } }
        try checkUsable()
        while !inPlace({ $0.hasRoom(for: count) }) {
            try await room.wait(at: room.join())
            try checkUsable()
        }
        return try await body()
    }

    /// Hands over one message after which nothing matters any more, and returns when the peer has it, or left on reading it.
    ///
    /// - Parameter limit: For the wait for room, too: a peer that acknowledges nothing makes none.
    /// - Throws: ``SessionError/notConnected`` at once when the peer cannot be reached now, ``SessionError/linkDown`` when it
    ///   does not acknowledge within `limit`, and what ``send(_:durable:)`` throws.
    public func sendLast(_ message: [UInt8], within limit: Duration = .seconds(2)) async throws {
        guard case .connected = engine.state else { throw SessionError.notConnected }
        try await withTimeout(limit, on: time, throwing: SessionError.linkDown) {
            try await self.send(message)
            try await self.untilAcknowledged()
        }
    }

    private func untilAcknowledged() async throws {
        while inPlace({ !$0.outbox.isEmpty }), case .connected = engine.state {
            try await room.wait(at: room.join())
            try checkUsable()
        }
    }

    private func checkUsable() throws {
        try Task.checkCancellation()
        switch engine.state {
        case .closed: throw SessionError.closed
        case .refused(.notPaired): throw SessionError.notPaired
        case .notConnected, .connecting, .connected: break
        }
    }

    /// The peer's messages in order, each once, for one reader. One is acknowledged for good when the next is asked for.
    public nonisolated func messages() -> PeerMessages { PeerMessages(connection: self) }

    func nextMessage() async -> PeerMessage? {
        if let taken {
            self.taken = nil
            if let durable = taken.durable { await saveCursor(durable) }
            engine.finishMessage(now: time.now)
            settle()
        }
        while engine.state != .closed {
            if let message = engine.takeMessage() {
                taken = message
                return message
            }
            do {
                try await readers.wait(at: readers.join())
            } catch {
                return nil  // cancelled or closed: the sequence ends either way
            }
        }
        return nil
    }

    private func saveCursor(_ durable: UInt64) async {
        do {
            try await store.advanceInboundCursor(to: durable, from: peer.agreementKey)
        } catch {
            // Going on is safe: once the peer has the acknowledgement it will not send the message again.
            logger.error("session cursor not saved", metadata: ["error": "\(error)"])
        }
    }

    // MARK: The end

    /// Tells the peer, closes every link and ends every wait. What is durable and not acknowledged stays on disk.
    public func close() async {
        guard engine.state != .closed else { return }
        let farewell = engine.close(now: time.now)
        settle()
        latestState.finish()
        restarts.finish()
        for line in [senders, room, readers] { line.end(throwing: SessionError.closed) }
        for source in sources.values { source.cancel() }
        timer?.cancel()
        handshake?.cancel()
        let open = links
        links = [:]
        if let (id, frame) = farewell, let link = open[id]?.link {
            do {
                try await withTimeout(.seconds(1), on: time, throwing: SessionError.linkDown) {
                    try await link.send(frame)
                }
            } catch {
                logger.debug("no good-bye", metadata: ["error": "\(error)"])
            }
        }
        for link in open.values { await link.end() }
        for source in sources.values { await source.value }
        await handshake?.value
        await bookkeeping?.value
    }

    // MARK: After every step of the engine

    /// Carries out what the engine decided, and lets waiting callers go on.
    func settle() {
        let now = time.now
        inPlace { $0.setAnswerAwaited(isAnswerAwaited.load(ordering: .relaxed), now: now) }
        engine.tick(now: now)
        for event in engine.takeEvents() { handle(event) }
        prepareHandshakeIfWanted(now: now)
        for (id, link) in links where inPlace({ $0.hasFrame(on: id, now: now) }) { link.wake() }
        setTimer(now: now)
    }

    private func handle(_ event: SessionEvent) {
        switch event {
        case .stateChanged(let state):
            logger.debug("session state", metadata: ["state": "\(state)"])
            latestState.set(state)
            // Callers that wait for room, or for an acknowledgement, look at the state again.
            room.wakeAll()
        case .established(let ticket):
            isTicketRefused = false
            ticketToSave = ticket
            keepBooks()
        case .ticketRefused:
            isTicketRefused = true
        case .peerRestarted: restarts.send(())
        case .linkUnanswered(let id): links[id]?.link.doubt()
        case .messageArrived:
            readers.wakeAll()
        case .roomMade:
            room.wakeAll()
        case .durableArrived(let number):
            durableToRemove = max(durableToRemove, number)
            keepBooks()
        }
    }

    /// Asks the engine without copying it, which a call that changes nothing would do: an actor's property may change meanwhile, for all
    /// that the compiler knows.
    func inPlace<Answer>(_ ask: (inout SessionEngine) -> Answer) -> Answer { ask(&engine) }

    func setTimer(now: ContinuousClock.Instant) {
        guard let deadline = inPlace({ $0.nextDeadline(after: now) }) else {
            timer?.cancel()
            timer = nil
            timerDeadline = nil
            return
        }
        // A timer that rings too early only looks again.
        if let timerDeadline, timerDeadline <= deadline, timerDeadline > now { return }
        timer?.cancel()
        timerDeadline = deadline
        timer = Task { [weak self, time] in
            guard await time.pause(until: deadline) else { return }  // cancelled: another is set
            await self?.timerRang(deadline)
        }
    }

    private func timerRang(_ deadline: ContinuousClock.Instant) {
        guard timerDeadline == deadline else { return }
        timerDeadline = nil
        settle()
    }
}
