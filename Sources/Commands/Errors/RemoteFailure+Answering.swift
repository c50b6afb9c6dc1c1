import Kernel

extension RemoteFailure {
    /// Runs `body` and turns what it refuses with into an answer. An error without a code goes on as it is.
    package static func answering<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let refusal as any ClassifiedError {
            let facts = refusal.facts
            guard let code = facts.code else { throw refusal }
            throw RemoteFailure(code: code, message: facts.word ?? refusal.description)
        }
    }
}
