import Foundation
import Generations
import GenerationsTesting
import Kernel
import KernelTesting
import MigrationContainer

@testable import MigrationRestore

/// What people see: all files of the current generation but those about it, and its key.
struct SeenData: Hashable {
    var files: [String: [UInt8]]
    var key: [UInt8]
}

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
    func newData() throws -> SeenData? {
        let disk = try diskWithJournal()
        let store = try open(disk)
        try restore(store)
        return try seen(store)
    }

    func seen(_ store: GenerationStore) throws -> SeenData? {
        guard let current = try store.current() else { return nil }
        var files: [String: [UInt8]] = [:]
        try ScriptedDatabase.walk(current.folder, store.files) { path in
            let name = String(path.text.dropFirst(current.folder.text.utf8.count + 1))
            guard !["meta.json", "report.json"].contains(name) else { return }
            files[name] = try store.files.contents(of: path, limit: 1 << 20)
        }
        return SeenData(files: files, key: try store.masterKey(of: current).bytes)
    }

    /// Names in the state folder that belong to no data and to nothing that goes on.
    func remains(_ store: GenerationStore) throws -> [String] {
        let living = try [store.current()?.id.name, store.kept?.generation.name, store.staged?.generation.id.name]
            .compactMap { $0 }
        let journal = store.staged == nil ? [] : ["restore.journal"]
        let files = try store.files.names(in: GenerationStore.folder, limit: 1000)
            .filter { !(["CURRENT", "KEPT"] + living + journal).contains($0) }
        let names = Set(living.map { GenerationStore.keyName + "." + $0 } + [GenerationStore.keyName])
        let keys = try FileKeyStore(store.files).names(withPrefix: GenerationStore.keyName).filter {
            !names.contains($0)
        }
        return files + keys
    }
}
