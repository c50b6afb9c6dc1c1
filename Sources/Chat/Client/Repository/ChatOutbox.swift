import Chat
import Kernel
import Storage
import Synchronization

/// Own messages on their way out: first on disk, then in the queue, in the order of the calls. Source: rules Q1, Q4, Q7.
final class ChatOutbox: Sendable {
    private enum Act: Sendable {
        case add(OutgoingMessage, position: Int64)
        case resend(id: String, position: Int64)
        case discard(id: String)

        var id: String {
            switch self {
            case .add(let message, _): message.id
            case .resend(let id, _), .discard(let id): id
            }
        }
    }

    private struct Operation: Sendable {
        let act: Act
        let done: @Sendable (Result<Void, any Error>) -> Void
    }

    private struct State {
        var position: Int64 = 0
        /// Taken, and not in the queue yet.
        var taken: Set<String> = []
        /// Of these, those that are not to be sent after all.
        var cancelled: Set<String> = []
        var isEnded = false
    }

    /// Messages that may wait at a time.
    private static let limit = 1000

    private final class Shared: Sendable {
        let value = Mutex(State())
    }

    private let state: Shared
    private let queue: SendQueue
    private let ledger: OutboxLedger
    private let group: GroupCommit<Operation>

    init(_ account: StoredAccount, queue: SendQueue, ledger: OutboxLedger) {
        self.queue = queue
        self.ledger = ledger
        let state = Shared()
        self.state = state
        group = GroupCommit(admits: { _, load in load.waiting < Self.limit }) { operations in
            let results: [Result<OutgoingMessage?, any Error>]
            do {
                results = try await account.write { transaction in
                    try operations.map { try Self.apply($0.act, in: transaction) }
                }
            } catch {
                results = operations.map { _ in .failure(error) }
            }
            for (operation, result) in zip(operations, results) {
                Self.finish(operation, result, state, queue, ledger)
            }
        }
    }

    /// What one act alone may not do fails for its caller; what the disk refuses fails for the group.
    ///
    /// - Returns: The message that goes into the queue; nil for none.
    private static func apply(
        _ act: Act,
        in transaction: ChatTransaction
    ) throws -> Result<OutgoingMessage?, any Error> {
        do {
            switch act {
            case .add(let message, let position):
                return .success(try transaction.addOutgoing(message, at: position) ? message : nil)
            case .resend(let id, let position): return .success(try transaction.noteResent(id, at: position))
            case .discard(let id):
                _ = try transaction.discard(id)
                return .success(nil)
            }
        } catch let error as ChatError {
            return .failure(error)
        }
    }

    private static func finish(
        _ operation: Operation,
        _ result: Result<OutgoingMessage?, any Error>,
        _ state: Shared,
        _ queue: SendQueue,
        _ ledger: OutboxLedger
    ) {
        let id = operation.act.id
        if case .discard = operation.act { ledger.remove(id) }
        switch result {
        case .success(let message?):
            ledger.add(message)
            state.value.withLock { state in
                state.taken.remove(id)
                guard state.cancelled.remove(id) == nil else { return }
                // Ended: it is on disk for the next time. Full: the bound of what is taken keeps it from that.
                try? queue.enqueue(message)
            }
            operation.done(.success(()))
        case .success(nil):
            state.value.withLock { _ = $0.taken.remove(id) }
            operation.done(.success(()))
        case .failure(let error):
            state.value.withLock { _ = $0.taken.remove(id) }
            operation.done(.failure(error))
        }
    }

    /// Takes up what waited when the program ended: the same messages under the same ids, in their order.
    ///
    /// - Parameter waiting: All that is on disk.
    func resume(_ waiting: [ChatReading.Waiting], lastPosition: Int64) {
        state.value.withLock { $0.position = max($0.position, lastPosition) }
        for one in waiting {
            ledger.add(one.message, isFailed: one.isFailed)
            // Never full: no more than that were ever taken.
            if !one.isFailed { try? queue.enqueue(one.message) }
        }
    }

    /// Takes a message, at once and in the order of the calls.
    ///
    /// - Parameter done: Called when it is on disk, or could not be kept.
    /// - Throws: ``ChatError/queueEnded``, ``ChatError/queueFull(limit:)``.
    func add(_ message: OutgoingMessage, done: @escaping @Sendable (Result<Void, any Error>) -> Void) throws(ChatError)
    {
        try submit(done) { .add(message, position: $0) }
    }

    /// Takes a failed message once more. Source: rule B24.
    ///
    /// - Throws: As ``add(_:done:)``.
    func resend(_ id: String, done: @escaping @Sendable (Result<Void, any Error>) -> Void) throws(ChatError) {
        try submit(done) { .resend(id: id, position: $0) }
    }

    /// Returns when the message is on disk and in the queue.
    func add(_ message: OutgoingMessage) async throws {
        try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
            do { try add(message) { waiter.resume(with: $0) } } catch { waiter.resume(throwing: error) }
        }
    }

    /// Returns when it is on disk and in the queue.
    func resend(_ id: String) async throws {
        try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
            do { try resend(id) { waiter.resume(with: $0) } } catch { waiter.resume(throwing: error) }
        }
    }

    private func submit(
        _ done: @escaping @Sendable (Result<Void, any Error>) -> Void,
        _ make: (Int64) -> Act
    ) throws(ChatError) {
        let refusal: ChatError? = state.value.withLock { state in
            guard !state.isEnded else { return .queueEnded }
            guard state.taken.count + queue.count < Self.limit else { return .queueFull(limit: Self.limit) }
            state.position += 1
            let act = make(state.position)
            // Within the lock, so that the order of the numbers is that of the group.
            guard group.submit(Operation(act: act, done: done)) else { return .queueFull(limit: Self.limit) }
            state.taken.insert(act.id)
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Takes back a message that waits or failed, at once; its row goes when the disk has it.
    ///
    /// - Returns: False for one that is being sent or was sent. Source: rule B19.
    func cancel(_ id: String, done: @escaping @Sendable (Result<Void, any Error>) -> Void = { _ in }) -> Bool {
        state.value.withLock { state in
            if state.taken.contains(id) {
                state.cancelled.insert(id)
            } else if !queue.cancel(id), !ledger.isFailed(id) {
                return false
            }
            return group.submit(Operation(act: .discard(id: id), done: done))
        }
    }

    /// Returns when the message is gone.
    ///
    /// - Throws: ``ChatError/notRecallable`` for one that is being sent or was sent.
    func discard(_ id: String) async throws {
        try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
            guard cancel(id, done: { waiter.resume(with: $0) }) else {
                return waiter.resume(throwing: ChatError.notRecallable)
            }
        }
    }

    /// Stops all sending. What was not sent stays on disk.
    func end() async {
        state.value.withLock { $0.isEnded = true }
        await queue.end()
        await group.close()
    }
}
