import DequeModule

/// Messages on their way: numbered when they first leave, kept until they are acknowledged, sent again when that takes too long.
struct Outbox: Sendable {
    static let maximumCount = 4096
    static let maximumBytes = 8 << 20
    /// How much is on its way at a time; bytes are ``SendWindow``'s. Links on the way, and their readers, keep a few hundred frames:
    /// what overflowed there would be sent again only after a while.
    static let inFlightCount = 128
    /// Bulk gets a smaller window, smaller still while the person types: urgent messages queue behind what is in flight.
    static let bulkInFlightBytes = 1600 << 10
    static let bulkInFlightBytesBesideUrgent = 512 << 10
    /// The ratio of urgent bytes to bulk bytes while both wait: large answers one after the other must not stop a file.
    static let urgentBytesForEachOfBulk = 3
    /// How long after an urgent message the next one is expected.
    static let urgency = Duration.seconds(1)
    /// How much is sent again at once when an acknowledgement stays out: the oldest, since the peer needs them first.
    private static let burstCount = 32
    private static let burstBytes = 256 << 10
    /// The longest first wait for an acknowledgement.
    private static let maximumWait = Duration.milliseconds(2500)

    struct Entry: Sendable {
        var number: UInt64
        let durable: UInt64
        let bytes: [UInt8]
        let isBulk: Bool
        /// Where it went last; nil when it is to be sent again.
        var sentOn: LinkID?
        var firstSentAt: ContinuousClock.Instant?
        /// Whether it counts against the window: it left, and its time is not over.
        var isUnderWay = false
        /// Bytes under way when it left, its own included.
        var ahead = 0
        /// Whether it was sent more than once, so that its acknowledgement measures nothing.
        var isRepeated = false
    }

    /// The result of an acknowledgement.
    struct Arrival {
        /// The greatest durable number that arrived with it, 0 when there was none.
        var durable: UInt64
        /// Whether it came within the time that a link is given to answer.
        var isInTime: Bool
    }

    /// A message that has not left yet, and therefore has no number.
    private struct Waiting {
        let bytes: [UInt8]
        let durable: UInt64
    }

    /// Messages that have a number, in order.
    private var entries: [Entry] = []
    private var urgent = Deque<Waiting>()
    private var bulk = Deque<Waiting>()
    private(set) var byteCount = 0
    /// When the oldest message is sent again.
    private(set) var deadline: ContinuousClock.Instant?
    private var lastNumber: UInt64 = 0
    /// No entry before this index is to be sent again.
    private var scanStart = 0
    private var retransmissions = 0
    /// Messages that left and are not to be sent again.
    private var leftCount = 0
    /// The ones of these that are under way.
    private var sentCount = 0
    private var sentBytes = 0
    private var sentBulkBytes = 0
    private var lastUrgentAt: ContinuousClock.Instant?
    /// Bytes of urgent messages that left while bulk waited.
    private var urgentBytesSinceBulk = 0
    private var window: SendWindow
    /// The longest that acknowledgements took lately.
    private var peak = Duration.zero

    init(window: SendWindow = SendWindow()) {
        self.window = window
    }

    /// The time that everything under way takes.
    var load: Duration { window.time(for: sentBytes) }

    var isEmpty: Bool { count == 0 }
    private var count: Int { entries.count + urgent.count + bulk.count }
    /// Whether an acknowledgement is waited for.
    var awaitsAcknowledgement: Bool { deadline != nil }

    /// Whether another message of `count` bytes fits what may wait for acknowledgement.
    func hasRoom(for count: Int) -> Bool {
        isEmpty || (self.count < Self.maximumCount && byteCount + count <= Self.maximumBytes)
    }

    /// - Parameter isBulk: Lets what is not bulk overtake it. Durable messages keep their order and are never bulk.
    mutating func append(
        _ bytes: [UInt8],
        durable: UInt64,
        isBulk: Bool = false,
        now: ContinuousClock.Instant? = nil
    ) {
        let waiting = Waiting(bytes: bytes, durable: durable)
        if isBulk, durable == 0 {
            bulk.append(waiting)
        } else {
            urgent.append(waiting)
            lastUrgentAt = now ?? lastUrgentAt
        }
        byteCount += bytes.count
    }

