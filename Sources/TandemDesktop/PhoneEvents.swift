import Remote
import Sealing
import Synchronization

/// Carries events into the session with a phone. Made before the desktop that has the sessions, and attached to it.
final class PhoneEvents: RemoteEventSink {
    typealias Send = @Sendable (RemoteEvent, DID) async throws -> Void

    private let send = Mutex<Send?>(nil)

    func attach(_ send: @escaping Send) { self.send.withLock { $0 = send } }

    func send(_ event: RemoteEvent, to device: String) async throws {
        guard let send = send.withLock({ $0 }) else { throw RemoteError.notConnected }
        try await send(event, try DID(device))
    }
}
