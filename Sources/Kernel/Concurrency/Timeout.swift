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

/// Runs `work`, at the latest until `duration` of `time` is over: then it is cancelled and not waited for any longer, whatever it does. Also where
/// the caller was cancelled. For the end of a program, which no part may hold up.
///
/// - Returns: Whether it ended in time.
package func endsWithin(
    _ duration: Duration,
    on time: any TimeSource,
    _ work: @escaping @Sendable () async -> Void
) async -> Bool {
    let deadline = time.now + duration
    let (ends, end) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingOldest(1))
    let working = Task {
        await work()
        end.yield(true)
    }
    let timer = Task {
        // Cancelled once the work has ended.
        guard (try? await time.sleep(until: deadline, tolerance: nil)) != nil else { return }
        end.yield(false)
    }
    let isInTime = await withCancellationShield {
        for await isInTime in ends { return isInTime }
        return false
    }
    timer.cancel()
    working.cancel()
    return isInTime
}
