import Control
import Feed
import Kernel

/// Lets a role's topics tell into the log while a page listens, and for a moment longer, so that a page that is loaded again goes on.
final class TopicReader: Sendable {
    static let patience = Duration.seconds(30)

    private let topics: [ControlTopic]
    private let log: EventLog
    private let time: any TimeSource
    private let listeners = LatestValue(0)

    init(_ topics: [ControlTopic], log: EventLog, time: any TimeSource) {
        self.topics = topics
        self.log = log
        self.time = time
    }

    /// Counts a page in for the length of `body`.
    func listening<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        listeners.update { $0 += 1 }
        defer { listeners.update { $0 -= 1 } }
        return try await body()
    }

    /// Runs until its task is cancelled.
    func run() async {
        for await count in listeners.values() where count > 0 {
            await withDiscardingTaskGroup { group in
                for topic in topics {
                    group.addTask { [log] in await topic.run { log.append(topic.name, $0) } }
                }
                await left()
                group.cancelAll()
            }
            log.interrupt()
        }
    }

    /// Returns when no page has listened for a while, or the caller is cancelled.
    private func left() async {
        for await count in listeners.values() where count == 0 {
            do {
                try await time.sleep(for: Self.patience)
            } catch {
                return
            }
            if listeners.value == 0 { return }
        }
    }
}
