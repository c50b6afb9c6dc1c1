import CommandServer
import Commands
import FilesHost
import Kernel
import Pairing
import Rights
import Sealing
import Synchronization
import Transfers

/// The one way for events and parts of files to phones. Asks the phone's record for the right each time: a right that was taken back
/// stops what flows, whatever was asked for before. Made before the desktop that has the sessions, and attached to it.
final class PhoneOutlet: RemoteEventSink, RemoteFrameSink {
    typealias Send = @Sendable ([UInt8], DID, _ isBulk: Bool) async throws -> Void
    typealias Record = @Sendable (DID) -> PairedPhone?
    typealias Tell = @Sendable (RemoteEvent, DID) async throws -> Void

    /// Around the closure, because a mutex of a bare one converts it at each access and keeps every conversion: calls would
    /// grow slower and slower.
    private struct Attached: Sendable {
        var send: Send?
        var tell: Tell?
    }

    private let record: Record
    private let attached = Mutex(Attached())

    init(record: @escaping Record) { self.record = record }

    /// - Parameters:
    ///   - send: Sends in the session with a phone.
    ///   - tell: Sends to a phone that has none, because it speaks only the documented wire.
    func attach(send: @escaping Send, tell: @escaping Tell) {
        attached.withLock { $0 = Attached(send: send, tell: tell) }
    }

    func send(_ event: RemoteEvent, to device: String) async throws {
        // An event that needs no known right is for nobody.
        guard let right = event.kind?.right else { throw RemoteError.notConnected }
        let phone = try phone(device, needing: right)
        let attached = attached.withLock { $0 }
        if phone.isEndToEnd {
            guard let send = attached.send else { throw RemoteError.notConnected }
            try await send(event.envelope.canonicalBytes, phone.did, false)
        } else {
            guard let tell = attached.tell else { throw RemoteError.notConnected }
            try await tell(event, phone.did)
        }
    }

    func send(_ frame: TransferFrame, to device: String) async throws {
        let phone = try phone(device, needing: frame.rightToReceive)
        guard let send = attached.withLock(\.send) else { throw RemoteError.notConnected }
        try await send(frame.bytes, phone.did, true)
    }

    private func phone(_ device: String, needing right: Right?) throws -> PairedPhone {
        guard let phone = record(try DID(device)), right.map(phone.allowedSkills.contains) ?? true else {
            throw RemoteError.notConnected
        }
        return phone
    }
}
