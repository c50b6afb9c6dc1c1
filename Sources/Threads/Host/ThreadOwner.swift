import CommandServer
import Commands
import Kernel
import Rights
import Threads

/// The person at this computer, for whom the feature's methods are answered as they are for a device: pages and commands of this machine use
/// the same clients.
struct ThreadOwner: Peer {
    /// No device's id is a plain word.
    static let caller = Caller(
        id: "owner",
        name: "this computer",
        proof: .session,
        rights: [.threadsRead, .threadsWrite]
    )

    let methods: @Sendable () -> [RemoteMethod]
    let outlet: ThreadOutlet

    var id: String { Self.caller.id }
    var isSealed: Bool { true }

    func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        guard let served = methods().first(where: { $0.name == method }) else { throw RemoteError.malformedResult }
        return try await served.run(RemoteParameters(params), Self.caller)
    }

    func events() async throws -> AsyncStream<RemoteEvent> { outlet.ownerEvents.subscribe() }

    /// It is never away.
    func reachability() async throws -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(true)
        return stream
    }
}

/// Reaches devices, and the pages and commands of this machine.
struct ThreadOutlet: DeviceOutlet {
    let devices: any DeviceOutlet
    let ownerEvents = Broadcaster<RemoteEvent>()

    func devices(needing right: Right) -> [OutletDevice] { devices.devices(needing: right) }

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
