import CommandServer
import Commands
import Kernel
import Rights
import Synchronization

/// Keeps what was sent to each device. A device can be full, or away.
final class StallingOutlet: DeviceOutlet {
    private struct State {
        var sent: [String: [RemoteEvent]] = [:]
        var away: Set<String> = []
        var refused = 0
        var full: Set<String> = []
        var blocked: [CheckedContinuation<Void, Never>] = []
        var watchers:
            [(isDone: @Sendable ([String: [RemoteEvent]], Int) -> Bool, done: CheckedContinuation<Void, Never>)] =
                []
    }

    private let state = Mutex(State())

    func devices(needing right: Right?) -> [OutletDevice] { [] }

    func send(_ kind: EventKind, _ members: [String: JSONValue], to device: String) async throws {
        let event = RemoteEvent(kind, members)
        await withCheckedContinuation { continuation in
            let (isFree, ready) = state.withLock { state in
                let isFree = !state.full.contains(device)
                if !isFree { state.blocked.append(continuation) }
                return (isFree, Self.takeReady(&state))
            }
            for watcher in ready { watcher.resume() }
            if isFree { continuation.resume() }
        }
        let (isAway, ready): (Bool, [CheckedContinuation<Void, Never>]) = state.withLock { state in
            if state.away.contains(device) {
                state.refused += 1
                return (true, [])
            }
            state.sent[device, default: []].append(event)
            return (false, Self.takeReady(&state))
        }
        for watcher in ready { watcher.resume() }
        if isAway { throw RemoteError.notConnected }
    }

    func send(frame: [UInt8], needing right: Right?, to device: String) async throws {
        throw Unexpected(what: "a binary message")
    }

    func keep(
        _ kind: EventKind,
        _ members: [String: JSONValue],
        replacing key: String?,
        for device: String
    ) async throws {
        throw Unexpected(what: "an event that is kept")
    }

    /// Terminals send neither.
    private struct Unexpected: Error {
        let what: String
    }

    /// Events that were for a device that is away.
    var refused: Int { state.withLock(\.refused) }

    func sent(to device: String) -> [RemoteEvent] { state.withLock { $0.sent[device] ?? [] } }

    func setAway(_ device: String, _ isAway: Bool = true) {
        state.withLock { if isAway { $0.away.insert(device) } else { $0.away.remove(device) } }
    }

    func fill(_ device: String) { state.withLock { _ = $0.full.insert(device) } }

    func empty(_ device: String) {
        let blocked = state.withLock { state in
            state.full.remove(device)
            defer { state.blocked = [] }
            return state.blocked
        }
        for continuation in blocked { continuation.resume() }
    }

    /// Waits until somebody waits for a full device.
    func somebodyBlocked() async { await wait { _, blocked in blocked > 0 } }

    func events(_ count: Int, to device: String) async -> [RemoteEvent] {
        await wait { sent, _ in (sent[device]?.count ?? 0) >= count }
        return sent(to: device)
    }

    /// What a device saw, once that ends with `end`.
    func text(endingWith end: String, to device: String) async -> String {
        await wait { sent, _ in Self.text(of: sent[device] ?? []).hasSuffix(end) }
        return Self.text(of: sent(to: device))
    }

    static func text(of events: [RemoteEvent]) -> String {
        events.compactMap { $0.members["data"]?.stringValue }.joined()
    }

    private func wait(_ isDone: @escaping @Sendable ([String: [RemoteEvent]], Int) -> Bool) async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                state.watchers.append((isDone, continuation))
                return Self.takeReady(&state)
            }
            for watcher in ready { watcher.resume() }
        }
    }

    private static func takeReady(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        let (sent, blocked) = (state.sent, state.blocked.count)
        let ready = state.watchers.filter { $0.isDone(sent, blocked) }.map(\.done)
        state.watchers.removeAll { $0.isDone(sent, blocked) }
        return ready
    }
}
