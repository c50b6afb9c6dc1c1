package import Kernel

/// An error that a phone is answered with a code of its own.
package protocol RemoteRefusal: Error, CustomStringConvertible {
    /// One of JSON-RPC's. Source: `docs/protocol.md`, "Command envelopes".
    var code: Int { get }
    /// The text for the phone: a documented word where there is one. The description when a refusal says nothing else.
    var message: String { get }
}

extension RemoteRefusal {
    package var message: String { description }
}

extension BlockingWorkError: RemoteRefusal {
    package var code: Int {
        switch self {
        case .tooMuchWaits: FailureCode.busy
        }
    }
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
            throw RemoteFailure(code: refusal.code, message: refusal.message)
        }
    }
}
