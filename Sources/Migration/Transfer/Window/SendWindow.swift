/// The sender's account of chunks in flight: what may be sent, what has to be sent again, and how much the link holds.
///
/// Bytes are counted, not chunks. The window starts at 2 MiB and grows by what is acknowledged while the round trip stays below twice its minimum;
/// damage or a timeout halves it. A peer without a window gets one chunk at a time.
public struct SendWindow: Sendable {
    public static let initialBytes = 2 << 20
    public static let maximumBytes = 32 << 20
    /// A chunk that arrives damaged this often ends the transfer.
    public static let maximumDamages = 3

    private struct Flight: Sendable {
        var sentAt: ContinuousClock.Instant
        var bytes: Int
        /// A chunk that was sent twice gives no round trip: the answer may be to either copy (Karn's rule).
        var isRepeated: Bool
    }

    public private(set) var acknowledged: ChunkRanges
    /// Bytes in flight that the link is trusted with.
    public private(set) var limit: Int
    public private(set) var bytesInFlight = 0
    public private(set) var minimumRoundTrip: Duration?
    private let meta: BackupMeta
    private var credit: Int
    private let isStopAndWait: Bool
    private var flights: [Int: Flight] = [:]
    private var damages: [Int: Int] = [:]
    private var repeats: [Int] = []
    private var next = 0

    /// - Parameters:
    ///   - received: Chunks that the receiver holds already.
    ///   - credit: Bytes in flight that the receiver allows; nil for an old peer, which acknowledges each chunk.
    public init(_ meta: BackupMeta, received: ChunkRanges = ChunkRanges(), credit: Int?) {
        self.meta = meta
        acknowledged = received
        self.credit = min(max(0, credit ?? 0), Self.maximumBytes)
        isStopAndWait = credit == nil
        limit = Self.initialBytes
    }

    public var isComplete: Bool { acknowledged.cumulative >= meta.chunkCount }

    /// The next chunk to send; nil while the window is full, and when nothing is left to send. One chunk is always allowed into an empty
    /// window unless the receiver gave no credit, so that a chunk larger than the window cannot stall the transfer.
    public mutating func nextChunk(at now: ContinuousClock.Instant) -> Int? {
        while let first = repeats.first, acknowledged.contains(first) { repeats.removeFirst() }
        let isRepeated = !repeats.isEmpty
        next = acknowledged.firstMissing(from: next)
        let index = repeats.first ?? next
        guard index < meta.chunkCount else { return nil }
        let bytes = meta.length(ofChunk: index)
        if isStopAndWait {
            guard flights.isEmpty else { return nil }
        } else {
            guard credit > 0, bytesInFlight == 0 || bytesInFlight + bytes <= min(limit, credit) else { return nil }
        }
        if isRepeated { repeats.removeFirst() } else { next += 1 }
        flights[index] = Flight(sentAt: now, bytes: bytes, isRepeated: isRepeated)
        bytesInFlight += bytes
        return index
    }

    /// The chunk that is sent once there is room, unless an answer changes it; nil when nothing is left to send.
    var upcoming: Int? {
        if let first = repeats.first(where: { !acknowledged.contains($0) }) { return first }
        let index = acknowledged.firstMissing(from: next)
        return index < meta.chunkCount ? index : nil
    }

    /// Takes an acknowledgement; late and repeated ones change nothing.
    ///
    /// - Throws: ``MigrationTransferError/linkCorrupt(chunk:)``, ``MigrationTransferError/malformedMessage(what:)``.
    public mutating func take(_ ack: ChunkAck, at now: ContinuousClock.Instant) throws(MigrationTransferError) {
        let top = max(ack.cumulative ?? 0, ack.ranges?.ranges.last?.upperBound ?? 0)
        guard (0..<meta.chunkCount).contains(ack.index), (ack.cumulative ?? 0) >= 0, top <= meta.chunkCount else {
            throw .malformedMessage(what: "acknowledged chunks")
        }
        if let window = ack.window { credit = min(max(0, window), Self.maximumBytes) }
        if let cumulative = ack.cumulative { acknowledged.insert(0..<cumulative) }
        if let ranges = ack.ranges { acknowledged.formUnion(ranges) }
        if ack.status == .ok { acknowledged.insert(ack.index) }
        settle(at: now)
        guard ack.status == .resend, !acknowledged.contains(ack.index),
            let flight = flights.removeValue(forKey: ack.index)
        else { return }
        bytesInFlight -= flight.bytes
        damages[ack.index, default: 0] += 1
        guard damages[ack.index, default: 0] < Self.maximumDamages else { throw .linkCorrupt(chunk: ack.index) }
        repeats.append(ack.index)
        shrink()
    }

    /// Queues again what was sent before `deadline` and has no answer. Halves the window once, however many chunks are late.
    public mutating func timeOut(sentBefore deadline: ContinuousClock.Instant) {
        let late = flights.filter { $0.value.sentAt < deadline }.keys.sorted()
        guard !late.isEmpty else { return }
        for index in late { bytesInFlight -= flights.removeValue(forKey: index)?.bytes ?? 0 }
        repeats += late
        shrink()
    }

    private mutating func settle(at now: ContinuousClock.Instant) {
        var grown = 0
        for index in flights.keys where acknowledged.contains(index) {
            guard let flight = flights.removeValue(forKey: index) else { continue }
            bytesInFlight -= flight.bytes
            damages[index] = nil
            guard !flight.isRepeated else { continue }
            let roundTrip = now - flight.sentAt
            let least = min(minimumRoundTrip ?? roundTrip, roundTrip)
            minimumRoundTrip = least
            if roundTrip < least * 2 || roundTrip == least { grown += flight.bytes }
        }
        limit = min(limit + grown, Self.maximumBytes)
    }

    private mutating func shrink() { limit = max(limit / 2, meta.chunkSize) }
}
