import DequeModule

/// Messages on their way: numbered when they first leave, kept until they are acknowledged, sent again when that takes too long.
struct Outbox: Sendable {
    static let maximumCount = 4096
    static let maximumBytes = 8 << 20
    /// How much is on its way at a time. Links on the way, and their readers, keep a few hundred frames: what overflowed
    /// there would be sent again only after a while.
    static let inFlightCount = 128
    static let inFlightBytes = 2 << 20
    /// Of bulk less, and little while somebody types, because what is urgent goes out behind it.
    static let bulkInFlightBytes = 1600 << 10
    static let bulkInFlightBytesBesideUrgent = 512 << 10
    /// How long after an urgent message the next one is expected.
    static let urgency = Duration.seconds(1)
    /// How much is sent again at once when an acknowledgement stays out: the oldest, since the peer needs them first.
    private static let burstCount = 32
    private static let burstBytes = 256 << 10

    struct Entry: Sendable {
        var number: UInt64
        let durable: UInt64
        let bytes: [UInt8]
        let isBulk: Bool
        /// Where it went last; nil when it is to be sent again.
        var sentOn: LinkID?
    }

    /// One that has not left yet, and therefore has no number.
    private struct Waiting {
        let bytes: [UInt8]
        let durable: UInt64
    }

    /// What has a number, in order.
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
    private var sentCount = 0
    private var sentBytes = 0
    private var sentBulkBytes = 0
    private var lastUrgentAt: ContinuousClock.Instant?

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
        let entry = entries[index]
        sentCount += 1
        sentBytes += entry.bytes.count
        if entry.isBulk { sentBulkBytes += entry.bytes.count }
        if deadline == nil { deadline = now + wait(timeout, limit: limit) }
        return entry
    }

    /// Whether ``next(on:now:timeout:limit:)`` has one.
    func hasNext(now: ContinuousClock.Instant) -> Bool {
        if let index = indexToResend { return mayLeave(entries[index].bytes.count) }
        return !urgent.isEmpty ? mayLeave(urgent[0].bytes.count) : bulk.first.map { mayLeaveAsBulk($0, now) } ?? false
    }

    private var indexToResend: Int? {
        entries[min(scanStart, entries.count)...].firstIndex { $0.sentOn == nil }
    }

    /// What is to be sent again comes first, because the peer holds back what has a later number; then what is urgent.
    private mutating func nextIndex(_ now: ContinuousClock.Instant) -> Int? {
        if let index = indexToResend {
            return mayLeave(entries[index].bytes.count) ? index : nil
        }
        let isBulk = urgent.isEmpty
        guard let next = isBulk ? bulk.first : urgent.first,
            isBulk ? mayLeaveAsBulk(next, now) : mayLeave(next.bytes.count)
        else { return nil }
        if isBulk { bulk.removeFirst() } else { urgent.removeFirst() }
        lastNumber += 1
        entries.append(Entry(number: lastNumber, durable: next.durable, bytes: next.bytes, isBulk: isBulk))
        return entries.count - 1
    }

    private func mayLeave(_ size: Int) -> Bool {
        sentCount == 0 || (sentCount < Self.inFlightCount && sentBytes + size <= Self.inFlightBytes)
    }

    private func mayLeaveAsBulk(_ next: Waiting, _ now: ContinuousClock.Instant) -> Bool {
        let isUrgent = lastUrgentAt.map { now - $0 < Self.urgency } ?? false
        let limit = isUrgent ? Self.bulkInFlightBytesBesideUrgent : Self.bulkInFlightBytes
        return mayLeave(next.bytes.count) && (sentBulkBytes == 0 || sentBulkBytes + next.bytes.count <= limit)
    }

    /// The oldest are to be sent again, once the wait for their acknowledgement is over.
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
        scanStart = 0
        countSent()
        return true
    }

    /// What went over a link that is lost is to be sent again.
    mutating func resend(sentOn link: LinkID) {
        for index in entries.indices where entries[index].sentOn == link { entries[index].sentOn = nil }
        scanStart = 0
        retransmissions = 0
        countSent()
        if sentCount == 0 { deadline = nil }
    }

    /// Everything is to be sent again, since a new session knows nothing of what an old one carried.
    mutating func resendAll() {
        for index in entries.indices { entries[index].sentOn = nil }
        scanStart = 0
        retransmissions = 0
        countSent()
        deadline = nil
    }

    /// A peer that knows nothing of this epoch expects it to start at 1.
    mutating func renumber() {
        for index in entries.indices { entries[index].number = UInt64(index + 1) }
        lastNumber = UInt64(entries.count)
    }

    /// - Returns: The greatest durable number that arrived with it, 0 when there was none. Nil when nothing new arrived.
    mutating func acknowledge(
        through number: UInt64,
        now: ContinuousClock.Instant,
        timeout: Duration
    ) -> UInt64? {
        let count = entries.prefix { $0.number <= number }.count
        guard count > 0 else { return nil }
        let arrived = entries.prefix(count)
        for entry in arrived {
            byteCount -= entry.bytes.count
            guard entry.sentOn != nil else { continue }
            sentCount -= 1
            sentBytes -= entry.bytes.count
            if entry.isBulk { sentBulkBytes -= entry.bytes.count }
        }
        let durable = arrived.map(\.durable).max() ?? 0
        entries.removeFirst(count)
        scanStart = max(0, scanStart - count)
        retransmissions = 0
        deadline = sentCount > 0 ? now + timeout : nil
        return durable
    }

    private func wait(_ timeout: Duration, limit: Duration) -> Duration {
        max(timeout, min(limit, timeout * (1 << retransmissions)))
    }

    private mutating func countSent() {
        let sent = entries.filter { $0.sentOn != nil }
        sentCount = sent.count
        sentBytes = sent.reduce(0) { $0 + $1.bytes.count }
        sentBulkBytes = sent.reduce(0) { $0 + ($1.isBulk ? $1.bytes.count : 0) }
    }
}
