package import CommandServer
package import Commands
package import Kernel

/// A computer whose feature is called without anything in between, except that all that is said is JSON text on the way.
package struct DirectPeer: Peer {
    package let id = "did:key:z6MkHome"
    package let isSealed = true
    private let feature: any CommandFeature
    private let caller: Caller
    private let outlet: RecordingOutlet

    /// - Parameter outlet: What the feature was made with: the peer's events are those that it sends to `caller`.
    package init(_ feature: any CommandFeature, as caller: Caller = .ada, outlet: RecordingOutlet = RecordingOutlet()) {
        self.feature = feature
        self.caller = caller
        self.outlet = outlet
    }

    package func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        let params = try JSONValue(parsing: params.canonicalBytes)
        return try JSONValue(parsing: try await feature.call(method, params, as: caller).canonicalBytes)
    }

    package func events() async throws -> AsyncStream<RemoteEvent> { outlet.stream(to: caller.id) }

    package func reachability() async throws -> AsyncStream<Bool> {
        AsyncStream { stream in
            stream.yield(true)
            stream.finish()
        }
    }
}

/// A computer that answers every call with what a test says.
package struct AnsweringPeer: Peer {
    package let id = "did:key:z6MkOther"
    package let isSealed = false
    private let answer: JSONValue

    package init(_ answer: JSONValue) { self.answer = answer }

    package func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue { answer }

    package func events() async throws -> AsyncStream<RemoteEvent> { AsyncStream { $0.finish() } }

    package func reachability() async throws -> AsyncStream<Bool> { AsyncStream { $0.finish() } }
}
