import Foundation
import Generations
import GenerationsTesting
import Kernel
import KernelTesting
import MigrationContainer

@testable import MigrationRestore

/// A phone with a journal, and a package that replaces it.
struct RestoreScene {
    var package = ScriptedPackage()
    var databases = ScriptedDatabases()
    let clock = ManualClock()

    func open(_ disk: any FileSystemPort) throws(GenerationsError) -> GenerationStore {
        try GenerationStore(files: disk, keys: FileKeyStore(disk), random: SeededRandom(seed: 1), time: clock)
    }

    func diskWithJournal() throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        let store = try open(disk)
        _ = try store.currentOrFirst { generation in
            let file = try disk.open(generation.database, .create)
            try file.write(Array("old stories".utf8), at: 0)
        }
        try disk.synchronizeTree(.root)
        return disk
    }

    func run(_ store: GenerationStore) throws -> RestoreRun {
        RestoreRun(
            plan: try package.plan(),
            store: store,
            database: databases,
            now: 1,
            interval: 100,
            step: { _ in }
        )
    }

    /// Restores the package and commits it.
    func restore(_ store: GenerationStore) throws {
        _ = try run(store).run { try package.read(into: $0) }
        _ = try store.commit()
    }

    /// The data after the restore of a package without a fault.
    func newData() throws -> VisibleData? {
        let disk = try diskWithJournal()
        let store = try open(disk)
        try restore(store)
        return try seen(store)
    }

    func seen(_ store: GenerationStore) throws -> VisibleData? { try VisibleData.current(in: store) }

    /// Names that belong to no data; none after a start.
    func remains(_ store: GenerationStore) throws -> [String] { try store.remains(keys: FileKeyStore(store.files)) }
}
