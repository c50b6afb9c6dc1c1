import Kernel

/// Keeps paired devices for as long as the process runs.
public actor InMemoryPairingStore<Record: PairingRecord>: PairingRecordStore {
    private var records: [Record.ID: Record]
    private nonisolated let live: LatestValue<[Record]>

    public init(_ records: [Record] = []) {
        self.records = Dictionary(records.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        live = LatestValue(records.sortedForPeople())
    }

    public func all() -> [Record] { records.values.sortedForPeople() }

    public func record(_ id: Record.ID) -> Record? { records[id] }

    @discardableResult
    public func save(_ record: Record) -> Record {
        let merged = record.replacing(records[record.id])
        records[record.id] = merged
        live.set(all())
        return merged
    }

    @discardableResult
    public func update(_ id: Record.ID, _ change: @escaping @Sendable (inout Record) -> Void) -> Record? {
        guard var record = records[id] else { return nil }
        change(&record)
        records[id] = record
        live.set(all())
        return record
    }

    public func remove(_ id: Record.ID) {
        guard records.removeValue(forKey: id) != nil else { return }
        live.set(all())
    }

    public func removeAll() {
        records = [:]
        live.set([])
    }

    public nonisolated func list() -> AsyncStream<[Record]> { live.values() }
}

extension InMemoryPairingStore: PairedDesktopsStore where Record == PairedDesktop {}
extension InMemoryPairingStore: PairedPhonesStore where Record == PairedPhone {}
