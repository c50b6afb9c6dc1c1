public import Kernel
import Pairing
import Synchronization

/// A signaling server in memory. It hands messages to the device that registered their id, keeps them while it is away, and
/// misbehaves on request like real networks and hostile servers.
public final class PairingSwitchboard: Sendable {
    /// A message on its way.
    public struct Frame: Hashable, Sendable {
        /// The id that the sender registered; nil for one that has not.
        public var from: String?
        /// The id or alias of the recipient.
        public var to: String
        /// The message that the recipient gets.
        public var payload: JSONValue

        public init(from: String?, to: String, payload: JSONValue) {
            self.from = from
            self.to = to
            self.payload = payload
        }
    }

    private struct State {
        var registered: [String: Broadcaster<PairingGateEvent>] = [:]
        var kept: [String: [Frame]] = [:]
        var frames: [Frame] = []
        var tamper: @Sendable (Frame) -> [Frame] = { [$0] }
        var isUp = true
    }

    private let state = Mutex(State())

    public init() {}

    /// Every frame that was sent, before any tampering.
    public var frames: [Frame] { state.withLock(\.frames) }

    /// Sets the frames that are delivered from now on in place of each frame: none, another, or several.
    public func tamper(_ tamper: @escaping @Sendable (Frame) -> [Frame]) {
        state.withLock { $0.tamper = tamper }
    }

    /// Whether connections succeed.
    public var isUp: Bool {
        get { state.withLock(\.isUp) }
        set { state.withLock { $0.isUp = newValue } }
    }

    /// Whether a device holds the id or alias now.
    public func isRegistered(_ id: String) -> Bool { state.withLock { $0.registered[id] != nil } }

    /// Puts a frame on the wire as if its sender had sent it.
    public func inject(_ frame: Frame) { deliver([frame], sender: nil) }

    /// - Parameter isOwedKept: Whether messages kept for this id are delivered. They are not kept any longer in either case.
    func register(_ id: String, _ events: Broadcaster<PairingGateEvent>, isOwedKept: Bool = true) {
        let kept = state.withLock { state in
            state.registered[id] = events
            return state.kept.removeValue(forKey: id) ?? []
        }
        for frame in kept where isOwedKept { events.send(.message(from: frame.from, payload: frame.payload)) }
    }

    func unregister(_ id: String, _ events: Broadcaster<PairingGateEvent>) {
        state.withLock { state in
            if state.registered[id] === events { state.registered[id] = nil }
        }
    }

    func send(_ frame: Frame, sender: Broadcaster<PairingGateEvent>) {
        let delivered = state.withLock { state in
            state.frames.append(frame)
            return state.tamper(frame)
        }
        deliver(delivered, sender: sender)
    }

    private func deliver(_ frames: [Frame], sender: Broadcaster<PairingGateEvent>?) {
        for frame in frames {
            let target: Broadcaster<PairingGateEvent>? = state.withLock { state in
                if let target = state.registered[frame.to] { return target }
                state.kept[frame.to, default: []].append(frame)
                return nil
            }
            if let target {
                target.send(.message(from: frame.from, payload: frame.payload))
            } else {
                sender?.send(.peerOffline(id: frame.to))
            }
        }
    }
}
