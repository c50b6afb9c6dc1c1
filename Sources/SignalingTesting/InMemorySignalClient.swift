public import Foundation
import Kernel
public import Signaling
import Synchronization

/// A signaling client of an ``InMemoryRelay``. After a lost connection it waits for ``reconnect()``, so that the test decides
/// when.
public final class InMemorySignalClient: MaintainedSignalClient {
    private struct State {
        /// The address that it connected to last.
        var url = InMemorySignalClient.url
        /// Whether it keeps its connection by itself, as after ``maintain(_:as:device:)``.
        var isMaintained = false
        var isConnected = false
        var wanted: (id: String, device: SignalDevice)?
        var sent: [SignalMessage] = []
        var refusingBinary: Set<String> = []
    }

    private let find: @Sendable (URL) -> InMemoryRelay
    private let inner = Mutex(State())
    private let events = Broadcaster<SignalEvent>(capacity: 1024)
    private let latestState = LatestValue(SignalClientState.disconnected, capacity: 16)

    convenience init(relay: InMemoryRelay) { self.init { _ in relay } }

    /// - Parameter find: The relay at an address.
    init(find: @escaping @Sendable (URL) -> InMemoryRelay) { self.find = find }

    private var relay: InMemoryRelay { find(inner.withLock(\.url)) }

    // MARK: Keeping the connection

    /// Always nil, because a relay in memory refuses no client for good.
    public var problem: SignalProblem? { nil }

    public func maintain(_ url: URL, as id: String, device: SignalDevice) async throws {
        inner.withLock { state in
            state.url = url
            state.isMaintained = true
            state.wanted = (id, device)
        }
        relay.maintain(self)
        tryAgain()
    }

    public func hurry() { tryAgain() }
    public func resume() { tryAgain() }
    public func overtake() { tryAgain() }

    /// Connects and registers, unless it is connected already or the relay is down; the relay's restart calls it again.
    func tryAgain() {
        let (wanted, relay) = (inner.withLock { $0.isMaintained && !$0.isConnected ? $0.wanted : nil }, relay)
        guard let wanted, !relay.isDown else { return }
        inner.withLock { $0.isConnected = true }
        latestState.set(.connected)
        latestState.set(.registered(relay.register(self, as: wanted.id)))
    }

    /// Connects and registers, as the first two calls of most tests.
    public func start(as id: String, device: SignalDevice = SignalDevice(category: .desktop)) async throws {
        try await connect(to: Self.url)
        try await register(as: id, device: device)
    }

    private static let url = URL(filePath: "/in-memory")

    /// All messages that were sent through ``send(_:)``.
    public var sent: [SignalMessage] { inner.withLock(\.sent) }

    public var state: SignalClientState { latestState.value }
    public func states() -> AsyncStream<SignalClientState> { latestState.values() }
    public func messages() -> AsyncStream<SignalEvent> { events.subscribe { !$0.isBinary } }
    public func observe(_ take: @escaping @Sendable (SignalEvent) -> Void) -> @Sendable () -> Void {
        events.observe(take)
    }

    public func connect(to url: URL) async throws {
        inner.withLock { $0.url = url }
        guard !relay.isDown else { throw SignalError.notConnected }
        let wanted = inner.withLock { state in
            state.isConnected = true
            return state.wanted
        }
        latestState.set(.connected)
        if let wanted { latestState.set(.registered(relay.register(self, as: wanted.id))) }
    }

    /// Connects again, as the real client does by itself after a while.
    public func reconnect() async throws { try await connect(to: inner.withLock(\.url)) }

    public func disconnect() async {
        let wanted = inner.withLock { state in
            state.isConnected = false
            state.isMaintained = false
            return state.wanted
        }
        if let wanted { relay.unregister(self, wanted.id) }
        latestState.set(.disconnected)
    }

    public func reset() async {
        await disconnect()
        inner.withLock { $0.wanted = nil }
    }

    public func register(as id: String, device: SignalDevice) async throws {
        let isReady = try inner.withLock { state in
            if let wanted = state.wanted, wanted.id != id { throw SignalError.alreadyRegistered(as: wanted.id) }
            guard state.isConnected else { throw SignalError.notConnected }
            state.wanted = (id, device)
            return true
        }
        guard isReady, latestState.value.presence == nil else { return }
        latestState.set(.registered(relay.register(self, as: id)))
    }

    public func send(_ message: SignalMessage) async throws {
        let id = try registeredID()
        inner.withLock { $0.sent.append(message) }
        relay.forward(message, from: self, as: id)
    }

    public func sendBinary(_ frame: SignalBinaryFrame, to peer: String) async throws {
        let id = try registeredID()
        guard !inner.withLock({ $0.refusingBinary.contains(peer) }) else { throw SignalError.binaryUnavailable }
        try relay.forward(frame, to: peer, from: self, as: id)
    }

    public func requestPeers() async throws {
        _ = try registeredID()
        events.send(.peers([]))
    }

    public func requestStatus(of peer: String) async throws {
        _ = try registeredID()
        events.send(.peerStatus(relay.status(of: peer)))
    }

    func receive(_ event: SignalEvent) {
        if case .binaryRefused(let peer) = event { inner.withLock { _ = $0.refusingBinary.insert(peer) } }
        events.send(event)
    }

    func connectionLost() {
        inner.withLock { $0.isConnected = false }
        latestState.set(.waiting(retryIn: .milliseconds(500)))
    }

    func wasReplaced() {
        inner.withLock { $0.isConnected = false }
        latestState.set(.replaced)
    }

    private func registeredID() throws -> String {
        let isConnected = inner.withLock(\.isConnected)
        guard isConnected else { throw SignalError.notConnected }
        guard let presence = latestState.value.presence else { throw SignalError.notRegistered }
        return presence.id
    }
}
