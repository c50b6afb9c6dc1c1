package import CommandServer
package import Commands
package import Kernel
package import Rights
import Synchronization

/// Keeps what phones were told, and refuses phones that are not here.
package final class RecordingOutlet: DeviceOutlet {
    package struct Told: Equatable, Sendable {
        package let event: RemoteEvent
        package let device: String
    }

    private let told = Mutex<[Told]>([])
    private let keptOnes = Mutex<[Told]>([])
    private let sentFrames = Mutex<[(frame: [UInt8], device: String)]>([])
    private let absent = Mutex<Set<String>>([])
    private let paired = Mutex<[OutletDevice]>([])
    private let denied = Mutex<[String: Set<Right>]>([:])
    private let news = Broadcaster<Told>()

    package init() {}

    package var events: [Told] { told.withLock(\.self) }
    package var kept: [Told] { keptOnes.withLock(\.self) }
    package var frames: [(frame: [UInt8], device: String)] { sentFrames.withLock(\.self) }

    /// What a device is told from now on.
    package func stream(to device: String) -> AsyncStream<RemoteEvent> {
        let told = news.subscribe { $0.device == device }
        return AsyncStream { events in
            let reading = Task {
                for await one in told { events.yield(one.event) }
                events.finish()
            }
            events.onTermination = { _ in reading.cancel() }
        }
    }

    /// The devices that there are from now on, whatever right is asked for that none is denied.
    package func pair(_ devices: [OutletDevice]) { paired.withLock { $0 = devices } }

    /// The rights that a device lacks from now on.
    package func deny(_ rights: Set<Right>, to device: String) { denied.withLock { $0[device] = rights } }

    package func devices(needing right: Right) -> [OutletDevice] {
        let denied = denied.withLock(\.self)
        return paired.withLock(\.self).filter { denied[$0.id]?.contains(right) != true }
    }

    package func comeBack(_ device: String) { _ = absent.withLock { $0.remove(device) } }

    package func leave(_ device: String) { _ = absent.withLock { $0.insert(device) } }

    package func send(_ kind: EventKind, _ members: [String: JSONValue], to device: String) async throws {
        try check(device)
        let one = Told(event: RemoteEvent(kind, members), device: device)
        told.withLock { $0.append(one) }
        news.send(one)
    }

    package func send(frame: [UInt8], needing right: Right?, to device: String) async throws {
        try check(device)
        sentFrames.withLock { $0.append((frame, device)) }
    }

    package func keep(
        _ kind: EventKind,
        _ members: [String: JSONValue],
        replacing key: String?,
        for device: String
    ) async throws {
        keptOnes.withLock { $0.append(Told(event: RemoteEvent(kind, members), device: device)) }
    }

    private func check(_ device: String) throws {
        guard !absent.withLock({ $0.contains(device) }) else { throw RemoteError.notConnected }
    }
}
