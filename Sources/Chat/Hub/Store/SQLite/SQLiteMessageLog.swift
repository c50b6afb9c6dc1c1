package import Accounts
package import Chat
package import GRDB
import Kernel
import Storage
import Synchronization

/// The log in SQLite: one writer, whose transactions take everything that waits, and readers beside it.
package final class SQLiteMessageLog: MessageLog {
    /// Writes that wait. What does not fit is refused with `StorageError.busy`.
    static let waitingLimit = 4096
    /// Writes and bytes of one transaction.
    static let groupLimit = GroupLimit(count: 256, cost: 1 << 20)
    /// Bytes that a row takes beside its content, roughly.
    static let rowCost = 256

    private struct Write: Sendable {
        let cost: Int
        let body: @Sendable (LogTransaction) throws -> Void
    }

    let database: any DatabaseWriter
    private let objects: any ObjectReferences
    private let writer: GroupWriter<Write, Void>
    private let counts: Counts

    /// - Parameters:
    ///   - database: The feature's, with ``ChatSchema/migrations`` and the tables of `objects`.
    ///   - hasWebhook: Whether what happens is written down for an app's backend, in tables of ``OutboxTable``.
    ///   - told: Called after each commit that brought something, in their order. It must not wait.
    /// - Throws: What SQLite says of the settings.
    package init(
        _ database: any DatabaseWriter,
        objects: any ObjectReferences,
        hasWebhook: Bool = false,
        told: @escaping @Sendable (LogNews) -> Void
    ) throws {
        try database.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA synchronous = FULL;
                    PRAGMA secure_delete = ON;
                    PRAGMA wal_autocheckpoint = 4000;
                    PRAGMA cache_size = -16384;
                    """
            )
        }
        let counts = Counts()
        self.database = database
        self.objects = objects
        self.counts = counts
        writer = GroupWriter(
            onQueueOf: database,
            capacity: Self.waitingLimit,
            groups: Self.groupLimit,
            cost: \.cost,
            commit: { writes, database in
                let transaction = LogTransaction(database, objects: objects, hasWebhook: hasWebhook)
                for write in writes { try write.body(transaction) }
                try transaction.finish()
                return (news: transaction.news, isBlanked: transaction.isBlanked)
            },
            committed: { writes, brought in
                counts.add(writes: writes.count, isBlanked: brought.isBlanked)
                if !brought.news.isEmpty { told(brought.news) }
            }
        )
    }

    package var load: LogLoad { counts.load }

    /// Writes whose group has not begun.
    package var waitingWrites: Int { writer.waiting }
    /// Whether a write waits or is on its way to the disk.
    package var isBusy: Bool { writer.isBusy }

    package func close() async { await writer.close() }

    package func scrub() async throws -> Bool {
        guard counts.takeBlanked() else { return true }
        let isDone = try await telling {
            try await self.database.writeWithoutTransaction { database in
                // A reader that is long at it must not hold up the writer.
                try database.execute(sql: "PRAGMA busy_timeout = 50")
                defer { try? database.execute(sql: "PRAGMA busy_timeout = 5000") }  // a constant of SQLite's own
                let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
                return row?["busy"] == 0
            }
        }
        if !isDone { counts.add(writes: 0, isBlanked: true) }
        return isDone
    }

    // MARK: Transactions

    /// - Parameter isWhole: Whether the body checks everything before it writes anything; otherwise what it wrote before it threw is undone.
    func write<Answer: Sendable>(
        cost: Int = rowCost,
        isWhole: Bool = false,
        _ body: @escaping @Sendable (LogTransaction) throws -> Answer
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { waiter in
            submit(cost: cost, isWhole: isWhole, body) { waiter.resume(with: $0) }
        }
    }

    /// As ``write(cost:isWhole:_:)``, without waiting.
    ///
    /// - Parameter done: As of `GroupWriter.submit(_:done:)`.
    private func submit<Answer: Sendable>(
        cost: Int,
        isWhole: Bool,
        _ body: @escaping @Sendable (LogTransaction) throws -> Answer,
        done: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) {
        let answer = Answered<Answer>()
        let write = Write(cost: cost) { transaction in answer.set(try transaction.attempt(isWhole: isWhole, body)) }
        writer.submit(write) { written in done(written.flatMap { _ in answer.outcome }) }
    }

    func reading<Answer: Sendable>(_ body: @escaping @Sendable (LogReading) throws -> Answer) async throws -> Answer {
        try await telling { try await self.database.read { try body(LogReading($0)) } }
    }

    private func telling<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        do { return try await body() } catch { throw StorageError.telling(error) }
    }

    /// The outcome of one write of a group.
    private final class Answered<Answer: Sendable>: Sendable {
        private let result = Mutex<Result<Answer, ChatHubError>?>(nil)

        func set(_ result: Result<Answer, ChatHubError>) { self.result.withLock { $0 = result } }

        /// After the group was written.
        var outcome: Result<Answer, any Error> {
            guard let result = result.withLock(\.self) else { return .failure(CancellationError()) }
            return result.mapError { $0 as any Error }
        }
    }

    private final class Counts: Sendable {
        private let state = Mutex((load: LogLoad(), isBlanked: false))

        var load: LogLoad { state.withLock(\.load) }

        func add(writes: Int, isBlanked: Bool) {
            state.withLock { state in
                if writes > 0 {
                    state.load.commits += 1
                    state.load.writes += writes
                }
                state.isBlanked = state.isBlanked || isBlanked
            }
        }

        func takeBlanked() -> Bool {
            state.withLock { state in
                defer { state.isBlanked = false }
                return state.isBlanked
            }
        }
    }
}

// MARK: Writes

extension SQLiteMessageLog {
    package func append(_ draft: MessageDraft, rules: SendRules, at now: Int64) async throws -> MessageAck {
        try await withCheckedThrowingContinuation { waiter in
            submit(draft, rules: rules, at: now) { waiter.resume(with: $0) }
        }
    }

    package func submit(
        _ draft: MessageDraft,
        rules: SendRules,
        at now: Int64,
        done: @escaping @Sendable (Result<MessageAck, any Error>) -> Void
    ) {
        let isWhole: Bool
        switch draft.facts.kind {
        case .flash, .flashViewed: isWhole = false
        default: isWhole = draft.facts.objectKeys.isEmpty
        }
        submit(
            cost: Self.rowCost + draft.content.count,
            isWhole: isWhole,
            { try $0.append(draft, rules: rules, at: now) },
            done: done
        )
    }

    package func recall(
        _ target: MessageTarget,
        in conversation: ConversationID,
        by person: UserID,
        window: Int64?,
        at now: Int64
    ) async throws -> StoredMessage {
        try await write { try $0.recall(target, in: conversation, by: person, window: window, at: now) }
    }

    package func delete(
        _ seqs: [Int64],
        in conversation: ConversationID,
        for person: UserID,
        at now: Int64
    ) async throws {
        try await write { try $0.delete(seqs, in: conversation, for: person, at: now) }
    }

    package func clear(_ conversation: ConversationID, for person: UserID, at now: Int64) async throws -> Int64 {
        try await write { try $0.clear(conversation, for: person, at: now) }
    }

    package func read(
        _ conversation: ConversationID,
        by person: UserID,
        upTo seq: Int64,
        tellsPeer: Bool,
        origin: String?,
        at now: Int64
    ) async throws -> Int64 {
        try await write {
            try $0.read(conversation, by: person, upTo: seq, tellsPeer: tellsPeer, origin: origin, at: now)
        }
    }

    package func receive(
        _ conversation: ConversationID,
        by person: UserID,
        upTo seq: Int64,
        tellsPeer: Bool
    ) async throws -> Int64 {
        try await write { try $0.receive(conversation, by: person, upTo: seq, tellsPeer: tellsPeer) }
    }

    package func change(
        _ change: SettingsChange,
        of conversation: ConversationID,
        for person: UserID,
        origin: String?,
        at now: Int64
    ) async throws -> MemberSettings {
        try await write(cost: Self.rowCost + (change.draft?.utf8.count ?? 0)) {
            try $0.change(change, of: conversation, for: person, origin: origin, at: now)
        }
    }

    package func hide(_ conversation: ConversationID, for person: UserID, at now: Int64) async throws {
        try await write { try $0.hide(conversation, for: person, at: now) }
    }

    package func answerRequest(
        _ conversation: ConversationID,
        by person: UserID,
        accepts: Bool,
        at now: Int64
    ) async throws {
        try await write { try $0.answerRequest(conversation, by: person, accepts: accepts, at: now) }
    }

    package func block(_ other: UserID, by person: UserID, limit: Int, at now: Int64) async throws {
        try await write { try $0.block(other, by: person, limit: limit, at: now) }
    }

    package func unblock(_ other: UserID, by person: UserID, at now: Int64) async throws {
        try await write { try $0.unblock(other, by: person, at: now) }
    }

    package func report(
        _ target: MessageTarget?,
        in conversation: ConversationID,
        by person: UserID,
        reason: String,
        limit: Int,
        at now: Int64
    ) async throws -> Int64 {
        try await write { try $0.report(target, in: conversation, by: person, reason: reason, limit: limit, at: now) }
    }

    package func closeReport(_ id: Int64, at now: Int64) async throws {
        try await write { try $0.closeReport(id, at: now) }
    }

    package func openFlash(
        _ target: MessageTarget,
        in conversation: ConversationID,
        by person: UserID,
        device: String,
        leaseMilliseconds: Int64,
        at now: Int64
    ) async throws -> FlashLease {
        try await write {
            try $0.openFlash(
                target,
                in: conversation,
                by: person,
                device: device,
                until: now + leaseMilliseconds,
                at: now
            )
        }
    }

    package func destroyFlash(_ flash: LeasedFlash, at now: Int64) async throws {
        try await write { try $0.destroyFlash(flash, at: now) }
    }

    package func sweepFlashes(at now: Int64, limit: Int) async throws -> Int {
        try await write { try $0.sweepFlashes(at: now, limit: limit) }
    }

    package func beginDeletion(of person: UserID, at now: Int64) async throws {
        try await write { try $0.beginDeletion(of: person, at: now) }
    }

    package func continueDeletion(of person: UserID, limit: Int, at now: Int64) async throws -> Bool {
        try await write { try $0.continueDeletion(of: person, limit: limit, at: now) }
    }
}
