import Conversations
import Kernel
import Logging
import Synchronization

/// The database, queues and broadcaster that the parts of the index share.
final class IndexParts: Sendable {
    let database: IndexDatabase
    /// The queue for the list: heads and tails of files.
    let disk = BlockingWork("tandem.index", width: 2, urgency: .bulk)
    /// The queue for the full text, which has time.
    let textDisk = BlockingWork("tandem.text", width: 1, urgency: .bulk)
    let changes = Broadcaster<ThreadChange>(capacity: 1024)
    let time: any TimeSource
    let logger: Logger
    /// The threads of files by path, so that growing is told without asking the database.
    private let known = Mutex<[String: ThreadReference]>([:])
    /// Text may be due.
    let textDue = Signal()
    /// How far the first looks are, together; nil once all have ended.
    let progress = LatestValue<IndexingProgress?>(nil)
    private let progresses = Mutex<[Agent: IndexingProgress]>([:])

    init(database: IndexDatabase, time: any TimeSource, logger: Logger) {
        self.database = database
        self.time = time
        self.logger = logger
    }

    func thread(at path: String) -> ThreadReference? { known.withLock { $0[path] } }

    /// Takes what a write changed, and tells it.
    func take(_ result: FileChanges) {
        known.withLock { known in
            for path in result.forgotten where result.known[path] == nil { known[path] = nil }
            known.merge(result.known) { _, new in new }
        }
        for change in result.changes { changes.send(change) }
        if !result.known.isEmpty { textDue.raise() }
    }

    func learn(_ rows: [FileRow]) {
        known.withLock { known in
            for row in rows { known[row.path] = row.thread }
        }
    }

    /// - Parameter change: Of how far the first look at an agent's files is; nil once it has ended.
    func note(_ agent: Agent, _ change: (inout IndexingProgress?) -> Void) {
        progresses.withLock { all in
            change(&all[agent])
            let sum = all.values.reduce(into: IndexingProgress(done: 0, total: 0)) {
                $0.done += $1.done
                $0.total += $1.total
            }
            // Under the lock, so that the last of two changes is the last that is told.
            progress.set(all.isEmpty ? nil : sum)
        }
    }

    func forgetAll() { known.withLock { $0 = [:] } }
}

/// Wakes one task. What is raised while it is at work wakes it once more.
final class Signal: Sendable {
    let raised: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (raised, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

    func raise() { continuation.yield() }
}
