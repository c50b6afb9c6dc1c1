import Signaling
import Synchronization

/// A link through a hub: the same stream of bodies as over TCP, cut into pieces that the hub passes on unread.
///
/// A hub closes a socket that is read too slowly, and tells nobody what it lost. So the receiver says how much may come, and every piece says where it
/// belongs: one that is missing, or comes twice, ends the link, and the next one goes on from what is durable.
final class RelayLink: MigrationLink {
    struct Key: Hashable, Sendable {
        /// The id under which the other phone is registered.
        let peer: String
        let link: UInt64
    }

    /// Bytes of the peer's that may wait here; less before it is proved. A hub lets 4 MiB wait for a socket.
    static let window: UInt64 = 2 << 20
    static let windowBeforeProof: UInt64 = 64 << 10
    /// A hub's other traffic waits behind each piece.
    private static let pieceBytes = 64 << 10

    private struct State {
        var isAccepted: Bool
        var isEnded = false
        var failure: MigrationTransferError?
        var reader = MigrationFrameReader()
        /// Bytes that arrived, and those that the peer may have sent in all.
        var heard: UInt64 = 0
        var granted = RelayLink.windowBeforeProof
        var window = RelayLink.windowBeforeProof
        /// Bytes that were sent, and those that may be sent in all.
        var sent: UInt64 = 0
        var allowed = RelayLink.windowBeforeProof
    }

    let key: Key
    private let client: any SignalClient
    private let whenClosed: @Sendable (Key) -> Void
    private let state: Mutex<State>
    private let arrived = WakeSignal()
    private let credited = WakeSignal()

    /// - Parameters:
    ///   - isAccepted: Whether the other side has the link, too.
    ///   - whenClosed: Called once, when this side ends it.
    init(
        _ key: Key,
        over client: any SignalClient,
        isAccepted: Bool,
        whenClosed: @escaping @Sendable (Key) -> Void
    ) {
        self.key = key
        self.client = client
        self.whenClosed = whenClosed
        state = Mutex(State(isAccepted: isAccepted))
    }

    var bytesHeard: UInt64 { state.withLock(\.heard) }

    /// What came for this link, in the order in which the hub passed it on.
    func take(_ content: RelayFrame.Content) {
        switch content {
        case .bytes(let offset, let bytes):
            let isSound = state.withLock { state in
                guard !state.isEnded else { return true }
                // Less is there than the peer may have sent, so the difference is never negative.
                guard offset == state.heard, UInt64(bytes.count) <= state.granted - state.heard else { return false }
                state.heard += UInt64(bytes.count)
                state.reader.append(bytes)
                return true
            }
            if isSound { arrived.set() } else { close() }
        case .credit(let total):
            state.withLock { $0.allowed = max($0.allowed, total) }
            credited.set()
        case .accept:
            state.withLock { $0.isAccepted = true }
            arrived.set()
        case .close: end(nil)
        case .open: break
        }
    }

    /// Returns once the other side has the link.
    ///
    /// - Throws: ``MigrationTransferError/linkLost`` where it is not there; `CancellationError`.
    func untilAccepted() async throws {
        while true {
            let (isAccepted, isEnded) = state.withLock { ($0.isAccepted, $0.isEnded) }
            guard !isEnded else { throw MigrationTransferError.linkLost }
            if isAccepted { return }
            await arrived.wait()
            try Task.checkCancellation()
        }
    }

    // MARK: Sending

    /// Asks the other side for the link.
    ///
    /// - Throws: ``MigrationTransferError/linkLost``.
    func open() async throws(MigrationTransferError) { try await put(.open) }

    func send(_ body: [UInt8]) async throws(MigrationTransferError) {
        var head: [UInt8] = []
        head.append(bigEndian: UInt32(body.count))
        let total = head.count + body.count
        var done = 0
        while done < total {
            guard let (offset, count) = reserve(upTo: min(Self.pieceBytes, total - done)) else { throw .linkLost }
            guard count > 0 else {
                await credited.wait()
                guard !Task.isCancelled else { throw .linkLost }
                continue
            }
            let piece = head[min(done, 4)..<min(done + count, 4)] + body[max(done - 4, 0)..<max(done + count - 4, 0)]
            try await put(.bytes(offset: offset, piece))
            done += count
        }
    }

    /// The place in the stream for the next bytes, and how many of them the peer has room for; nil at the end.
    private func reserve(upTo count: Int) -> (offset: UInt64, count: Int)? {
        state.withLock { state in
            guard !state.isEnded else { return nil }
            let room = Int(clamping: state.allowed - min(state.sent, state.allowed))
            defer { state.sent += UInt64(min(count, room)) }
            return (state.sent, min(count, room))
        }
    }

    private func put(_ content: RelayFrame.Content) async throws(MigrationTransferError) {
        do {
            try await client.sendBinary(RelayFrame(link: key.link, content: content).binary, to: key.peer)
        } catch {
            end(.linkLost)
            throw .linkLost
        }
    }

    // MARK: Receiving

    func receive() async throws(MigrationTransferError) -> [UInt8]? {
        while true {
            if let result = nextBody() { return try result.get() }
            // What is held belongs to a body that is not whole; whoever waits for it makes room for more.
            if let total = grant() { try await put(.credit(total)) }
            await arrived.wait()
            if Task.isCancelled { close() }
        }
    }

    /// A whole body, an error of the stream, or the end; nil while more has to arrive.
    private func nextBody() -> Result<[UInt8]?, MigrationTransferError>? {
        state.withLock { state in
            do throws(MigrationTransferError) {
                if let body = try state.reader.next() { return .success(body) }
            } catch {
                state.isEnded = true
                state.failure = error
            }
            guard state.isEnded else { return nil }
            return state.failure.map { .failure($0) } ?? .success(nil)
        }
    }

    private func grant() -> UInt64? {
        state.withLock { state in
            let total = state.heard + state.window
            guard !state.isEnded, total >= state.granted + state.window / 4 else { return nil }
            state.granted = total
            return total
        }
    }

    func allowBodies(ofBytes limit: Int) {
        state.withLock { state in
            state.reader.limit = limit
            state.window = Self.window
        }
    }

    // MARK: Ending

    func close() { if end(nil) { whenClosed(key) } }

    /// Ends the link without telling the peer.
    ///
    /// - Returns: False where it had ended.
    @discardableResult
    func end(_ failure: MigrationTransferError?) -> Bool {
        let wasOpen = state.withLock { state in
            defer { state.isEnded = true }
            if !state.isEnded { state.failure = failure }
            return !state.isEnded
        }
        arrived.set()
        credited.set()
        return wasOpen
    }
}
