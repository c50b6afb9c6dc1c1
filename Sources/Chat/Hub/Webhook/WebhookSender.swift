import Accounts
import Capabilities
import Chat
import GRDB
import Kernel
import Logging
import Metrics
import Synchronization
import WebClient

/// Tells an app's backend what happened: at least once, and what is of one conversation in its order. It works from the database beside everything
/// else, so that a backend that hangs holds up nobody.
final class WebhookSender: Sendable {
    /// Requests at a time.
    private static let width = 8
    /// How long the backend may take for an answer.
    private static let patience = WebTimeouts(idle: .seconds(10), whole: .seconds(15))
    /// Bytes of an answer; nothing of it is used.
    private static let largestAnswer: Int64 = 64 << 10
    private static let firstWait: Duration = .seconds(1)
    private static let longestWait: Duration = .seconds(900)
    /// Milliseconds after which an entry that is always refused is given up: one must not hold up its conversation for ever.
    private static let lifetime: Int64 = 3 * 86_400_000

    private struct Waits {
        var failures = 0
        var until: ContinuousClock.Instant
    }

    private struct State {
        /// Lanes whose first entry was refused.
        var waits: [Int64: Waits] = [:]
        /// Lanes of which one is told now: what is of one lane is told in its order.
        var busy: Set<Int64> = []
    }

    private let database: any DatabaseWriter
    private let target: WebhookTarget
    private let web: any WebClient
    private let time: any TimeSource
    private let logger: Logger
    private let arrived = LatestValue(0)
    private let state = Mutex(State())

    init(
        _ database: any DatabaseWriter,
        to target: WebhookTarget,
        web: any WebClient,
        time: any TimeSource,
        logger: Logger
    ) {
        self.database = database
        self.target = target
        self.web = web
        self.time = time
        self.logger = logger
    }

    /// Writes down that a received signal became a conversation.
    func note(signal number: Int64, openedBy person: UserID) async throws {
        let now = time.date.millisecondsSince1970
        try await database.write { database in
            try OutboxTable.add(
                .signalOpened,
                lane: -person.number,
                person: person,
                number: number,
                at: now,
                in: database
            )
        }
        look()
    }

    /// Whether everything that happened is told, or waits to be.
    func check() async -> DoctorCheck {
        await .finding("Webhook") { [database] in
            let counts = try await database.read { try OutboxTable.counts(in: $0) }
            guard counts.lost == 0 else { throw WebhookLoss(count: counts.lost) }
            return (counts.waiting == 0 ? "everything is told" : "\(counts.waiting) wait to be told", nil, nil)
        }
    }

    /// Something happened. Does not wait.
    func look() { arrived.update { $0 += 1 } }

    /// Tells until its task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                // Those that wait for another try; their waits are whole seconds.
                while await time.pause(for: Self.firstWait) {
                    if !state.withLock(\.waits.isEmpty) { look() }
                }
            }
            group.addTask { [self] in
                await withDiscardingTaskGroup { group in
                    for await _ in arrived.values() {
                        for entry in await next() {
                            group.addTask { [self] in
                                await tell(entry)
                                _ = state.withLock { $0.busy.remove(entry.lane) }
                                look()
                            }
                        }
                    }
                }
            }
        }
    }

    /// What may be told now; for the one task that asks.
    private func next() async -> [OutboxEntry] {
        let now = time.now
        let (lanes, places) = state.withLock { state in
            (
                state.busy.union(state.waits.filter { $0.value.until > now }.keys), Self.width - state.busy.count
            )
        }
        guard places > 0 else { return [] }
        do {
            let entries = try await database.read {
                try OutboxTable.heads(without: lanes, limit: places, in: $0)
            }
            state.withLock { $0.busy.formUnion(entries.map(\.lane)) }
            return entries
        } catch {
            logger.notice("the webhook's entries cannot be read", metadata: ["reason": "\(error)"])
            return []
        }
    }

    private func tell(_ entry: OutboxEntry) async {
        do {
            let body = try await database.read { try WebhookBody.bytes(of: entry, in: $0) }
            // What it was about is gone with an account.
            if let body { try await send(body, entry) }
            try await database.write { try OutboxTable.remove(entry.id, in: $0) }
            state.withLock { $0.waits[entry.lane] = nil }
            Counter(label: "chat_webhook_sent").increment()
        } catch is CancellationError, WebClientError.cancelled, WebClientError.closed {
            // The hub ends: the next process tells it.
            return
        } catch {
            await refused(entry, error)
        }
    }

    private func send(_ body: [UInt8], _ entry: OutboxEntry) async throws {
        let seconds = time.date.millisecondsSince1970 / 1000
        let request = WebRequest(
            .post,
            target.url,
            fields: [
                "Content-Type": "application/json", "Tandem-Event": "\(entry.id)", "Tandem-Timestamp": "\(seconds)",
                "Tandem-Signature": "v1=\(target.signature(of: body, at: seconds))",
            ],
            body: .bytes(body),
            timeouts: Self.patience,
            largestBody: Self.largestAnswer
        )
        let answer = try await web.collect(request)
        guard (200...299).contains(answer.status) else { throw WebhookRefusal(status: answer.status) }
    }

    /// The lane waits; an entry that is too old is given up.
    private func refused(_ entry: OutboxEntry, _ error: any Error) async {
        Counter(label: "chat_webhook_failed").increment()
        logger.info("the webhook was not told", metadata: ["entry": "\(entry.id)", "reason": "\(error)"])
        let now = time.now
        state.withLock { state in
            let failures = (state.waits[entry.lane]?.failures ?? 0) + 1
            let wait = Self.firstWait * (1 << min(failures - 1, 10))
            state.waits[entry.lane] = Waits(failures: failures, until: now + min(wait, Self.longestWait))
        }
        guard time.date.millisecondsSince1970 - entry.at > Self.lifetime else { return }
        do {
            try await database.write { database in
                try OutboxTable.remove(entry.id, in: database)
                try OutboxTable.lose(1, in: database)
            }
            state.withLock { $0.waits[entry.lane] = nil }
            look()
        } catch {
            // It stays, and is tried again.
            logger.notice("an entry of the webhook stays", metadata: ["reason": "\(error)"])
        }
    }
}

/// A backend that answered with something else than success.
struct WebhookRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    let status: Int

    var description: String { "the backend answered \(status)" }
}

/// Something happened that the backend will not be told.
struct WebhookLoss: Error, Hashable, Sendable, CustomStringConvertible {
    let count: Int

    var description: String {
        "\(count) things that happened were not told to chatWebhook, because too much waited or it refused them for days. Mend the backend, "
            + "and let it load what it lacks."
    }
}
