import Kernel
import Remote
import Sealing
import Synchronization

/// Carries what skills tell into the session with a phone. Made before the desktop that has the sessions, and attached to it.
final class PhoneOutlet: RemoteEventSink, RemoteFrameSink {
    typealias Send = @Sendable ([UInt8], DID, _ isBulk: Bool) async throws -> Void

    /// Around the closure, because a mutex of a bare one converts it at each access and keeps every conversion: calls would
    /// grow slower and slower.
    private struct Attached: Sendable {
        var send: Send?
    }

    private let attached = Mutex(Attached())

    func attach(_ send: @escaping Send) { attached.withLock { $0.send = send } }

    func send(_ event: RemoteEvent, to device: String) async throws {
        try await send(event.envelope.canonicalBytes, to: device, isBulk: false)
    }

    /// Parts of files.
    func send(_ bytes: [UInt8], to device: String) async throws { try await send(bytes, to: device, isBulk: true) }

    private func send(_ bytes: [UInt8], to device: String, isBulk: Bool) async throws {
        guard let send = attached.withLock(\.send) else { throw RemoteError.notConnected }
        try await send(bytes, try DID(device), isBulk)
    }
}
