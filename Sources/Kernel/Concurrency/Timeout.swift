/// Runs `operation`, and ends it after `duration` of `time`, counted from this call: on a busy machine both tasks may begin much later.
///
/// - Throws: `failure` when the time is over first; every error that `operation` throws; `CancellationError`
///   when the caller is cancelled.
public func withTimeout<Value: Sendable>(
    _ duration: Duration,
    on time: any TimeSource,
    throwing failure: any Error,
    operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let deadline = time.now + duration
    return try await withThrowingTaskGroup(of: Value.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await operation() }
        group.addTask {
            try await time.sleep(until: deadline, tolerance: nil)
            throw failure
        }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
    }
}
