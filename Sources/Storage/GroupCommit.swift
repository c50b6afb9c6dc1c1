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
        var isWorking = false
        var isClosed = false
        /// Who waits until nothing is left.
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    private enum Worker {
        case task(perform: @Sendable ([Operation]) async -> Void)
        case queue(begin: @Sendable (@escaping @Sendable () -> Void) -> Void, perform: @Sendable ([Operation]) -> Void)
    }

    private let cost: @Sendable (Operation) -> Int
    private let admits: @Sendable (Operation, Load) -> Bool
    private let limit: GroupLimit
    private let worker: Worker
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
        worker = .task(perform: perform)
    }

    /// Does the groups on a queue of the caller's: between a submission and its group no task has to find a thread.
    ///
    /// - Parameters:
    ///   - cost: As above.
    ///   - admits: As above.
    ///   - limit: As above.
    ///   - begin: Has the queue do something, behind what it was given before. Called anew for each group, so that others on the queue come between.
    ///   - perform: Does a group, in order, and tells each caller. On the queue; may block.
    package init(
        cost: @escaping @Sendable (Operation) -> Int,
        admits: @escaping @Sendable (Operation, Load) -> Bool,
        limit: GroupLimit,
        on begin: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        perform: @escaping @Sendable ([Operation]) -> Void
    ) {
        self.cost = cost
        self.admits = admits
        self.limit = limit
        worker = .queue(begin: begin, perform: perform)
    }

    /// Hands over an operation. Cheap, never waits.
    ///
    /// - Returns: False when there is no room, or after ``close()``: then the operation is not done.
    package func submit(_ operation: Operation) -> Bool {
        let cost = cost(operation)
        let (isTaken, begins) = state.withLock { state in
            guard !state.isClosed, admits(operation, state.load) else { return (false, false) }
            state.operations.append(operation)
            state.load.waiting += 1
            state.load.cost += cost
            // The work ends by itself when nothing waits; `close()` waits for it.
            defer { state.isWorking = true }
            return (true, !state.isWorking)
        }
        if begins { work() }
        return isTaken
    }

    package var load: Load { state.withLock(\.load) }

    /// Takes nothing from now on, and returns once everything that was taken is done.
    package func close() async {
        await withCheckedContinuation { closer in
            let isDone = state.withLock { state in
                state.isClosed = true
                if state.isWorking { state.closers.append(closer) }
                return !state.isWorking
            }
            if isDone { closer.resume() }
        }
    }

    private func work() {
        switch worker {
        case .task(let perform):
            Task {
                var done = 0
                while let group = next(after: done) {
                    await perform(group.operations)
                    done = group.cost
                }
            }
        case .queue(let begin, let perform): begin { self.work(after: 0, begin, perform) }
        }
    }

    private func work(
        after done: Int,
        _ begin: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        _ perform: @escaping @Sendable ([Operation]) -> Void
    ) {
        guard let group = next(after: done) else { return }
        perform(group.operations)
        // Looked at once more even where nothing waits: an operation may come until then.
        if hasMore {
            begin { self.work(after: group.cost, begin, perform) }
        } else {
            work(after: group.cost, begin, perform)
        }
    }

    private var hasMore: Bool { state.withLock { !$0.operations.isEmpty } }

    /// - Parameter done: The cost of the group before, which is free from now on.
    private func next(after done: Int) -> (operations: [Operation], cost: Int)? {
        let (group, closers) = state.withLock {
            state -> ((operations: [Operation], cost: Int)?, [CheckedContinuation<Void, Never>]) in
            state.load.cost -= done
            guard !state.operations.isEmpty else {
                state.isWorking = false
                defer { state.closers = [] }
                return (nil, state.closers)
            }
            let group = firstGroup(of: state.operations)
            let operations = Array(state.operations.prefix(group.count))
            state.operations.removeFirst(group.count)
            state.load.waiting -= group.count
            return ((operations, group.cost), [])
        }
        for closer in closers { closer.resume() }
        return group
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
