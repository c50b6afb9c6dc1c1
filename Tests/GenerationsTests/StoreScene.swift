import Foundation
import Generations
import GenerationsTesting
import Kernel
import KernelTesting

/// What people have: the files of the current generation and its key. Two that are equal are the same data.
struct VisibleData: Hashable {
    var files: [String: [UInt8]]
    var key: [UInt8]
}

/// A store with data on a simulated disk, and the ways its data changes.
struct StoreScene {
    static let key = MasterKey.random(SeededRandom(seed: 42))
    static let old = [
        "db.sqlite": Array("the old database".utf8), "Media/Images/2026/03/a.heic": Array("old picture".utf8),
    ]
    static let new = [
        "db.sqlite": [UInt8](repeating: 7, count: 1500), "Media/Images/2026/11/b.heic": Array("new picture".utf8),
        "Media/Videos/2026/11/c.mov": [UInt8](repeating: 9, count: 700),
    ]

    var usesKeychain = false
    var clock = ManualClock()

    func open(_ disk: SimulatedDisk) throws(GenerationsError) -> GenerationStore {
        try GenerationStore(
            files: disk,
            keys: usesKeychain ? SimulatedKeychain(disk) : FileKeyStore(disk),
            random: SeededRandom(seed: 1),
            time: clock
        )
    }

    /// A disk whose store has ``old`` in it, all of it durable.
    func diskWithOldData() throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        try makeOldData(open(disk))
        try disk.synchronizeTree(.root)
        return disk
    }

    func makeOldData(_ store: GenerationStore) throws {
        _ = try store.currentOrFirst { try fill($0, with: Self.old, in: store) }
    }

    func fill(_ generation: Generation, with data: [String: [UInt8]], in store: GenerationStore)
        throws(GenerationsError)
    {
        for (name, bytes) in data.sorted(by: { $0.key < $1.key }) {
            let path = generation.folder.appending(try StorePath(name))
            try store.files.makeFolders(path.parent, durably: false)
            let file = try store.files.open(path, .create)
            try file.write(bytes, at: 0)
            file.close()
        }
    }

    static let binding: [UInt8] = [1, 2, 3]
    static let progress = Array("the database".utf8)

    /// - Parameter told: Called with each phase once it was told to the caller, and before that with nil once progress was.
    func stageNewData(
        _ store: GenerationStore,
        told: (StagingPhase?) -> Void = { _ in }
    ) throws(GenerationsError) {
        let staged = try store.stage(binding: Self.binding)
        told(.preparing)
        try fill(staged.generation, with: Self.new.filter { $0.key == "db.sqlite" }, in: store)
        try store.files.synchronizeTree(staged.generation.folder)
        try store.note(progress: Self.progress)
        told(nil)
        try fill(staged.generation, with: Self.new.filter { $0.key != "db.sqlite" }, in: store)
        try store.complete()
        told(.staged)
        try store.verify(key: Self.key, restoredFrom: "00ff")
        told(.verified)
    }

    func visible(_ store: GenerationStore) throws -> VisibleData? {
        guard let current = try store.current() else { return nil }
        return try data(of: current, in: store)
    }

    func data(of generation: Generation, in store: GenerationStore) throws -> VisibleData {
        var files: [String: [UInt8]] = [:]
        func read(_ folder: StorePath, _ prefix: String) throws {
            for name in try store.files.names(in: folder, limit: 1000) where prefix + name != "meta.json" {
                let path = folder.appending(try StorePath(name))
                if try store.files.status(of: path)?.kind == .folder {
                    try read(path, prefix + name + "/")
                } else {
                    files[prefix + name] = try store.files.contents(of: path, limit: 1 << 20)
                }
            }
        }
        try read(generation.folder, "")
        return VisibleData(files: files, key: try store.masterKey(of: generation).bytes)
    }

    /// Names that belong to no data; none after a start.
    func remains(_ store: GenerationStore, on disk: SimulatedDisk) throws -> [String] {
        let living = try [store.current()?.id.name, store.kept?.generation.name, store.staged?.generation.id.name]
            .compactMap { $0 }
        let journal = store.staged == nil ? [] : ["restore.journal"]
        let files = try store.files.names(in: GenerationStore.folder, limit: 1000)
            .filter { !(["CURRENT", "KEPT"] + living + journal).contains($0) }
        let names = Set(living.map { GenerationStore.keyName + "." + $0 } + [GenerationStore.keyName])
        let keyStore: any KeyStorePort = usesKeychain ? SimulatedKeychain(disk) : FileKeyStore(disk)
        let keys = try keyStore.names(withPrefix: GenerationStore.keyName).filter { !names.contains($0) }
        return files + keys
    }
}
