import KernelTesting
import Pairing
import Sealing

/// Keeps records in memory, after something that happens while one is on its way to the disk.
struct LateSaving<Record: PairingRecord>: PairingRecordStore {
    private let beforeSaving: @Sendable () async -> Void
    private let kept = InMemoryPairingStore<Record>()

    init(beforeSaving: @escaping @Sendable () async -> Void) { self.beforeSaving = beforeSaving }

    /// Time passes.
    init(_ duration: Duration, on clock: ManualClock) {
        self.init {
            clock.advance(by: duration)
            // Turns for everybody whose time is over now.
            for _ in 0..<1000 { await Task.yield() }
        }
    }

    func save(_ record: Record) async throws -> Record {
        await beforeSaving()
        return await kept.save(record)
    }

    func all() async throws -> [Record] { await kept.all() }
    func record(_ id: Record.ID) async throws -> Record? { await kept.record(id) }
    func update(_ id: Record.ID, _ change: @escaping @Sendable (inout Record) -> Void) async throws -> Record? {
        await kept.update(id, change)
    }
    func remove(_ id: Record.ID) async throws { await kept.remove(id) }
    func removeAll() async throws { await kept.removeAll() }
    func list() -> AsyncStream<[Record]> { kept.list() }
}

extension LateSaving: PairedPhonesStore where Record == PairedPhone {}
extension LateSaving: PairedDesktopsStore where Record == PairedDesktop {}
