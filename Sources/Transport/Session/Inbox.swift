/// Messages that arrived: put in order, each taken once, and acknowledged so that a reader that falls behind makes the
/// sender wait.
///
/// An acknowledgement takes a message off the sender's hands for good. So a durable one is acknowledged only once it
/// was handled and the cursor is on disk, and of the others no more than a little is acknowledged ahead of the reader.
struct Inbox: Sendable {
    private static let aheadCount = 256
    private static let aheadBytes = 1 << 20
    /// Bounds that a peer that keeps to the limits never reaches; more is dropped, and sent again by a peer that means well.
    private static let maximumCount = UInt64(Outbox.maximumCount + aheadCount)
    private static let maximumBytes = 16 << 20

    enum Arrival: Hashable, Sendable {
        case ready
        case early
        case repeated
        case dropped
    }

    private struct Item: Sendable {
        let run: UInt64
        let number: UInt64
        let durable: UInt64
        let bytes: [UInt8]
        /// Had before, under another number: to be acknowledged, not to be handed out.
        let isRepeat: Bool
    }

    private(set) var epoch = Epoch.none
    private(set) var byteCount = 0
    private var arrivedThrough: UInt64 = 0
    private var handledThrough: UInt64 = 0
    private var greatestDurable: UInt64
    /// Counts the peer's epochs: numbers of an old one say nothing in the next.
    private var run: UInt64 = 0
    private var early: [UInt64: (durable: UInt64, bytes: [UInt8])] = [:]
    private var items: [Item] = []
    private var head = 0
    private var isTaken = false

    /// - Parameter cursor: The greatest durable number that was handled before.
    init(cursor: UInt64) {
        greatestDurable = cursor
    }

    /// How far the peer may forget its messages.
    var acknowledgeable: Acknowledged {
        var number = handledThrough
        var bytes = 0
        for item in items[head...].prefix(Self.aheadCount) {
            bytes += item.bytes.count
            if bytes > Self.aheadBytes { break }
            guard item.run == run else { continue }
            if item.durable != 0 { break }
            number = item.number
        }
        return Acknowledged(epoch: epoch, number: number)
    }

    /// Numbers start anew with every process of the peer; what arrived before is still handed out first.
    mutating func begin(_ epoch: Epoch) {
        guard epoch != self.epoch else { return }
        self.epoch = epoch
        run += 1
        byteCount -= early.values.reduce(0) { $0 + $1.bytes.count }
        early = [:]
        arrivedThrough = 0
        handledThrough = 0
    }

    /// The peer may count its durable messages from one again. Of those that arrived already, none moves the cursor any more.
    mutating func startOver() {
        greatestDurable = 0
        items = items.map { Item(run: $0.run, number: $0.number, durable: 0, bytes: $0.bytes, isRepeat: $0.isRepeat) }
        early = early.mapValues { (0, $0.bytes) }
    }

    mutating func arrive(number: UInt64, durable: UInt64, bytes: [UInt8]) -> Arrival {
        guard number > arrivedThrough, early[number] == nil else { return .repeated }
        guard number - handledThrough <= Self.maximumCount else { return .dropped }
        let isNext = number == arrivedThrough + 1
        if byteCount + bytes.count > Self.maximumBytes {
            // The one that everything else waits for is let in as long as what came too early can make room.
            guard isNext else { return .dropped }
            byteCount -= early.values.reduce(0) { $0 + $1.bytes.count }
            early = [:]
            guard byteCount + bytes.count <= Self.maximumBytes else { return .dropped }
        }
        byteCount += bytes.count
        guard isNext else {
            early[number] = (durable, bytes)
            return .early
        }
        append(number, durable, bytes)
        while let next = early.removeValue(forKey: arrivedThrough + 1) {
            append(arrivedThrough + 1, next.durable, next.bytes)
        }
        return .ready
    }

    /// The next message, once the one before it is finished.
    mutating func take() -> PeerMessage? {
        guard !isTaken else { return nil }
        skipRepeats()
        guard head < items.count else { return nil }
        isTaken = true
        return PeerMessage(bytes: items[head].bytes, durable: items[head].durable == 0 ? nil : items[head].durable)
    }

    /// The message that was taken is handled, and the cursor saved if it was durable.
    mutating func finish() {
        guard isTaken else { return }
        isTaken = false
        dropHead()
        skipRepeats()
    }

    private mutating func skipRepeats() {
        while head < items.count, items[head].isRepeat { dropHead() }
        if head > 64, head * 2 > items.count {
            items.removeFirst(head)
            head = 0
        }
    }

    private mutating func dropHead() {
        let item = items[head]
        if item.run == run { handledThrough = item.number }
        byteCount -= item.bytes.count
        items[head] = Item(run: 0, number: 0, durable: 0, bytes: [], isRepeat: true)  // frees the bytes at once
        head += 1
    }

    private mutating func append(_ number: UInt64, _ durable: UInt64, _ bytes: [UInt8]) {
        arrivedThrough = number
        let isRepeat = durable != 0 && durable <= greatestDurable
        greatestDurable = max(greatestDurable, durable)
        if isRepeat { byteCount -= bytes.count }
        let item = Item(
            run: run,
            number: number,
            durable: durable,
            bytes: isRepeat ? [] : bytes,
            isRepeat: isRepeat
        )
        items.append(item)
        // A repeat with nothing unhandled before it was handled, too.
        skipRepeats()
    }
}
