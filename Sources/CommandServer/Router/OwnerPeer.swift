package import Commands
package import Kernel

/// The person at this computer, for whom a feature's methods are answered as they are for a device: pages and commands of this machine use
/// the same clients.
package struct OwnerPeer: Peer {
    /// The id of every owner's ``Caller``. No device's id is a plain word.
    package static let id = "owner"

    private let caller: Caller
    private let methods: @Sendable () -> [RemoteMethod]
    private let told: Broadcaster<RemoteEvent>

    /// - Parameter told: What the feature tells this person.
    package init(
        _ caller: Caller,
        methods: @escaping @Sendable () -> [RemoteMethod],
        told: Broadcaster<RemoteEvent>
    ) {
        self.caller = caller
        self.methods = methods
        self.told = told
    }

    package var id: String { caller.id }
    package var isSealed: Bool { true }

    package func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        guard let served = methods().first(where: { $0.name == method }) else { throw RemoteError.malformedResult }
        return try await served.run(RemoteParameters(params), caller)
    }

    package func events() async throws -> AsyncStream<RemoteEvent> { told.subscribe() }

    /// It is never away.
    package func reachability() async throws -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(true)
        return stream
    }
}
