import CommandServer
import Commands
import Kernel

/// Nobody watches in these tests.
struct SilentSink: RemoteEventSink {
    func send(_ event: RemoteEvent, to device: String) async throws { throw RemoteError.notConnected }
}

/// Hands on what the only watcher is told.
struct ChannelSink: RemoteEventSink {
    let events: AsyncStream<RemoteEvent>
    private let channel: AsyncStream<RemoteEvent>.Continuation

    init() { (events, channel) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16)) }

    func send(_ event: RemoteEvent, to device: String) async throws { channel.yield(event) }
}

extension RemoteSkill {
    /// As the router calls it.
    func call(_ name: String, _ params: JSONValue = [:]) async throws -> JSONValue {
        guard let method = methods.first(where: { $0.name == name }) else {
            throw RemoteFailure(code: FailureCode.unknownMethod, message: name)
        }
        let caller = Caller(id: "did:key:z6MkA", name: "Ada's phone", proof: .session, allowedSkills: [])
        return try await method.run(RemoteParameters(params), caller)
    }
}
