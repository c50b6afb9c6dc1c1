import CommandServer
import Commands
import Kernel
import Notifications
import Rights

/// The person at this computer, for whom the feature's methods are answered as they are for a device: pages and commands of this machine use
/// the same clients.
struct NotificationOwner: Peer {
    /// No device's id is a plain word.
    static let caller = Caller(
        id: "owner",
        name: "Tandem",
        proof: .session,
        rights: [.notification, .notificationAct]
    )

    let methods: @Sendable () -> [RemoteMethod]
    let told: Broadcaster<RemoteEvent>

    var id: String { Self.caller.id }
    var isSealed: Bool { true }

    func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        guard let served = methods().first(where: { $0.name == method }) else { throw RemoteError.malformedResult }
        return try await served.run(RemoteParameters(params), Self.caller)
    }

    func events() async throws -> AsyncStream<RemoteEvent> { told.subscribe() }

    /// It is never away.
    func reachability() async throws -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(true)
        return stream
    }
}

extension Caller {
    /// Whose notifications are meant.
    var reader: NotificationReader { self == NotificationOwner.caller ? .owner : .device(id) }
}
