import Chat
import Kernel
import Storage
import Synchronization

/// The journal of an account's ``SendQueue``, on disk. Source: rule Q7.
final class OutboxLedger: SendJournal {
    /// What else happens when a message moves.
    struct Callbacks: Sendable {
        /// A message left the outbox: it was sent, or thrown away.
        var left: @Sendable (OutgoingMessage) -> Void = { _ in }
        /// The hub has a message; whether something before its place is missing here.
        var sent: @Sendable (ConversationID, _ hasGap: Bool) -> Void = { _, _ in }
        var progressed: @Sendable (_ id: String) -> Void = { _ in }
        /// An end was not written down: ``OutboxLedger/noteLate()`` tries it again.
        var late: @Sendable () -> Void = {}
    }

    private let account: StoredAccount
    private let feed: ChatFeed
    private let pipeline: SealingPipeline
    private let early: EarlyBook
    private let callbacks: Callbacks
    /// Messages that wait, are being sent or failed.
    private let known = Mutex<[String: (message: OutgoingMessage, isFailed: Bool)]>([:])
    /// Ends that the disk did not take.
    private let late = Mutex<[SendEvent]>([])

    init(
        _ account: StoredAccount,
        feed: ChatFeed,
        pipeline: SealingPipeline,
        early: EarlyBook,
        callbacks: Callbacks
    ) {
        self.account = account
        self.early = early
        self.feed = feed
        self.pipeline = pipeline
        self.callbacks = callbacks
    }

    func add(_ message: OutgoingMessage, isFailed: Bool = false) {
        known.withLock { $0[message.id] = (message, isFailed) }
    }

    func message(_ id: String) -> OutgoingMessage? { known.withLock { $0[id]?.message } }

    func isFailed(_ id: String) -> Bool { known.withLock { $0[id]?.isFailed ?? false } }

    /// The ids of all that wait or failed.
    var ids: Set<String> { known.withLock { Set($0.keys) } }

    func remove(_ id: String) {
        feed.setProgress(id, nil)
        guard let message = known.withLock({ $0.removeValue(forKey: id) })?.message else { return }
        callbacks.left(message)
    }

    /// Where a message has begun or waits to be tried again nothing is written: after a crash it is sent from the start, under its id.
    func note(_ event: SendEvent) async throws {
        switch event {
        case .sending(let id), .retrying(let id, _): tell(event, of: id)
        case .uploaded(let message):
            try await account.write { try $0.noteUploaded(message) }
            known.withLock { $0[message.id]?.message = message }
            tell(event, of: message.id)
        case .sent, .failed:
            do {
                // The queue may be ending: what the hub has is noted all the same.
                try await withCancellationShield { try await self.noteEnd(event) }
            } catch {
                // No row stays on its way for ever. Source: rule Q5.
                late.withLock { $0.append(event) }
                callbacks.late()
            }
        }
    }

    private func noteEnd(_ event: SendEvent) async throws {
        switch event {
        case .sent(let answer):
            let isSealed = pipeline.isSealed(answer.clientMessageID)
            let sent = try await account.write { [early] in
                try $0.noteSent(answer, isSealed: isSealed, early: early)
            }
            pipeline.forget(answer.clientMessageID)
            tell(event, of: answer.clientMessageID)
            remove(answer.clientMessageID)
            if let (id, hasGap) = sent { callbacks.sent(id, hasGap) }
        case .failed(let id, let reason, _):
            let isFailed = try await account.write { try $0.noteFailed(id, reason: reason) }
            guard isFailed else { return remove(id) }
            known.withLock { $0[id]?.isFailed = true }
            feed.setProgress(id, nil)
            tell(event, of: id)
        case .sending, .retrying, .uploaded: break
        }
    }

    var hasLate: Bool { late.withLock { !$0.isEmpty } }

    /// Writes down the ends that the disk did not take.
    ///
    /// - Throws: Where it does not take them now either.
    func noteLate() async throws {
        while let event = late.withLock(\.first) {
            try await noteEnd(event)
            late.withLock { _ = $0.removeFirst() }
        }
    }

    private func tell(_ event: SendEvent, of id: String) {
        guard let message = message(id) else { return }
        feed.tell(.step(event), of: message.conversation)
    }

    func progressed(_ id: String, _ part: Double) {
        guard let message = message(id) else { return }
        feed.setProgress(id, part)
        feed.tell(.progress(id: id, part: part), of: message.conversation)
        callbacks.progressed(id)
    }
}
