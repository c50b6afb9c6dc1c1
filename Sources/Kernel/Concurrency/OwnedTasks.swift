import Synchronization

/// Tasks that end with their owner: each leaves when it is done, and ``end()`` cancels and awaits the rest.
public final class OwnedTasks: Sendable {
    private struct State {
        var tasks: [UInt64: Task<Void, Never>] = [:]
        var next: UInt64 = 0
        var isEnded = false
    }

    private let state = Mutex(State())

    public init() {}

    /// Starts `operation`, unless the bag has ended.
    ///
    /// - Returns: The task, for who may end it sooner; nil where nothing was started.
    @discardableResult
    public func add(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
        state.withLock { state in
            guard !state.isEnded else { return nil }
            state.next += 1
            let id = state.next
            let task = Task { [weak self] in
                await operation()
                self?.finished(id)
            }
            state.tasks[id] = task
            return task
        }
    }

    /// Tasks that have not ended.
    public var count: Int { state.withLock { $0.tasks.count } }

    /// Cancels what runs and returns when all of it has ended. Nothing starts any more.
    public func end() async {
        let running = state.withLock { state in
            state.isEnded = true
            return Array(state.tasks.values)
        }
        for task in running { task.cancel() }
        for task in running { await task.value }
    }

    private func finished(_ id: UInt64) {
        // The task was stored before this lock could be taken, so there is always something to remove.
        state.withLock { _ = $0.tasks.removeValue(forKey: id) }
    }
}
