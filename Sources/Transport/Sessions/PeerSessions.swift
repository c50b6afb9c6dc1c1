import Foundation
public import Kernel
public import Logging
public import Sealing

/// How a message is delivered to a peer that may be away.
public enum Delivery: Hashable, Sendable {
    /// Now or not at all: a sender is told when the peer is away.
    case now
    /// After everything else, and when the peer is back: for parts of something large. In memory only.
    case bulk
}

/// The sessions of a role with its paired devices, by device: what pairing and features speak through. Made before all of them.
public actor PeerSessions {
    private let store: any SessionStore
    private let bounds: KeptBounds
    private let time: any TimeSource
    private let logger: Logger
    private var connections: [DID: PeerConnection] = [:]
    /// The peers to which kept messages are being sent, and whether there may be another since the last look.
    private var draining: [DID: Bool] = [:]
    /// Farewells on their way: another call that ends the same session waits for them.
    private var endings: [SessionPeer: Task<Bool, Never>] = [:]
    /// Peers that have heard a farewell since their last connection was added.
    private var told: Set<SessionPeer> = []
    private let tasks = OwnedTasks()

    /// - Parameter bounds: How much is kept for one peer.
    public init(
        store: any SessionStore,
        bounds: KeptBounds = KeptBounds(),
        time: any TimeSource = .system,
        logger: Logger
    ) {
        self.store = store
        self.bounds = bounds
        self.time = time
        self.logger = logger
    }

    // MARK: Connections

    /// Takes the connection with a peer in place of the one before, and sends what is kept for the peer each time it is connected.
    public func add(_ connection: PeerConnection) {
        let did = connection.peer.did
        connections[did] = connection
        told.remove(connection.peer)
        tasks.add { [weak self] in
            for await state in connection.states() {
                if case .connected = state { await self?.drain(did) }
            }
        }
    }

    /// Lets go of a connection that is over, unless another took its place.
    public func remove(_ connection: PeerConnection) {
        if connections[connection.peer.did] === connection { connections[connection.peer.did] = nil }
    }

    /// The connection with a peer; nil for one that has none here.
    public func connection(with peer: DID) -> PeerConnection? { connections[peer] }

    /// The connections with all peers, in no order.
    public func all() -> [PeerConnection] { Array(connections.values) }

    /// How the peer is connected now; nil while it is not.
    public func path(to peer: DID) -> LinkKind? {
        guard case .connected(let path) = connections[peer]?.state else { return nil }
        return path
    }

    /// The machine slept, or its network changed: every way to every peer is looked at at once.
    public func resume() async {
        for connection in connections.values { await connection.resume() }
    }

    // MARK: Messages

    /// Sends one message; waits while the session is full.
    ///
    /// - Throws: ``SessionError/notConnected`` when the peer is away, which for `.bulk` means that it has no session at all; what
    ///   ``PeerConnection/send(_:durable:isBulk:)`` throws.
    public func send(_ message: [UInt8], to peer: DID, as delivery: Delivery) async throws {
        guard let connection = connections[peer] else { throw SessionError.notConnected }
        switch connection.state {
        case .connected, .connecting: break
        case .notConnected where delivery == .bulk: break
        case .notConnected, .refused, .closed: throw SessionError.notConnected
        }
        try await connection.send(message, isBulk: delivery == .bulk)
    }

    /// Keeps a message on disk until the peer has it: in order, once, through restarts of both. Returns once it is on disk.
    ///
    /// - Throws: ``SessionError/messageTooLong(bytes:limit:)``, what the store throws.
    public func keep(_ message: KeptMessage, for peer: SessionPeer) async throws {
        guard message.bytes.count <= bounds.messageBytes else {
            throw SessionError.messageTooLong(bytes: message.bytes.count, limit: bounds.messageBytes)
        }
        let dropped = try await store.keep(message, for: peer.agreementKey, at: milliseconds, bounds: bounds)
        if dropped > 0 {
            logger.notice("messages for a peer that is away dropped", metadata: ["count": "\(dropped)"])
        }
        drain(peer.did)
    }

    /// Drops what is kept about these topics for a peer.
    public func dropKept(topics: Set<String>, for peer: SessionPeer) async throws {
        try await store.dropKept(topics: topics, for: peer.agreementKey)
    }

    private var milliseconds: Int64 { time.date.millisecondsSince1970 }

    private func drain(_ peer: DID) {
        guard draining.updateValue(true, forKey: peer) == nil else { return }
        tasks.add { await self.sendKept(to: peer) }
    }

    private func sendKept(to peer: DID) async {
        defer { draining[peer] = nil }
        while draining[peer] == true {
            draining[peer] = false
            do {
                while let connection = connections[peer], case .connected = connection.state {
                    guard try await connection.sendKept(at: milliseconds, bounds: bounds) else { break }
                }
            } catch is CancellationError {
                return
            } catch {
                // Its session is over, or the disk takes nothing: what is kept stays, and the next connection tries again.
                logger.debug("kept messages not sent", metadata: ["reason": "\(error)"])
            }
        }
    }

    // MARK: The end

    /// Lets go of the session with a device that is not paired any more.
    ///
    /// - Parameters:
    ///   - farewell: Told to a device that is connected; nil tells nothing.
    ///   - closes: Whether the connection is closed as well; else its owner does that afterwards.
    /// - Returns: Whether the device has heard a farewell, this one or one since its last connection was added: two parts that notice the end
    ///   of one pairing both end its session.
    @discardableResult
    public func end(
        with peer: SessionPeer,
        saying farewell: [UInt8]? = nil,
        closing closes: Bool = false
    ) async -> Bool {
        if let farewell = endings[peer] { return await farewell.value }
        guard let connection = connections[peer.did], connection.peer == peer else { return told.contains(peer) }
        connections[peer.did] = nil
        let telling = Task { [logger] in
            var isTold = false
            do {
                if let farewell {
                    try await connection.sendLast(farewell)
                    isTold = true
                }
            } catch {
                // It is away, or does not answer: it learns that it is not paired when it comes back.
                logger.info("a device that is forgotten was not told yet", metadata: ["reason": "\(error)"])
            }
            if closes { await connection.close() }
            return isTold
        }
        endings[peer] = telling
        defer { endings[peer] = nil }
        let isTold = await telling.value
        // Connected anew meanwhile: that one has heard nothing.
        if isTold, connections[peer.did] == nil { told.insert(peer) }
        return isTold
    }

    /// Ends what this started; the connections are their owners' to close.
    public func close() async { await tasks.end() }
}
