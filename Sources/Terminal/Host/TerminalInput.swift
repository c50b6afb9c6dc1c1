/// Puts what is typed back into order. Requests run side by side, so a phone that has several on their way numbers them,
/// from 1 for each of its attachments; a number that was typed before is a repeat and is not typed again.
struct TerminalInput {
    /// One attachment: a phone, and what it called the attachment.
    struct Source: Hashable {
        let caller: String
        let id: String
    }

    struct Held {
        let bytes: [UInt8]
        /// When what comes before it is not waited for any more.
        let deadline: ContinuousClock.Instant
        let answer: CheckedContinuation<Void, any Error>
    }

    enum Place: Hashable {
        case now, repeated, later, tooFar
    }

    private struct Line {
        var next: Int64 = 1
        var held: [Int64: Held] = [:]
        var heldBytes = 0
    }

    private static let sourceLimit = 16
    private static let heldLimit = 64
    private static let heldByteLimit = 256 * 1024

    private var lines: [Source: Line] = [:]
    /// The one used longest ago first.
    private var order: [Source] = []

    mutating func place(of seq: Int64, from source: Source, bytes: Int) -> (place: Place, forgotten: [Held]) {
        let forgotten = touch(source)
        guard let line = lines[source] else { return (.tooFar, forgotten) }
        let place: Place =
            if seq < line.next {
                .repeated
            } else if seq == line.next {
                .now
            } else if line.held[seq] == nil, line.held.count < Self.heldLimit,
                line.heldBytes + bytes <= Self.heldByteLimit
            {
                .later
            } else {
                .tooFar
            }
        return (place, forgotten)
    }

    mutating func hold(_ held: Held, at seq: Int64, from source: Source) {
        lines[source]?.held[seq] = held
        lines[source]?.heldBytes += held.bytes.count
    }

    /// The next was typed.
    ///
    /// - Returns: What can be typed now.
    mutating func advance(_ source: Source) -> Held? {
        guard let next = lines[source]?.next else { return nil }
        lines[source]?.next = next + 1
        return take(next + 1, from: source)
    }

    mutating func take(_ seq: Int64, from source: Source) -> Held? {
        guard let held = lines[source]?.held.removeValue(forKey: seq) else { return nil }
        lines[source]?.heldBytes -= held.bytes.count
        return held
    }

    /// The pieces whose patience is over at `now`.
    mutating func takeOverdue(at now: ContinuousClock.Instant) -> [Held] {
        let overdue = lines.flatMap { source, line in
            line.held.filter { $0.value.deadline <= now }.map { (source: source, seq: $0.key) }
        }
        return overdue.compactMap { take($0.seq, from: $0.source) }
    }

    /// When the next patience is over; nil while nothing waits.
    var nextDeadline: ContinuousClock.Instant? {
        lines.values.lazy.flatMap(\.held.values).map(\.deadline).min()
    }

    /// Takes all input of one attachment that waits for an earlier piece.
    mutating func takeAll(of source: Source) -> [Held] {
        guard let held = lines[source]?.held.values else { return [] }
        lines[source]?.held = [:]
        lines[source]?.heldBytes = 0
        return Array(held)
    }

    mutating func takeAll() -> [Held] { order.flatMap { takeAll(of: $0) } }

    private mutating func touch(_ source: Source) -> [Held] {
        order.removeAll { $0 == source }
        order.append(source)
        guard lines[source] == nil else { return [] }
        lines[source] = Line()
        guard order.count > Self.sourceLimit else { return [] }
        let oldest = order.removeFirst()
        defer { lines[oldest] = nil }
        return takeAll(of: oldest)
    }
}
