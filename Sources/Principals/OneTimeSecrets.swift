package import Kernel
import Synchronization

/// Secrets that are good once and for a while, in memory. Of too many the oldest goes.
package final class OneTimeSecrets<Payload: Sendable>: Sendable {
    private struct Entry {
        let hash: SecretHash
        let payload: Payload
        let end: ContinuousClock.Instant
    }

    private let lifetime: Duration
    private let limit: Int
    private let time: any TimeSource
    private let entries = Mutex<[Entry]>([])

    /// - Parameters:
    ///   - lifetime: A longer sleep of the machine ends them as well where `time` goes on meanwhile.
    ///   - limit: 1 or more.
    package init(lifetime: Duration, limit: Int, time: any TimeSource) {
        self.lifetime = lifetime
        self.limit = limit
        self.time = time
    }

    /// - Returns: The payloads of those that are over and of those that gave way.
    @discardableResult
    package func add(_ hash: SecretHash, _ payload: Payload) -> [Payload] {
        let now = time.now
        return entries.withLock { entries in
            let open = entries.filter { $0.end > now }
            let staying = open.suffix(limit - 1)
            let leaving: [Entry] = entries.filter { $0.end <= now } + open.dropLast(staying.count)
            entries = staying + [Entry(hash: hash, payload: payload, end: now + lifetime)]
            return leaving.map(\.payload)
        }
    }

    /// Uses a secret up.
    ///
    /// - Returns: Nil for a text that is none, or not any more.
    package func take(_ hash: SecretHash) -> Payload? {
        let now = time.now
        return entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.hash == hash }) else { return nil }
            let entry = entries.remove(at: index)
            return entry.end > now ? entry.payload : nil
        }
    }

    package func removeAll() { entries.withLock { $0 = [] } }
}
