import Synchronization

/// Results on their way in pieces, so that whoever asked can end one. Source: `docs/protocol.md`, "Cancelling".
public final class StreamsUnderWay: Sendable {
    private struct Key: Hashable {
        let asker: String
        let request: String
    }

    private struct State {
        /// Several for one request: a repeat of it is answered with a stream of its own.
        var tasks: [Key: [UInt64: Task<Void, any Error>]] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// Runs `stream` until it has ended, ``cancel(_:of:)`` names it, or the caller is cancelled.
    ///
    /// - Throws: What `stream` throws.
    func run(_ request: String, of asker: String, _ stream: @escaping @Sendable () async throws -> Void) async throws {
        let key = Key(asker: asker, request: request)
        let (id, task) = state.withLock { state in
            state.next += 1
            let task = Task { try await stream() }
            state.tasks[key, default: [:]][state.next] = task
            return (state.next, task)
        }
        defer {
            state.withLock { state in
                state.tasks[key]?[id] = nil
                if state.tasks[key]?.isEmpty == true { state.tasks[key] = nil }
            }
        }
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Ends the streams that answer one request of one asker.
    public func cancel(_ request: String, of asker: String) {
        let tasks = state.withLock { $0.tasks[Key(asker: asker, request: request)] ?? [:] }
        for task in tasks.values { task.cancel() }
    }
}
