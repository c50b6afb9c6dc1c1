/// Messages on their way: numbered, kept until they are acknowledged, sent again when that takes too long.
struct Outbox: Sendable {
    static let maximumCount = 4096
    static let maximumBytes = 8 << 20
    /// How much is sent again at once when an acknowledgement stays out: the oldest, since the peer needs them first.
    private static let burstCount = 32
    private static let burstBytes = 256 << 10

    struct Entry: Sendable {
        var number: UInt64
        let durable: UInt64
        let bytes: [UInt8]
        /// Where it went last; nil when it is to be sent, for the first time or again.
        var sentOn: LinkID?
    }

    private(set) var entries: [Entry] = []
    private(set) var byteCount = 0
    /// When the oldest message is sent again.
    private(set) var deadline: ContinuousClock.Instant?
    private var lastNumber: UInt64 = 0
    /// No entry before this index is to be sent.
    private var scanStart = 0
    private var retransmissions = 0

    var isEmpty: Bool { entries.isEmpty }
    var hasUnsent: Bool { mutableFirstUnsent(from: scanStart) != nil }
    /// Whether an acknowledgement is waited for.
    var awaitsAcknowledgement: Bool { deadline != nil }

    /// Whether another message of `count` bytes fits what may wait for acknowledgement.
    func hasRoom(for count: Int) -> Bool {
        entries.isEmpty || (entries.count < Self.maximumCount && byteCount + count <= Self.maximumBytes)
    }

    mutating func append(_ bytes: [UInt8], durable: UInt64) {
        lastNumber += 1
        entries.append(Entry(number: lastNumber, durable: durable, bytes: bytes))
        byteCount += bytes.count
    }

    /// The next message to be sent, marked as sent on `link`.
    mutating func next(on link: LinkID, now: ContinuousClock.Instant, timeout: Duration, limit: Duration) -> Entry? {
        guard let index = mutableFirstUnsent(from: scanStart) else {
            scanStart = entries.count
            return nil
        }
        scanStart = index + 1
        entries[index].sentOn = link
        if deadline == nil { deadline = now + wait(timeout, limit: limit) }
        return entries[index]
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
        return true
    }

    /// What went over a link that is lost is to be sent again.
    mutating func resend(sentOn link: LinkID) {
        for index in entries.indices where entries[index].sentOn == link { entries[index].sentOn = nil }
        scanStart = 0
        retransmissions = 0
        if !entries.contains(where: { $0.sentOn != nil }) { deadline = nil }
    }

    /// Everything is to be sent again, since a new session knows nothing of what an old one carried.
    mutating func resendAll() {
        for index in entries.indices { entries[index].sentOn = nil }
        scanStart = 0
        retransmissions = 0
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
        byteCount -= arrived.reduce(0) { $0 + $1.bytes.count }
        let durable = arrived.map(\.durable).max() ?? 0
        entries.removeFirst(count)
        scanStart = max(0, scanStart - count)
        retransmissions = 0
        deadline = entries.contains { $0.sentOn != nil } ? now + timeout : nil
        return durable
    }

    private func wait(_ timeout: Duration, limit: Duration) -> Duration {
        max(timeout, min(limit, timeout * (1 << retransmissions)))
    }

    private func mutableFirstUnsent(from start: Int) -> Int? {
        entries[min(start, entries.count)...].firstIndex { $0.sentOn == nil }
    }
}
