import KernelTesting
import Pairing
import Sealing

/// Keeps phones in memory, after something that happens while the record is on its way to the disk.
struct LateSaving: PairedPhonesStore {
    private let beforeSaving: @Sendable () async -> Void
    private let kept = InMemoryPairingStore<PairedPhone>()

    init(beforeSaving: @escaping @Sendable () async -> Void) { self.beforeSaving = beforeSaving }

    /// A minute passes.
    init(clock: ManualClock) {
        self.init {
            clock.advance(by: .seconds(61))
            // Turns for everybody whose time is over now.
            for _ in 0..<1000 { await Task.yield() }
        }
    }

    func save(_ record: PairedPhone) async throws -> PairedPhone {
        await beforeSaving()
        return await kept.save(record)
    }

    func all() async throws -> [PairedPhone] { await kept.all() }
    func record(_ id: DID) async throws -> PairedPhone? { await kept.record(id) }
    func update(_ id: DID, _ change: @escaping @Sendable (inout PairedPhone) -> Void) async throws -> PairedPhone? {
        await kept.update(id, change)
    }
    func remove(_ id: DID) async throws { await kept.remove(id) }
    func removeAll() async throws { await kept.removeAll() }
    func list() -> AsyncStream<[PairedPhone]> { kept.list() }
}
