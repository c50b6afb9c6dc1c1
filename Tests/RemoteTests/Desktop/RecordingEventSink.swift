import CommandServer
import Commands
import Synchronization

/// Keeps what phones were told, and refuses phones that are not here.
final class RecordingEventSink: RemoteEventSink {
    struct Told: Equatable {
        let event: RemoteEvent
        let device: String
    }

    private let told = Mutex<[Told]>([])
    private let absent = Mutex<Set<String>>([])

    var events: [Told] { told.withLock(\.self) }

    func leave(_ device: String) { _ = absent.withLock { $0.insert(device) } }

    func send(_ event: RemoteEvent, to device: String) async throws {
        guard !absent.withLock({ $0.contains(device) }) else { throw RemoteError.notConnected }
        told.withLock { $0.append(Told(event: event, device: device)) }
    }
}
