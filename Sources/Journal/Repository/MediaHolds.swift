import Synchronization

/// How many snapshots read the journal's media. Files of purged stories stay as long as there are any.
final class MediaHolds: Sendable {
    private let count = Mutex(0)

    var isFree: Bool { count.withLock { $0 == 0 } }

    func begin() { count.withLock { $0 += 1 } }

    func end() { count.withLock { $0 -= 1 } }
}
