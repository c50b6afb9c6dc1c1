package import GRDB

/// Writes of many callers to one database, a group to a transaction. Each caller is told when its own write is on disk.
package struct GroupWriter<Write: Sendable, Outcome: Sendable>: Sendable {
    private struct Waiting: Sendable {
        let write: Write
        let done: @Sendable (Result<Outcome, any Error>) -> Void
    }

    private let group: GroupCommit<Waiting>

    /// - Parameters:
    ///   - capacity: Writes that wait at a time.
    ///   - groups: The bounds of one group, in writes and in what `cost` counts.
    ///   - cost: The cost of a write, such as its bytes.
    ///   - commit: Writes a group down, and answers with the outcome of each. When it throws, each caller is told so.
    package init(
        capacity: Int,
        groups: GroupLimit = GroupLimit(),
        cost: @escaping @Sendable (Write) -> Int = { _ in 1 },
        commit: @escaping @Sendable ([Write]) async throws -> [Outcome]
    ) {
        group = GroupCommit(
            cost: { cost($0.write) },
            admits: { _, load in load.waiting < capacity },
            limit: groups
        ) { waiting in
            do {
                let outcomes = try await commit(waiting.map(\.write))
                for (waiting, outcome) in zip(waiting, outcomes) { waiting.done(.success(outcome)) }
            } catch {
                let error = StorageError.telling(error)
                for waiting in waiting { waiting.done(.failure(error)) }
            }
        }
    }

    /// - Parameters:
    ///   - capacity: Writes that wait at a time.
    ///   - apply: One write, in the group's transaction. When it throws, the whole group is undone and each caller told so.
    ///   - finish: Work after a group's writes in their transaction, such as removing the oldest rows.
    package init(
        _ database: any DatabaseWriter,
        capacity: Int,
        apply: @escaping @Sendable (Write, Database) throws -> Outcome,
        finish: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) {
        self.init(capacity: capacity) { writes in
            try await database.write { database in
                let outcomes = try writes.map { try apply($0, database) }
                try finish(database)
                return outcomes
            }
        }
    }

    /// Writes groups on the queue of a database's writer, without a task in between. What else is written there comes between two groups.
    ///
    /// - Parameters:
    ///   - capacity: Writes that wait at a time.
    ///   - groups: The bounds of one group, in writes and in what `cost` counts.
    ///   - cost: The cost of a write, such as its bytes.
    ///   - commit: Writes a group down, in a transaction of its own. When it throws, nothing of the group is written and each caller told so.
    ///   - committed: Called on the queue with what `commit` gave, before the callers are told. It must not wait.
    package init<Commit>(
        onQueueOf database: any DatabaseWriter,
        capacity: Int,
        groups: GroupLimit,
        cost: @escaping @Sendable (Write) -> Int,
        commit: @escaping @Sendable ([Write], Database) throws -> Commit,
        committed: @escaping @Sendable ([Write], Commit) -> Void
    ) where Outcome == Void {
        group = GroupCommit(
            cost: { cost($0.write) },
            admits: { _, load in load.waiting < capacity },
            limit: groups,
            on: { work in database.asyncWriteWithoutTransaction { _ in work() } }
        ) { waiting in
            let writes = waiting.map(\.write)
            do {
                // On the writer's queue already, which this is the way to say.
                let outcome = try database.unsafeReentrantWrite { database in
                    var outcome: Commit?
                    try database.inTransaction {
                        outcome = try commit(writes, database)
                        return .commit
                    }
                    return outcome
                }
                if let outcome { committed(writes, outcome) }
                for waiting in waiting { waiting.done(.success(())) }
            } catch {
                let error = StorageError.telling(error)
                for waiting in waiting { waiting.done(.failure(error)) }
            }
        }
    }

    /// Returns when the write is on disk. A cancelled caller waits too: its write may be on disk already.
    ///
    /// - Throws: ``StorageError``, or what `apply` threw for a write of the same group; ``StorageError/busy`` without room.
    package func write(_ write: Write) async throws -> Outcome {
        try await withCheckedThrowingContinuation { waiter in submit(write) { waiter.resume(with: $0) } }
    }

    /// Hands over a write and returns at once.
    ///
    /// - Parameter done: Told of the outcome, or of what ``write(_:)`` throws, in the order in which the writes were handed over; without room
    ///   before this returns. It must not wait: the next group does.
    package func submit(_ write: Write, done: @escaping @Sendable (Result<Outcome, any Error>) -> Void) {
        guard group.submit(Waiting(write: write, done: done)) else { return done(.failure(StorageError.busy)) }
    }

    /// Writes whose group has not begun.
    package var waiting: Int { group.load.waiting }
    /// Whether anything waits or is on its way to the disk.
    package var isBusy: Bool { group.load.cost > 0 }

    /// Takes nothing from now on, and returns once everything that was taken is on disk or failed.
    package func close() async { await group.close() }
}
