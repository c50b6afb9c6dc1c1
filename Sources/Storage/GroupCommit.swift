import Synchronization

/// The bounds of one group: what does not fit goes with the next.
package struct GroupLimit: Hashable, Sendable {
    /// Operations of a group.
    package let count: Int
    /// The cost of a group; one operation may cost more, and is a group of its own then.
    package let cost: Int

    package init(count: Int = .max, cost: Int = .max) {
        self.count = max(1, count)
        self.cost = cost
    }
}

/// Work that is done in groups: what arrives while one group is under way waits and makes up the next one. Where each group is one
/// commit, many small writes share the time that the disk takes for it.
///
/// Order is kept: an operation is in an earlier group than one that was submitted after it, or in the same one.
package final class GroupCommit<Operation: Sendable>: Sendable {
    /// Counts of the operations that are in memory only.
    package struct Load: Sendable {
        /// Operations whose group has not begun.
        package fileprivate(set) var waiting = 0
        /// The cost of all that is not done: of those that wait and of those under way.
        package fileprivate(set) var cost = 0
    }

    private struct State {
        var operations: [Operation] = []
        var load = Load()
        var worker: Task<Void, Never>?
        var isClosed = false
    }

    private let cost: @Sendable (Operation) -> Int
    private let admits: @Sendable (Operation, Load) -> Bool
    private let limit: GroupLimit
    private let perform: @Sendable ([Operation]) async -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - cost: The cost that an operation counts until it is done, such as its bytes.
    ///   - admits: Whether there is room for an operation. Called under a lock.
    ///   - limit: The bounds of a group, so that what came first does not wait for all that came behind it.
    ///   - perform: Does a group, in order, and tells each caller. Only one runs at a time.
    package init(
        cost: @escaping @Sendable (Operation) -> Int = { _ in 1 },
        admits: @escaping @Sendable (Operation, Load) -> Bool,
        limit: GroupLimit = GroupLimit(),
        perform: @escaping @Sendable ([Operation]) async -> Void
    ) {
        self.cost = cost
        self.admits = admits
        self.limit = limit
        self.perform = perform
    }

    /// Hands over an operation. Cheap, never waits.
    ///
    /// - Returns: False when there is no room, or after ``close()``: then the operation is not done.
    package func submit(_ operation: Operation) -> Bool {
        let cost = cost(operation)
        return state.withLock { state in
            guard !state.isClosed, admits(operation, state.load) else { return false }
            state.operations.append(operation)
            state.load.waiting += 1
            state.load.cost += cost
            // Ends by itself when nothing waits; `close()` waits for it.
            if state.worker == nil { state.worker = Task { await self.work() } }
            return true
        }
    }

    package var load: Load { state.withLock(\.load) }

    /// Takes nothing from now on, and returns once everything that was taken is done.
    package func close() async {
        let worker = state.withLock { state in
            state.isClosed = true
            return state.worker
        }
        await worker?.value
    }

    private func work() async {
        var done = 0
        while let group = next(after: done) {
            await perform(group.operations)
            done = group.cost
        }
    }

    /// - Parameter done: The cost of the group before, which is free from now on.
    private func next(after done: Int) -> (operations: [Operation], cost: Int)? {
        state.withLock { state in
            state.load.cost -= done
            guard !state.operations.isEmpty else {
                state.worker = nil
                return nil
            }
            let group = firstGroup(of: state.operations)
            let operations = Array(state.operations.prefix(group.count))
            state.operations.removeFirst(group.count)
            state.load.waiting -= group.count
            return (operations, group.cost)
        }
    }

    private func firstGroup(of operations: [Operation]) -> (count: Int, cost: Int) {
        var (count, sum) = (0, 0)
        for operation in operations.prefix(limit.count) {
            let cost = cost(operation)
            guard count == 0 || sum <= limit.cost - cost else { break }
            count += 1
            sum += cost
        }
        return (count, sum)
    }
}
