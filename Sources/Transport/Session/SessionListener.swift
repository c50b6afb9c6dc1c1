public import Kernel
public import Logging
public import Sealing

/// The responder for many peers: takes links from anywhere, learns from the first handshake who is at the other end,
/// answers strangers that they are not paired, and hands out one ``PeerConnection`` for each paired device.
public actor SessionListener {
    /// Handshakes cost four agreements each: so many at once and a second are answered on one link.
    private static let handshakeBurst = 8.0
    private static let handshakesPerSecond = 2.0
    private static let noticeInterval = Duration.seconds(1)

    private let identity: Identity
    private let store: any SessionStore
    private let authorizer: any PeerAuthorizer
    private let timing: SessionTiming
    private let time: any TimeSource
    private let logger: Logger
    private let epoch = Epoch.random()
    private var connections: [AgreementPublicKey: PeerConnection] = [:]
    private var opening: [AgreementPublicKey: Task<PeerConnection, any Error>] = [:]
    private var links: [UInt64: Task<Void, Never>] = [:]
    private var sources: [Task<Void, Never>] = []
    private var nextLink: UInt64 = 0
    private var isClosed = false
    private let news = Broadcaster<PeerConnection>(capacity: 64)

    public init(
        identity: Identity,
        store: any SessionStore,
        authorizer: any PeerAuthorizer,
        timing: SessionTiming = SessionTiming(),
        time: any TimeSource = .system,
        logger: Logger
    ) {
        self.identity = identity
        self.store = store
        self.authorizer = authorizer
        self.timing = timing
        self.time = time
        self.logger = logger
    }

    /// Connections that are made from now on. Each lives until it, or the listener, is closed.
    public nonisolated func newConnections() -> AsyncStream<PeerConnection> { news.subscribe() }

    /// The connection to a paired device, made when there is none yet: what is sent on it waits for the device.
    public func connection(to peer: SessionPeer) async throws -> PeerConnection {
        guard !isClosed else { throw SessionError.closed }
        if let connection = connections[peer.agreementKey] { return connection }
        if let task = opening[peer.agreementKey] { return try await task.value }
        let task = Task { [identity, store, timing, time, logger] in
            try await PeerConnection(
                identity: identity,
                peer: peer,
                role: .responder,
                store: store,
                timing: timing,
                time: time,
                logger: logger
            )
        }
        opening[peer.agreementKey] = task
        defer { opening[peer.agreementKey] = nil }
        let connection = try await task.value
        guard !isClosed else {
            await connection.close()
            throw SessionError.closed
        }
        connections[peer.agreementKey] = connection
        news.send(connection)
        return connection
    }

    /// Closes the connection to a device and forgets it, as when it is unpaired.
    public func remove(_ agreementKey: AgreementPublicKey) async {
        await connections.removeValue(forKey: agreementKey)?.close()
    }

    /// Uses every link that the stream brings, until the listener is closed.
    public func add(_ incoming: AsyncStream<any Link>) {
        guard !isClosed else { return }
        sources.append(
            Task { [weak self] in
                for await link in incoming { await self?.add(link) }
            }
        )
    }

    /// Serves one more link, until it ends or ``close()``.
    public func add(_ link: any Link) {
        guard !isClosed else { return }
        nextLink += 1
        let number = nextLink
        links[number] = Task { [weak self] in
            await self?.serve(link)
            await self?.served(number)
        }
    }

    /// Takes no more links, and ends those it has.
    public func close() async {
        isClosed = true
        news.finish()
        let tasks = sources + links.values
        for task in tasks { task.cancel() }
        for connection in connections.values { await connection.close() }
        connections = [:]
        for task in tasks { await task.value }
    }

    private func served(_ number: UInt64) { links[number] = nil }

    /// The one reader of a link. The link belongs to the peer that shook hands on it last.
    private func serve(_ link: any Link) async {
        var owner: (connection: PeerConnection, link: LinkID)?
        var bucket = TokenBucket(
            capacity: Self.handshakeBurst,
            refillPerSecond: Self.handshakesPerSecond,
            now: time.ticks
        )
        var lastNotice: ContinuousClock.Instant?
        for await frame in link.frames() {
            switch frame {
            case .handshake(let id, let pattern, let index, let resumption, let message):
                guard index == 1, bucket.take(now: time.ticks) else { continue }
                let answer = await answer(id, pattern: pattern, resumption: resumption, message: message)
                switch answer {
                case .none: break
                case .frame(let frame): await reply(frame, on: link)
                case .accepted(let connection, let handshake):
                    if owner?.connection !== connection {
                        if let owner { await owner.connection.detach(owner.link) }
                        owner = await connection.attach(link, isReadHere: false).map { (connection, $0) }
                    }
                    guard let owner else {
                        // Closed by its owner: the next handshake gets a new one.
                        await remove(connection.peer.agreementKey)
                        continue
                    }
                    link.belongs(to: connection.peer)
                    do {
                        try await owner.connection.accept(handshake, on: owner.link)
                    } catch {
                        logger.error("handshake not answered", metadata: ["error": "\(error)"])
                    }
                }
            case .record(let id, _, _, _):
                if owner == nil, let id, let connection = await connection(holding: id) {
                    // One more link of a session that began on another.
                    owner = await connection.attach(link, isReadHere: false).map { (connection, $0) }
                }
                if let owner {
                    await owner.connection.receive(frame, on: owner.link)
                } else if lastNotice.map({ time.now - $0 >= Self.noticeInterval }) ?? true {
                    lastNotice = time.now
                    await reply(.notice(id ?? .unnamed, .unknownSession), on: link)
                }
            case .notice:
                break  // for initiators
            }
        }
        if let owner { await owner.connection.detach(owner.link) }
    }

    private func connection(holding id: SessionID) async -> PeerConnection? {
        for connection in connections.values where await connection.holds(id) { return connection }
        return nil
    }

    private enum Answer {
        case none
        case frame(LinkFrame)
        case accepted(PeerConnection, ReceivedHandshake)
    }

    private func answer(
        _ id: SessionID,
        pattern: String,
        resumption: [UInt8]?,
        message: [UInt8]
    ) async -> Answer {
        do {
            var ticket: ResumptionTicket?
            if let resumption {
                ticket = try await store.ticket(id: resumption)
                if ticket == nil { return .frame(.notice(id, .noResumption)) }
            }
            let handshake = try ReceivedHandshake(
                message,
                session: id,
                pattern: pattern,
                ticket: ticket,
                identity: identity
            )
            guard let peer = await authorizer.peer(for: handshake.peer.agreementKey, did: handshake.peer.did),
                peer == handshake.peer
            else {
                logger.notice("stranger refused", metadata: ["did": "\(handshake.peer.did)"])
                return .frame(try handshake.answer(.notPaired, epoch: epoch, acknowledged: .nothing).frame)
            }
            guard try await store.acceptCounter(handshake.counter, from: peer.agreementKey) else { return .none }
            return .accepted(try await connection(to: peer), handshake)
        } catch {
            // Forged, damaged, or the store failed: an initiator that means well tries again.
            logger.debug("handshake dropped", metadata: ["error": "\(error)"])
            return .none
        }
    }

    private func reply(_ frame: LinkFrame, on link: any Link) async {
        do {
            try await link.send(frame)
        } catch {
            logger.debug("link down", metadata: ["error": "\(error)"])
        }
    }
}
