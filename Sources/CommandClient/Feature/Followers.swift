import Kernel
import Synchronization

/// Counts the followers of each topic on this device, which a computer counts as one: the last that leaves ends the subscription there.
package final class Followers<Topic: Hashable & Sendable>: Sendable {
    private let counts = Mutex<[Topic: Int]>([:])
    /// The words to computers after the last follower has gone; each ends by its call's time limit.
    private let errands = OwnedTasks()

    package init() {}

    package func add(_ topic: Topic) { counts.withLock { $0[topic, default: 0] += 1 } }

    /// - Parameter last: Runs where it was the last follower, in a task of its own: the follower's is cancelled by then.
    package func remove(_ topic: Topic, last: @escaping @Sendable () async -> Void) {
        let isLast = counts.withLock { counts in
            let left = (counts[topic] ?? 1) - 1
            counts[topic] = left == 0 ? nil : left
            return left == 0
        }
        if isLast { errands.add(last) }
    }

    package func close() async { await errands.end() }
}
