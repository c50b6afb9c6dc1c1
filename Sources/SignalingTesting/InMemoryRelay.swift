public import Kernel
import Signaling
import Synchronization

/// A signaling server in memory, for any number of ``InMemorySignalClient``s. It registers, forwards, queues for absent
/// devices, and tells who comes and goes. Everything happens inside the call that causes it.
public final class InMemoryRelay: Sendable {
    /// A kind of server that was observed.
    public enum Dialect: Hashable, Sendable {
        /// Our own relay: ids are proven, and binary frames pass.
        case tandem
        /// A relay that forwards every documented kind and queues for absent devices.
        case documented
        /// A relay that forwards `message` and silently drops every other kind.
        case messagesOnly
    }

    /// The treatment of one forwarded frame.
    public enum Fate: Hashable, Sendable {
        case deliver, drop, duplicate
    }

    private static let queueLimit = 100

    private struct State {
        var online: [String: InMemorySignalClient] = [:]
        var queues: [String: [ReceivedMessage]] = [:]
        var refusesBinary: Set<String> = []
        var fate: @Sendable (String?, String, JSONValue) -> Fate = { _, _, _ in .deliver }
        var isDown = false
        /// Clients that keep their connection by themselves.
        var maintained: [InMemorySignalClient] = []
    }

    /// The server that this relay behaves like.
    public let dialect: Dialect
    private let state = Mutex(State())

    public init(_ dialect: Dialect = .tandem) {
        self.dialect = dialect
    }

    /// A new client of this relay; it still has to connect and register.
    public func client() -> InMemorySignalClient { InMemorySignalClient(relay: self) }

    /// Sets the function that decides about every `message` from now on.
    public func decide(_ fate: @escaping @Sendable (_ from: String?, _ to: String, _ payload: JSONValue) -> Fate) {
        state.withLock { $0.fate = fate }
    }

    /// Lets the device with this id refuse binary frames, like a program that registered without `e2e`.
    public func refuseBinary(to id: String) {
        state.withLock { _ = $0.refusesBinary.insert(id) }
    }

    /// Ends every connection and refuses new ones until ``restart()``.
    public func stop() {
        let clients = state.withLock { state in
            state.isDown = true
            defer { state.online = [:] }
            return Array(state.online.values)
        }
        for client in clients { client.connectionLost() }
    }

    /// Accepts connections again. Queued messages are lost, as with real relays.
    public func restart() {
        let maintained = state.withLock { state in
            state.isDown = false
            state.queues = [:]
            return state.maintained
        }
        for client in maintained { client.tryAgain() }
    }

    /// Notes a client that connects again when this relay restarts.
    func maintain(_ client: InMemorySignalClient) {
        state.withLock { state in
            if !state.maintained.contains(where: { $0 === client }) { state.maintained.append(client) }
        }
    }

    /// Ends the connection of one device, which can connect again.
    public func cut(_ id: String) {
        guard let client = state.withLock({ $0.online.removeValue(forKey: id) }) else { return }
        client.connectionLost()
        announce(id, isOnline: false)
    }

    /// The ids that are registered now.
    public var onlineIDs: Set<String> { state.withLock { Set($0.online.keys) } }

    /// The number of messages that wait for a device, at most 100.
    public func queuedCount(for id: String) -> Int { state.withLock { $0.queues[id]?.count ?? 0 } }

    var isDown: Bool { state.withLock(\.isDown) }

    func register(_ client: InMemorySignalClient, as id: String) -> SignalPresence {
        let (queued, displaced) = state.withLock { state in
            let displaced = state.online.updateValue(client, forKey: id)
            return (state.queues.removeValue(forKey: id) ?? [], displaced)
        }
        if let displaced, displaced !== client { displaced.wasReplaced() }
        for message in queued { client.receive(.message(message)) }
        announce(id, isOnline: true)
        let isTandem = dialect == .tandem
        return SignalPresence(id: id, isProven: isTandem, hasBinary: isTandem, isTandem: isTandem)
    }

    func unregister(_ client: InMemorySignalClient, _ id: String) {
        let wasOnline = state.withLock { state in
            guard state.online[id] === client else { return false }
            state.online[id] = nil
            return true
        }
        if wasOnline { announce(id, isOnline: false) }
    }

    func forward(_ message: SignalMessage, from sender: InMemorySignalClient, as id: String?) {
        guard message.kind == .message || message.form == .nested || dialect != .messagesOnly else { return }
        let received = ReceivedMessage(
            from: id,
            kind: message.kind,
            payload: message.payload,
            form: message.form,
            timestamp: 1_790_000_000_000
        )
        let (fate, target) = state.withLock { ($0.fate(id, message.to, message.payload), $0.online[message.to]) }
        guard fate != .drop else { return }
        let copies = fate == .duplicate ? 2 : 1
        for _ in 0..<copies {
            guard let target else {
                queue(received, for: message.to)
                sender.receive(.peerOffline(offline(message.to, type: message.kind.rawValue)))
                continue
            }
            target.receive(.message(received))
        }
    }

    func forward(_ frame: SignalBinaryFrame, to peer: String, from sender: InMemorySignalClient, as id: String) throws {
        let (target, isRefused) = state.withLock { ($0.online[peer], $0.refusesBinary.contains(peer)) }
        guard dialect == .tandem else { throw SignalError.binaryUnavailable }
        guard let target else { return sender.receive(.peerOffline(offline(peer, type: "binary"))) }
        guard !isRefused else { return sender.receive(.binaryRefused(by: peer)) }
        target.receive(.binary(from: id, frame))
    }

    func status(of id: String) -> PeerStatus {
        PeerStatus(peerID: id, isOnline: state.withLock { $0.online[id] != nil })
    }

    private func queue(_ message: ReceivedMessage, for id: String) {
        var message = message
        message.storage = ReceivedMessage.Storage(storedAt: 1_790_000_000_000, deliveredAt: nil)
        state.withLock { state in
            state.queues[id, default: []].append(message)
            if state.queues[id, default: []].count > Self.queueLimit { state.queues[id]?.removeFirst() }
        }
    }

    private func announce(_ id: String, isOnline: Bool) {
        let status = PeerStatus(peerID: id, isOnline: isOnline)
        let others = state.withLock { $0.online.filter { $0.key != id }.values }
        for client in others { client.receive(.peerStatus(status)) }
    }

    private func offline(_ id: String, type: String) -> PeerOffline {
        PeerOffline(peerID: id, messageType: type)
    }
}
