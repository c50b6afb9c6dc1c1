import Synchronization

/// Results on their way in pieces, so that the device that asked can end one. Source: `docs/protocol.md`, "Cancelling".
package final class ActiveStreams: Sendable {
    private struct Key: Hashable {
        let asker: String
        let request: String
    }

    private struct State {
        /// The streams by request. Several for one: a repeat of it is answered with a stream of its own.
        var tasks: [Key: [UInt64: Task<Void, any Error>]] = [:]
        /// Requests that are being answered, and whether their asker wants no answer any more. Several under one key: repeats.
        var answering: [Key: (count: Int, isCancelled: Bool)] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// A request begins to be answered: a cancel that comes before its stream does counts too.
    package func began(_ request: String, of asker: String) {
        state.withLock { $0.answering[Key(asker: asker, request: request), default: (0, false)].count += 1 }
    }

    /// To be called once for each ``began(_:of:)``.
    package func ended(_ request: String, of asker: String) {
        let key = Key(asker: asker, request: request)
        state.withLock { state in
            state.answering[key]?.count -= 1
            if state.answering[key]?.count == 0 { state.answering[key] = nil }
        }
    }

    /// Runs `stream` until it has ended, ``cancel(_:of:)`` names it, or the caller is cancelled.
    ///
    /// - Throws: What `stream` throws.
    func run(_ request: String, of asker: String, _ stream: @escaping @Sendable () async throws -> Void) async throws {
        let key = Key(asker: asker, request: request)
        let begun = state.withLock { state -> (UInt64, Task<Void, any Error>)? in
            guard state.answering[key]?.isCancelled != true else { return nil }
            state.next += 1
            let task = Task { try await stream() }
            state.tasks[key, default: [:]][state.next] = task
            return (state.next, task)
        }
        guard let (id, task) = begun else { throw CancellationError() }
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

    /// Ends everything that is on its way to an asker.
    package func cancelAll(of asker: String) {
        let tasks = state.withLock { state in
            state.tasks.filter { $0.key.asker == asker }.values.flatMap(\.values)
        }
        for task in tasks { task.cancel() }
    }

    /// Ends the streams that answer one request of one asker.
    package func cancel(_ request: String, of asker: String) {
        let key = Key(asker: asker, request: request)
        let tasks = state.withLock { state in
            state.answering[key]?.isCancelled = true
            return state.tasks[key] ?? [:]
        }
        for task in tasks.values { task.cancel() }
    }
}
