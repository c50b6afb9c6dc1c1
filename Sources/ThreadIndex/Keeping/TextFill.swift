import AgentHistory
import Conversations
import Kernel
import Logging
import Synchronization

/// Reads what people and agents said into the full text, in the background: a few pages, then a rest as long as they took.
final class TextFill: Sendable {
    /// Files of one round, and a transaction.
    private static let filesAtATime = 8
    private static let limits = PageLimits(items: 100, bytes: 16 << 20)
    /// Each page of a compressed file costs unpacking it.
    private static let packedLimits = PageLimits(items: 1000, bytes: 64 << 20)
    /// Compressed files of more bytes on disk are not searched.
    private static let packedSize: Int64 = 32 << 20
    /// The processor's time that one state of a file may take; what is older than what was read until then is not searched. The 256 MiB
    /// that are looked for at most take some seconds.
    static let budget = Duration.seconds(60)

    private let parts: IndexParts
    private let reader: @Sendable (Agent) -> (any HistoryReader)?
    private let isListWhole: @Sendable () -> Bool
    private let hasFilled = Atomic(false)
    private let budget: Duration

    /// The result of reading a page of a file, and its cost.
    private struct Read {
        let step: TextStep
        let cost: Duration
    }

    /// - Parameters:
    ///   - reader: Of an agent; nil where it has none, and its files are left alone.
    ///   - isListWhole: Whether all threads are known.
    init(
        _ parts: IndexParts,
        reader: @escaping @Sendable (Agent) -> (any HistoryReader)?,
        isListWhole: @escaping @Sendable () -> Bool,
        budget: Duration = TextFill.budget
    ) {
        self.budget = budget
        self.parts = parts
        self.reader = reader
        self.isListWhole = isListWhole
    }

    /// Whether the text of all threads was in the index at some time: from then on it is at most moments behind.
    var isWhole: Bool { hasFilled.load(ordering: .acquiring) }

    func begin() { hasFilled.store(false, ordering: .releasing) }

    func run() async {
        for await _ in parts.textDue.raised {
            do {
                // The list comes first; the end of the first look wakes this again.
                while isListWhole() {
                    let began = parts.time.now
                    guard try await round() else { break }
                    let took = parts.time.now - began
                    guard await parts.time.pause(for: min(max(took, .milliseconds(5)), .seconds(1))) else { return }
                }
            } catch is CancellationError {
                return
            } catch {
                parts.logger.notice("the search of threads is behind", metadata: ["reason": "\(error)"])
            }
        }
    }

    /// Reads a page of each of a few files.
    ///
    /// - Returns: False where nothing is due.
    func round() async throws -> Bool {
        let isListWhole = isListWhole()
        let files = try await parts.database.read { try TextStore.due(limit: Self.filesAtATime, in: $0) }
        guard !files.isEmpty else {
            if isListWhole { hasFilled.store(true, ordering: .releasing) }
            return false
        }
        let pages = try await parts.textDisk.finish { files.map { self.read($0) } }
        let bounds = parts.database.bounds
        let unreadable = try await parts.database.write(on: parts.textDisk) { database in
            var lost: [AgentThread] = []
            var total = try TextStore.totalBytes(in: database)
            for (file, page) in zip(files, pages) {
                var step = page.step
                while total > bounds.total {
                    let dropped = try TextStore.dropOldest(before: file.sortTime, in: database)
                    total -= dropped
                    if dropped == 0 {
                        step = .givenUp
                        break
                    }
                }
                total += try TextStore.take(step, of: file, bounds: bounds, in: database)
                try TextStore.add(cost: page.cost, to: file, in: database)
                if case .unreadable = step, let thread = try FileStore.shownThread(ofFile: file.id, in: database) {
                    lost.append(thread)
                }
            }
            while total > bounds.total {
                let dropped = try TextStore.dropOldest(before: .max, in: database)
                total -= dropped
                if dropped == 0 { break }
            }
            return lost
        }
        for thread in unreadable { parts.changes.send(.changed(thread)) }
        return true
    }

    private func read(_ file: DueFile) -> Read {
        let began = ProcessorTime.ofThread
        let step = step(of: file)
        return Read(step: step, cost: ProcessorTime.ofThread - began)
    }

    private func step(of file: DueFile) -> TextStep {
        // Kept in its row, so that a restart does not begin again with what cost too much.
        guard file.cost < budget else { return .givenUp }
        guard let reader = reader(file.agent) else { return .givenUp }
        let isPacked = FileName.isPacked(file.path)
        if isPacked, file.identity.size > Self.packedSize { return .givenUp }
        let limits = isPacked ? Self.packedLimits : Self.limits
        let next = file.next
        do {
            guard let cursor = next.from else {
                return .newest(TextPage(try reader.lastPage(of: file.path, before: nil, limits: limits)))
            }
            if next.isOlder {
                return .older(TextPage(try reader.lastPage(of: file.path, before: cursor, limits: limits)))
            }
            let page = try reader.page(of: file.path, from: cursor, limits: limits)
            return page.replacesEarlier ? .anew : .newer(TextPage(page))
        } catch {
            switch error {
            case .truncated, .rewritten:
                // Nothing to begin anew where nothing was read.
                return next.from == nil ? .givenUp : .anew
            case .tooLarge, .tooCostly:
                parts.logger.notice("a history is too large to be searched", metadata: ["reason": "\(error)"])
                // Pages of it that are in the index stay.
                guard next.from == nil, let reason = AgentThread.Unreadable(error) else { return .givenUp }
                return .unreadable(reason)
            case .notFound, .denied, .notOrdinary, .symbolicLink, .damaged, .system:
                parts.logger.debug("a history is not searched", metadata: ["reason": "\(error)"])
                return .givenUp
            }
        }
    }
}