    /// The next message to be sent, marked as sent on `link`.
    mutating func next(on link: LinkID, now: ContinuousClock.Instant, timeout: Duration, limit: Duration) -> Entry? {
        guard let index = nextIndex(now) else { return nil }
        scanStart = index + 1
        entries[index].sentOn = link
        entries[index].isUnderWay = true
        leftCount += 1
        sentCount += 1
        sentBytes += entries[index].bytes.count
        entries[index].isRepeated = entries[index].firstSentAt != nil
        entries[index].firstSentAt = entries[index].firstSentAt ?? now
        entries[index].ahead = sentBytes
        let entry = entries[index]
        if entry.isBulk { sentBulkBytes += entry.bytes.count }
        if deadline == nil { deadline = now + wait(timeout, limit: limit) }
        return entry
    }

    /// Whether ``next(on:now:timeout:limit:)`` has one.
    func hasNext(now: ContinuousClock.Instant) -> Bool {
        if let index = indexToResend { return mayLeave(entries[index].bytes.count) }
        return (isBulksTurn(now) ? bulk.first : urgent.first).map { mayLeave($0.bytes.count) } ?? false
    }

    private var indexToResend: Int? {
        entries[min(scanStart, entries.count)...].firstIndex { $0.sentOn == nil }
    }

    /// Chooses the next message: one to be sent again first, because the peer holds back later numbers; then urgent, or bulk in its turn.
    private mutating func nextIndex(_ now: ContinuousClock.Instant) -> Int? {
        if let index = indexToResend {
            return mayLeave(entries[index].bytes.count) ? index : nil
        }
        let isBulk = isBulksTurn(now)
        guard let next = isBulk ? bulk.first : urgent.first, mayLeave(next.bytes.count) else {
            if urgent.first ?? bulk.first != nil { window.wasFull = true }
            return nil
        }
        if isBulk {
            bulk.removeFirst()
            urgentBytesSinceBulk = 0
        } else {
            urgent.removeFirst()
            urgentBytesSinceBulk = bulk.isEmpty ? 0 : urgentBytesSinceBulk + next.bytes.count
        }
        lastNumber += 1
        entries.append(Entry(number: lastNumber, durable: next.durable, bytes: next.bytes, isBulk: isBulk))
        return entries.count - 1
    }

    /// Whether the next message is bulk. It then holds urgent ones back until it fits, because smaller ones would always find room first.
    private func isBulksTurn(_ now: ContinuousClock.Instant) -> Bool {
        guard let next = bulk.first else { return false }
        let isBesideUrgent = lastUrgentAt.map { now - $0 < Self.urgency } ?? false
        let limit = isBesideUrgent ? Self.bulkInFlightBytesBesideUrgent : Self.bulkInFlightBytes
        guard sentBulkBytes == 0 || sentBulkBytes + next.bytes.count <= limit else { return false }
        return urgent.isEmpty || urgentBytesSinceBulk >= next.bytes.count * Self.urgentBytesForEachOfBulk
    }

    private func mayLeave(_ size: Int) -> Bool {
        sentCount == 0 || (sentCount < Self.inFlightCount && sentBytes + size <= window.limit)
    }

    /// The oldest are to be sent again, once the wait for their acknowledgement is over. Nothing is believed to be under way then: what
    /// was lost must not keep the rest from leaving, however narrow the window has become.
    mutating func retransmitIfDue(now: ContinuousClock.Instant) -> Bool {
        guard let deadline, now >= deadline else { return false }
        self.deadline = nil
        retransmissions = min(retransmissions + 1, 16)
        var bytes = 0
        for index in entries.indices.prefix(Self.burstCount) {
            bytes += entries[index].bytes.count
            if index > 0, bytes > Self.burstBytes { break }
            entries[index].sentOn = nil
        }
        for index in entries.indices { entries[index].isUnderWay = false }
        scanStart = 0
        countSent()
        return true
    }

