import CommandServer
import Commands
import Kernel
import Pairing
import Rights
import Sealing
import Transport

/// The one way for events and binary messages to phones. Asks the phone's record for the right each time: a right that was taken back stops
/// what flows, also what was asked for before.
struct RecordedOutlet: DeviceOutlet {
    let phones: SQLitePairingStore<PairedPhone>
    let sessions: PeerSessions
    /// The door for phones that speak only the documented wire.
    let clearDoor: ClearDoor
    /// The callers that came through doors of features. Each of their ways asks for the right itself.
    var callers = OpenCallers()
    var deadlines = RightDeadlines(time: .system)

    func devices(needing right: Right?) -> [OutletDevice] {
        phones.all().filter { phone in right.map { isAllowed($0, phone) } ?? true }.map {
            OutletDevice(id: $0.did.text, deviceID: $0.deviceID, name: $0.name, keepsEvents: $0.isEndToEnd)
        }
    }

    func send(_ kind: EventKind, _ members: [String: JSONValue], to device: String) async throws {
        let outlets = callers[device]
        guard outlets.isEmpty else { return try await outlets.send(kind, members) }
        let phone = try phone(device, needing: kind.right)
        let event = RemoteEvent(kind, members)
        guard phone.isEndToEnd else { return try await clearDoor.send(event, to: phone.did) }
        try await send(event.envelope.canonicalBytes, to: phone.did, as: .now)
    }

    func send(frame: [UInt8], needing right: Right?, to device: String) async throws {
        try await send(frame, to: try phone(device, needing: right).did, as: .bulk)
    }

    func keep(
        _ kind: EventKind,
        _ members: [String: JSONValue],
        replacing key: String?,
        for device: String
    ) async throws {
        guard let peer = try phone(device, needing: kind.right).sessionPeer else { throw RemoteError.notConnected }
        let message = KeptMessage(
            RemoteEvent(kind, members).envelope.canonicalBytes,
            topic: kind.right.rawValue,
            key: key.map { "\(kind.name) \($0)" }
        )
        try await sessions.keep(message, for: peer)
        // The right may have been taken back while this was written: what was dropped then did not hold it yet.
        guard phones.record(peer.did).map({ isAllowed(kind.right, $0) }) == true else {
            try await sessions.dropKept(topics: [kind.right.rawValue], for: peer)
            throw RemoteError.notConnected
        }
    }

    func bulkSecret(of device: String) async -> BulkSecret? {
        guard let phone = try? phone(device, needing: nil) else { return nil }
        return await sessions.connection(with: phone.did)?.bulkSecret
    }

    private func send(_ message: [UInt8], to phone: DID, as delivery: Delivery) async throws {
        do {
            try await sessions.send(message, to: phone, as: delivery)
        } catch SessionError.notConnected {
            throw RemoteError.notConnected
        }
    }

    private func isAllowed(_ right: Right, _ phone: PairedPhone) -> Bool {
        phone.allowedSkills.contains(right) && !deadlines.over(of: phone).contains(right)
    }

    private func phone(_ device: String, needing right: Right?) throws -> PairedPhone {
        guard let phone = (try? DID(device)).flatMap({ phones.record($0) }),
            right.map({ isAllowed($0, phone) }) ?? true
        else {
            throw RemoteError.notConnected
        }
        return phone
    }
}
