package import CommandServer
package import Commands
package import Kernel
package import Rights
import Synchronization

/// A computer of one feature behind a link that can be lost: a call runs the method as one caller, with the JSON text between them.
package final class LinkedPeer: Peer {
    package let id: String
    package let isSealed: Bool
    private let methods: [String: RemoteMethod]
    private let caller: Caller
    private let told: @Sendable () -> AsyncStream<RemoteEvent>
    private let isReachable = LatestValue(true)
    private let asked = Mutex<[(method: String, params: JSONValue)]>([])

    /// - Parameter events: What the computer tells the caller from now on: see ``LinkedOutlet/events(of:)``.
    package init(
        _ feature: any CommandFeature,
        as caller: Caller = .ada,
        id: String = "computer",
        isSealed: Bool = true,
        events: @escaping @Sendable () -> AsyncStream<RemoteEvent> = { AsyncStream { $0.finish() } }
    ) {
        self.id = id
        self.isSealed = isSealed
        self.caller = caller
        methods = Dictionary(feature.methods.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        told = events
    }

    /// What was called, in order.
    package var calls: [(method: String, params: JSONValue)] { asked.withLock(\.self) }

    /// While it is away, calls are not made.
    package func setReachable(_ reachable: Bool) { isReachable.set(reachable) }

    package func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        guard isReachable.value else { throw RemoteError.notConnected }
        asked.withLock { $0.append((method, params)) }
        guard let served = methods[method] else {
            throw RemoteFailure(code: FailureCode.unknownMethod, message: method)
        }
        let answer = try await served.run(RemoteParameters(JSONValue(parsing: params.canonicalBytes)), caller)
        return try JSONValue(parsing: answer.canonicalBytes)
    }

    package func events() async throws -> AsyncStream<RemoteEvent> { told() }

    package func reachability() async throws -> AsyncStream<Bool> { isReachable.values() }
}

/// The way from a feature to devices in the same process, which loses nothing as long as they read.
package final class LinkedOutlet: DeviceOutlet {
    private struct Line {
        let events: Broadcaster<RemoteEvent>
        let frames: Broadcaster<[UInt8]>
    }

    private let lines = Mutex<[String: Line]>([:])
    private let capacity: Int

    /// - Parameter capacity: Events and frames that a device may leave unread before it misses the oldest.
    package init(capacity: Int = 256) { self.capacity = capacity }

    /// What a device is told from now on.
    package func events(of device: String) -> AsyncStream<RemoteEvent> { line(to: device).events.subscribe() }

    package func frames(of device: String) -> AsyncStream<[UInt8]> { line(to: device).frames.subscribe() }

    /// Those that listened or were told something.
    package func devices(needing right: Right) -> [OutletDevice] {
        lines.withLock { lines in lines.keys.map { OutletDevice(id: $0, name: $0, keepsEvents: true) } }
    }

    package func send(_ kind: EventKind, _ members: [String: JSONValue], to device: String) async throws {
        line(to: device).events.send(RemoteEvent(kind, members))
    }

    package func send(frame: [UInt8], needing right: Right?, to device: String) async throws {
        line(to: device).frames.send(frame)
    }

    package func keep(
        _ kind: EventKind,
        _ members: [String: JSONValue],
        replacing key: String?,
        for device: String
    ) async throws {
        try await send(kind, members, to: device)
    }

    private func line(to device: String) -> Line {
        lines.withLock { lines in
            if let line = lines[device] { return line }
            let line = Line(events: Broadcaster(capacity: capacity), frames: Broadcaster(capacity: capacity))
            lines[device] = line
            return line
        }
    }
}
