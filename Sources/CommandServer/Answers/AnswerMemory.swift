import Commands
import DequeModule
import Kernel

/// The answers one asker got lately, so that a repeat is answered and not done again.
/// Source: `docs/protocol.md`, "Command envelopes".
struct AnswerMemory {
    static let countLimit = 256
    static let byteLimit = 4 << 20
    static let lifetime: Duration = .seconds(30)

    private struct Entry {
        let response: CommandResponse
        let size: Int
        let at: ContinuousClock.Instant
    }

    private var entries: [String: Entry] = [:]
    private var order: Deque<String> = []
    private(set) var bytes = 0

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    mutating func response(to id: String, now: ContinuousClock.Instant) -> CommandResponse? {
        removeExpired(now: now)
        return entries[id]?.response
    }

    mutating func insert(_ response: CommandResponse, now: ContinuousClock.Instant) {
        removeExpired(now: now)
        guard entries[response.id] == nil else { return }
        let size = response.id.utf8.count + response.roughByteCount
        // One that would push out all others is better asked again.
        guard size <= Self.byteLimit / 4 else { return }
        while entries.count >= Self.countLimit || bytes + size > Self.byteLimit { removeOldest() }
        entries[response.id] = Entry(response: response, size: size, at: now)
        order.append(response.id)
        bytes += size
    }

    mutating func removeExpired(now: ContinuousClock.Instant) {
        while let first = order.first, let oldest = entries[first], now - oldest.at > Self.lifetime { removeOldest() }
    }

    private mutating func removeOldest() {
        bytes -= entries.removeValue(forKey: order.removeFirst())?.size ?? 0
    }
}

extension CommandResponse {
    /// The memory that it takes in bytes, near enough for a bound.
    fileprivate var roughByteCount: Int {
        switch outcome {
        case .success(let result): result.roughByteCount
        case .failure(let failure): failure.message.utf8.count + 32
        }
    }
}
