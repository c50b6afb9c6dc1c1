package import CommandServer
package import Commands
package import Kernel
package import Rights
import Synchronization

/// The way from a feature to devices in the same process. It keeps everything that is sent, and hands it to the devices that read. A test makes
/// devices go away, denies them rights, or lets each event pass by itself.
package final class ScriptedOutlet: DeviceOutlet {
    /// One event, as the feature sent it.
    package struct Sent: Equatable, Sendable {
        package let event: RemoteEvent
        /// A ``Caller/id``.
        package let device: String
        /// Counts all events that were to be sent now from 1; 0 for an event that is kept.
        package let number: Int
    }

    /// Decides what arrives of an event that is sent now: none of it, it alone, or several. It may wait, or throw.
    package typealias Pass = @Sendable (_ sent: Sent) async throws -> [RemoteEvent]

    /// The readers of one device.
    private struct Line {
        let events: Broadcaster<RemoteEvent>
        let frames: Broadcaster<[UInt8]>
    }

    private struct State {
        var begun = 0
        var arrived: [Sent] = []
        var kept: [Sent] = []
        var frames: [(frame: [UInt8], device: String)] = []
        var devices: [OutletDevice] = []
        var denied: [String: Set<Right>] = [:]
        var away: Set<String> = []
        var lines: [String: Line] = [:]
    }

    private let capacity: Int
    private let pass: Pass?
    private let state = Mutex(State())
    private let begunCount = LatestValue(0)
    private let failureCount = LatestValue(0)
    private let arrivalCount = LatestValue(0)

    /// - Parameters:
    ///   - capacity: Events and frames that a device may leave unread before it misses the oldest.
    ///   - pass: Asked for each event that is sent now to a device that is here; nil lets all arrive as they are.
    package init(capacity: Int = 256, pass: Pass? = nil) {
        self.capacity = capacity
        self.pass = pass
    }

    /// The events that arrived, in order.
    package var events: [Sent] { state.withLock(\.arrived) }
    /// The events that were to be kept until their devices have them, in order.
    package var kept: [Sent] { state.withLock(\.kept) }
    package var frames: [(frame: [UInt8], device: String)] { state.withLock(\.frames) }

    /// The events that a device is told from now on.
    package func stream(to device: String) -> AsyncStream<RemoteEvent> { line(to: device).events.subscribe() }

    /// The frames that a device is sent from now on.
    package func frames(to device: String) -> AsyncStream<[UInt8]> { line(to: device).frames.subscribe() }

    /// Waits until `count` events have arrived, at all devices together, and returns all that have. Ends with its task.
    package func arrived(_ count: Int) async -> [RemoteEvent] {
        for await arrived in arrivalCount.values() where arrived >= count { break }
        return events.map(\.event)
    }

    /// Waits until the sending of `count` events was begun. Ends with its task.
    package func begun(_ count: Int) async { for await begun in begunCount.values() where begun >= count { return } }

    /// Waits until `count` events could not be sent. Ends with its task.
    package func failed(_ count: Int) async {
        for await failed in failureCount.values() where failed >= count { return }
    }

    // MARK: The devices

    /// Sets the devices that there are from now on; each has every right that it is not denied.
    package func pair(_ devices: [OutletDevice]) { state.withLock { $0.devices = devices } }

    /// Sets the rights that a device lacks from now on.
    package func deny(_ rights: Set<Right>, to device: String) { state.withLock { $0.denied[device] = rights } }

    /// The device is not here from now on: what is sent to it is refused.
    package func leave(_ device: String) { _ = state.withLock { $0.away.insert(device) } }

    package func comeBack(_ device: String) { _ = state.withLock { $0.away.remove(device) } }

    // MARK: The outlet

    package func devices(needing right: Right?) -> [OutletDevice] {
        state.withLock { state in
            state.devices.filter { device in !(right.map { state.denied[device.id]?.contains($0) == true } ?? false) }
        }
    }

    package func send(_ kind: EventKind, _ members: [String: JSONValue], to device: String) async throws {
        let number = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        let sent = Sent(event: RemoteEvent(kind, members), device: device, number: number)
        begunCount.update { $0 = max($0, number) }
        let arriving: [RemoteEvent]
        do {
            try check(device)
            arriving = try await pass?(sent) ?? [sent.event]
        } catch {
            failureCount.update { $0 += 1 }
            throw error
        }
        let line = line(to: device)
        for event in arriving {
            state.withLock { $0.arrived.append(Sent(event: event, device: device, number: number)) }
            line.events.send(event)
        }
        arrivalCount.update { $0 += arriving.count }
    }

    package func send(frame: [UInt8], needing right: Right?, to device: String) async throws {
        try check(device)
        state.withLock { $0.frames.append((frame, device)) }
        line(to: device).frames.send(frame)
    }

    package func keep(
        _ kind: EventKind,
        _ members: [String: JSONValue],
        replacing key: String?,
        for device: String
    ) async throws {
        let sent = Sent(event: RemoteEvent(kind, members), device: device, number: 0)
        state.withLock { $0.kept.append(sent) }
    }

    private func check(_ device: String) throws {
        guard !state.withLock({ $0.away.contains(device) }) else { throw RemoteError.notConnected }
    }

    private func line(to device: String) -> Line {
        state.withLock { state in
            if let line = state.lines[device] { return line }
            let line = Line(events: Broadcaster(capacity: capacity), frames: Broadcaster(capacity: capacity))
            state.lines[device] = line
            return line
        }
    }
}
