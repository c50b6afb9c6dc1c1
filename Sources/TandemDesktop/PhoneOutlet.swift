import Kernel
import Remote
import Sealing
import Synchronization

/// Carries what skills tell into the session with a phone. Made before the desktop that has the sessions, and attached to it.
final class PhoneOutlet: RemoteEventSink, RemoteFrameSink {
    typealias Send = @Sendable ([UInt8], DID) async throws -> Void

    private let send = Mutex<Send?>(nil)

    func attach(_ send: @escaping Send) { self.send.withLock { $0 = send } }

    func send(_ event: RemoteEvent, to device: String) async throws {
        try await send(event.envelope.canonicalBytes, to: device)
    }

    func send(_ bytes: [UInt8], to device: String) async throws {
        guard let send = send.withLock({ $0 }) else { throw RemoteError.notConnected }
        try await send(bytes, try DID(device))
    }
}
