import CommandServer
import Commands
import Kernel
import Rights
import Threads

/// The person at this computer, as the feature's methods see them.
enum ThreadOwner {
    static let caller = Caller(
        id: OwnerPeer.id,
        name: "this computer",
        proof: .session,
        rights: [.threadsRead, .threadsWrite]
    )
}

/// Reaches devices, and the pages and commands of this machine.
struct ThreadOutlet: DeviceOutlet {
    let devices: any DeviceOutlet
    let ownerEvents = Broadcaster<RemoteEvent>()

    func devices(needing right: Right?) -> [OutletDevice] { devices.devices(needing: right) }

    func send(_ kind: EventKind, _ members: [String: JSONValue], to device: String) async throws {
        guard device == ThreadOwner.caller.id else { return try await devices.send(kind, members, to: device) }
        ownerEvents.send(RemoteEvent(kind, members))
    }

    func send(frame: [UInt8], needing right: Right?, to device: String) async throws {
        try await devices.send(frame: frame, needing: right, to: device)
    }

    func keep(_ kind: EventKind, _ members: [String: JSONValue], replacing key: String?, for device: String)
        async throws
    {
        try await devices.keep(kind, members, replacing: key, for: device)
    }
}
