public import Sealing

/// Keeps everything as long as the value lives: for tests, and for peers that are not worth a disk.
public actor InMemorySessionStore: SessionStore {
    private struct Record {
        var ticket: ResumptionTicket?
        var sentCounter: Int64 = 0
        var acceptedCounter: Int64 = 0
        var lastOutbound: UInt64 = 0
        var outbound: [DurableMessage] = []
        var inboundCursor: UInt64 = 0
        var kept: [(message: KeptMessage, at: Int64)] = []

        mutating func dropKept(beyond bounds: KeptBounds, at time: Int64) -> Int {
            let before = kept.count
            kept.removeAll { !$0.message.isState && time - $0.at > bounds.age }
            while case let news = kept.filter({ !$0.message.isState }),
                news.count > bounds.count || news.map(\.message.bytes.count).reduce(0, +) > bounds.bytes,
                let oldest = kept.firstIndex(where: { !$0.message.isState })
            {
                kept.remove(at: oldest)
            }
            return before - kept.count
        }
    }

    private var records: [AgreementPublicKey: Record] = [:]

    public init() {}

    public func ticket(for peer: AgreementPublicKey) -> ResumptionTicket? { records[peer]?.ticket }

    public func ticket(id: [UInt8]) -> ResumptionTicket? {
        records.values.lazy.compactMap(\.ticket).first { $0.id == id }
    }

    public func save(_ ticket: ResumptionTicket) {
        records[ticket.peer, default: Record()].ticket = ticket
    }

    public func nextCounter(to peer: AgreementPublicKey, clock: Int64) -> Int64 {
        var record = records[peer] ?? Record()
        record.sentCounter = max(clock, record.sentCounter + 1)
        records[peer] = record
        return record.sentCounter
    }

    public func acceptCounter(_ counter: Int64, from peer: AgreementPublicKey) -> Bool {
        guard counter > records[peer]?.acceptedCounter ?? 0 else { return false }
        records[peer, default: Record()].acceptedCounter = counter
        return true
    }

    public func appendOutbound(_ bytes: [UInt8], to peer: AgreementPublicKey) -> UInt64 {
        var record = records[peer] ?? Record()
        record.lastOutbound += 1
        record.outbound.append(DurableMessage(number: record.lastOutbound, bytes: bytes))
        records[peer] = record
        return record.lastOutbound
    }

    public func outbound(to peer: AgreementPublicKey) -> [DurableMessage] { records[peer]?.outbound ?? [] }

    public func keep(
        _ message: KeptMessage,
        for peer: AgreementPublicKey,
        at time: Int64,
        bounds: KeptBounds
    ) -> Int {
        var record = records[peer] ?? Record()
        if let key = message.key { record.kept.removeAll { $0.message.key == key } }
        record.kept.append((message, time))
        let dropped = record.dropKept(beyond: bounds, at: time)
        records[peer] = record
        return dropped
    }

    public func moveKept(to peer: AgreementPublicKey, at time: Int64, bounds: KeptBounds) -> DurableMessage? {
        guard var record = records[peer] else { return nil }
        _ = record.dropKept(beyond: bounds, at: time)
        let next = record.kept.isEmpty ? nil : record.kept.removeFirst().message.bytes
        records[peer] = record
        return next.map { DurableMessage(number: appendOutbound($0, to: peer), bytes: $0) }
    }

    public func dropKept(topics: Set<String>, for peer: AgreementPublicKey) {
        records[peer]?.kept.removeAll { topics.contains($0.message.topic) }
    }

    public func removeOutbound(through number: UInt64, to peer: AgreementPublicKey) {
        records[peer]?.outbound.removeAll { $0.number <= number }
    }

    public func inboundCursor(from peer: AgreementPublicKey) -> UInt64 { records[peer]?.inboundCursor ?? 0 }

    public func advanceInboundCursor(to number: UInt64, from peer: AgreementPublicKey) {
        var record = records[peer] ?? Record()
        record.inboundCursor = max(record.inboundCursor, number)
        records[peer] = record
    }

    public func startOver(with peer: AgreementPublicKey) {
        records[peer]?.inboundCursor = 0
        records[peer]?.ticket = nil
    }

    public func forget(_ peer: AgreementPublicKey) { records[peer] = nil }
}
