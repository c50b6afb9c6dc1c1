import CommandServer
import Commands
import FeatureTesting
import Kernel
import Rights
import Synchronization
import Transfers

/// Keeps the binary messages that were sent to each device, and lets tests wait for them.
final class RecordingFrames: DeviceOutlet {
    private struct State {
        var sent: [String: [TransferFrame]] = [:]
        var watchers: [(device: String, count: Int, done: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    private let events = RecordingOutlet()

    var count: Int { state.withLock { $0.sent.values.reduce(0) { $0 + $1.count } } }

    func send(_ kind: EventKind, _ members: [String: JSONValue], to device: String) async throws {
        try await events.send(kind, members, to: device)
    }

    func send(frame: [UInt8], needing right: Right?, to device: String) async throws {
        guard let frame = TransferFrame(frame) else { throw RemoteError.malformedResult }
        let ready = state.withLock { state in
            state.sent[device, default: []].append(frame)
            return Self.takeReady(&state)
        }
        for watcher in ready { watcher.resume() }
    }

    func keep(
        _ kind: EventKind,
        _ members: [String: JSONValue],
        replacing key: String?,
        for device: String
    ) async throws {
        try await events.keep(kind, members, replacing: key, for: device)
    }

    /// Waits for so many frames to a device.
    func frames(_ count: Int, to device: String) async -> [TransferFrame] {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                state.watchers.append((device, count, continuation))
                return Self.takeReady(&state)
            }
            for watcher in ready { watcher.resume() }
        }
        return state.withLock { $0.sent[device] ?? [] }
    }

    private static func takeReady(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        let sent = state.sent
        let isReady = { (device: String, count: Int) in (sent[device]?.count ?? 0) >= count }
        let ready = state.watchers.filter { isReady($0.device, $0.count) }.map(\.done)
        state.watchers.removeAll { isReady($0.device, $0.count) }
        return ready
    }
}
