/// Runs `work` to its end although the caller's task is cancelled before or meanwhile: in a task of its own, which is waited for.
///
/// A cancelled task writes nothing to a database and sends nothing, so what has to be said or kept at its end goes through here.
public func withCancellationShield<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result = await Task { () -> Result<Value, Failure> in
        do throws(Failure) {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }.value
    return try result.get()
}
