/// An error that a phone is answered with a code of its own.
package protocol RemoteRefusal: Error, CustomStringConvertible {
    /// One of JSON-RPC's. Source: `docs/protocol.md`, "Command envelopes".
    var code: Int { get }
}

extension RemoteFailure {
    /// Runs `body` and turns what it refuses with into an answer.
    package static func answering<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let refusal as any RemoteRefusal {
            throw RemoteFailure(code: refusal.code, message: "\(refusal)")
        }
    }
}