    /// Whether a message that is not acknowledged went over `link` last.
    func hasSent(on link: LinkID) -> Bool { entries.contains { $0.sentOn == link } }

    /// Marks everything that went over a lost link to be sent again.
    mutating func resend(sentOn link: LinkID) {
        for index in entries.indices where entries[index].sentOn == link { entries[index].sentOn = nil }
        startAnew()
        if leftCount == 0 { deadline = nil }
    }

    /// Everything is to be sent again, since a new session knows nothing of what an old one carried.
    mutating func resendAll() {
        for index in entries.indices { entries[index].sentOn = nil }
        startAnew()
        deadline = nil
    }

    /// Another link carries the messages from now on, of which nothing is known.
    private mutating func startAnew() {
        scanStart = 0
        retransmissions = 0
        window = SendWindow()
        peak = .zero
        countSent()
    }

    /// A peer that knows nothing of this epoch expects it to start at 1.
    mutating func renumber() {
        for index in entries.indices { entries[index].number = UInt64(index + 1) }
        lastNumber = UInt64(entries.count)
    }

    /// - Parameters:
    ///   - timeout: How long the link in use may take to answer.
    ///   - roundTrip: How long it usually takes.
    /// - Returns: Nil when nothing new arrived.
    mutating func acknowledge(
        through number: UInt64,
        now: ContinuousClock.Instant,
        timeout: Duration,
        roundTrip: Duration
    ) -> Arrival? {
        let count = entries.prefix { $0.number <= number }.count
        guard count > 0 else { return nil }
        let isInTime = measure(entries[count - 1], now: now, timeout: timeout, roundTrip: roundTrip)
        var durable: UInt64 = 0
        for entry in entries.prefix(count) {
            byteCount -= entry.bytes.count
            durable = max(durable, entry.durable)
            if entry.sentOn != nil { leftCount -= 1 }
            guard entry.isUnderWay else { continue }
            sentCount -= 1
            sentBytes -= entry.bytes.count
            if entry.isBulk { sentBulkBytes -= entry.bytes.count }
        }
        entries.removeFirst(count)
        scanStart = max(0, scanStart - count)
        retransmissions = 0
        deadline = leftCount > 0 ? now + wait(timeout, limit: timeout) : nil
        return Arrival(durable: durable, isInTime: isInTime)
    }

    /// Learns from the newest message that arrived how fast the link is.
    private mutating func measure(
        _ entry: Entry,
        now: ContinuousClock.Instant,
        timeout: Duration,
        roundTrip: Duration
    ) -> Bool {
        guard let sentAt = entry.firstSentAt else { return false }
        let took = now - sentAt
        // For a message sent twice it is unknown which one arrived: at most the wait for the second is believed.
        peak = max(peak * 0.875, entry.isRepeated ? min(took, timeout * 2) : took)
        if !entry.isRepeated {
            window.acknowledged(entry.number, of: lastNumber, ahead: entry.ahead, queued: took - roundTrip)
        }
        return took <= timeout
    }

    /// A message is sent again after somewhat more than acknowledgements took lately: on a slow link large ones take their time.
    private func wait(_ timeout: Duration, limit: Duration) -> Duration {
        let first = max(timeout, min(peak * 1.25, Self.maximumWait))
        return max(first, min(limit, first * (1 << retransmissions)))
    }

    private mutating func countSent() {
        for index in entries.indices where entries[index].sentOn == nil { entries[index].isUnderWay = false }
        leftCount = entries.count { $0.sentOn != nil }
        let sent = entries.filter(\.isUnderWay)
        sentCount = sent.count
        sentBytes = sent.reduce(0) { $0 + $1.bytes.count }
        sentBulkBytes = sent.reduce(0) { $0 + ($1.isBulk ? $1.bytes.count : 0) }
    }
}
