import Generations
import Kernel
import MigrationContainer

/// Puts what a package holds into a staged generation as it is read: records into a new database, files into their places. For one thread,
/// which waits for the disk.
final class PackageStaging: RestoreSink {
    private let plan: RestorePlan
    private let store: GenerationStore
    private let database: any DatabaseBuilding
    private let step: @Sendable (RestoreStep) -> Void
    let generation: Generation
    private(set) var files: StagedFiles
    private(set) var received: [MigrationEntity: Int] = [:]
    private(set) var key: MasterKey?
    private(set) var build: (any DatabaseBuild)?
    private var isBegun = false
    private var file: ComingFile?
    private var mediaBytes: UInt64 = 0
    private var sinceLook: UInt64 = 0

    private struct ComingFile {
        let path: String
        let size: UInt64
        /// Nil for a file that an earlier run put on the disk.
        let file: (any StoreFile)?
        let place: FilePlace?
        var written: UInt64 = 0
    }

    /// Begins with a package, or goes on with it where an earlier run, or a full disk, ended.
    ///
    /// - Parameters:
    ///   - generation: Staged, at ``StagingPhase/preparing`` or ``StagingPhase/staged``.
    ///   - release: Told which parts of the package's archive are on the disk as files.
    init(
        _ plan: RestorePlan,
        into generation: Generation,
        store: GenerationStore,
        database: any DatabaseBuilding,
        interval: UInt64,
        step: @escaping @Sendable (RestoreStep) -> Void,
        release: (@Sendable (Range<UInt64>) -> Void)? = nil
    ) throws {
        self.plan = plan
        self.generation = generation
        self.store = store
        self.database = database
        self.step = step
        files = try StagedFiles(of: generation, in: store, interval: interval, release: release)
        try RestoreSpace.check(plan, staged: files.bytes, room: try store.files.room())
        // A database is made in one go: that of an earlier run is not whole.
        for name in Self.databaseNames { try store.files.removeFileIfThere(generation.folder.appending(name)) }
    }

    private static let databaseNames: [StorePath] = [
        "db.sqlite", "db.sqlite-wal", "db.sqlite-shm", "db.sqlite-journal",
    ]

    // MARK: The sink

    var known: (any KnownArchive)? { files.archive }

    func begin(_ manifest: Manifest) throws {
        guard !isBegun else { throw RestoreError.outOfOrder }
        isBegun = true
    }

    func take(masterKey: [UInt8]) throws {
        guard isBegun, key == nil else { throw RestoreError.outOfOrder }
        guard let key = MasterKey(masterKey) else { throw RestoreError.badKey }
        self.key = key
    }

    func take(_ record: JSONValue, of entity: MigrationEntity) throws {
        guard key != nil, file == nil else { throw RestoreError.outOfOrder }
        try openBuild().add(record, of: entity)
        received[entity, default: 0] += 1
    }

    func take(recordText: [UInt8], of entity: MigrationEntity) throws {
        guard key != nil, file == nil else { throw RestoreError.outOfOrder }
        try openBuild().add(text: recordText, of: entity)
        received[entity, default: 0] += 1
    }

    /// The database, which also a package without a record has.
    func openBuild() throws -> any DatabaseBuild {
        if let build { return build }
        step(.records)
        let build = try database.begin(generation, files: store.files)
        self.build = build
        return build
    }

    func beginFile(_ path: String, size: UInt64) throws { try beginFile(path, size: size, at: nil) }

    func beginFile(_ path: String, size: UInt64, at place: FilePlace?) throws {
        guard key != nil, file == nil else { throw RestoreError.outOfOrder }
        guard let below = try? StorePath(path) else { throw RestoreError.badName(path) }
        let (sum, overflow) = mediaBytes.addingReportingOverflow(size)
        guard !overflow, sum <= plan.manifest.mediaStats.totalBytes else { throw RestoreError.impossibleSize }
        mediaBytes = sum
        if let staged = files.sizes[path] {
            guard staged == size else { throw RestoreError.duplicateFile(path) }
            return file = ComingFile(path: path, size: size, file: nil, place: place)
        }
        let name = generation.media.appending(below)
        do throws(GenerationsError) {
            try store.files.makeFolders(name.parent, durably: false)
            file = ComingFile(path: path, size: size, file: try store.files.open(name, .create), place: place)
        } catch {
            guard case .exists = error else { throw error }
            throw RestoreError.duplicateFile(path)
        }
    }

    func take(fileBytes: [UInt8]) throws {
        guard var coming = file else { throw RestoreError.outOfOrder }
        guard UInt64(fileBytes.count) <= coming.size - coming.written else { throw RestoreError.impossibleSize }
        if let file = coming.file {
            try lookAtSpace(before: fileBytes.count)
            try file.write(fileBytes, at: coming.written)
        }
        coming.written += UInt64(fileBytes.count)
        file = coming
    }

    func endFile() throws {
        guard let coming = file, coming.written == coming.size else { throw RestoreError.outOfOrder }
        file = nil
        if let file = coming.file {
            file.close()
            try files.add(coming.path, size: coming.size, at: coming.place, in: generation, store)
        }
        step(.media(bytes: mediaBytes, of: plan.manifest.mediaStats.totalBytes))
    }

    private func lookAtSpace(before count: Int) throws {
        sinceLook += UInt64(count)
        guard sinceLook >= RestoreSpace.interval else { return }
        sinceLook = 0
        let room = try store.files.room()
        guard room.free >= RestoreSpace.interval else {
            throw RestoreError.diskFull(needed: RestoreSpace.interval, free: room.free)
        }
    }

    /// Puts what came on the disk. Nothing is under way any more.
    func end() throws {
        guard key != nil, file == nil else { throw RestoreError.outOfOrder }
        try files.keep(in: generation, store)
    }

    /// The database is one file on the disk.
    func checkDatabaseIsClosed() throws {
        for name in Self.databaseNames {
            let isThere = try store.files.status(of: generation.folder.appending(name)) != nil
            guard isThere == (name == "db.sqlite") else { throw RestoreError.databaseNotClosed }
        }
    }
}
