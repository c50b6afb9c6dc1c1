import Foundation
import GRDB
import Kernel
import Logging
import Storage
import Synchronization

/// The index's SQLite file: a cache, which is made anew whenever it is of no use. Where there is no disk for it, the index is in memory.
final class IndexDatabase: Sendable {
    /// The limits of the texts that are kept: far lower in memory.
    struct Bounds: Sendable {
        /// UTF-8 bytes of all threads' searchable text.
        var total: Int
        /// UTF-8 bytes of one file's searchable text.
        var file = 4 << 20

        static let disk = Bounds(total: 256 << 20)
        static let memory = Bounds(total: 16 << 20, file: 1 << 20)
    }

    private struct State {
        var writer: any DatabaseWriter
        var isInMemory: Bool
        /// How often the database was made anew.
        var generation = 0
        /// How often a damaged file was removed: one that is damaged again and again lies on a broken disk.
        var removals = 0
    }

    private let folder: URL?
    /// SQLite's pages; nil for no bound.
    private let pageLimit: Int?
    /// Nil: as large as where it lies allows.
    private let givenBounds: Bounds?
    private let logger: Logger
    private let state: Mutex<State>
    /// Called when an empty database took the place of another.
    private let anew: Mutex<(@Sendable () -> Void)?> = Mutex(nil)

    /// - Parameter folder: Nil for an index in memory.
    init(folder: URL?, pageLimit: Int? = nil, bounds: Bounds? = nil, logger: Logger) throws {
        self.folder = folder
        self.pageLimit = pageLimit
        givenBounds = bounds
        self.logger = logger
        let (writer, isInMemory) = try Self.open(folder, pageLimit, logger)
        state = Mutex(State(writer: writer, isInMemory: isInMemory))
    }

    var bounds: Bounds { givenBounds ?? (isInMemory ? .memory : .disk) }
    var isInMemory: Bool { state.withLock(\.isInMemory) }

    /// - Parameter action: Called each time an empty database took the place of one that was of no use any more.
    func whenMadeAnew(_ action: @escaping @Sendable () -> Void) { anew.withLock { $0 = action } }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await attempt { try await $0.read(body) }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await attempt { try await $0.write(body) }
    }

    /// Like ``read(_:)``, but for slow reads: it runs on one of the threads of `work`, which get the processor time that others leave.
    func read<Value: Sendable>(
        on work: BlockingWork,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await attempt { writer in try await work.run { try writer.read(body) } }
    }

    /// Like ``write(_:)``, but for slow writes without a waiting caller. Once begun it is done, also where the task is cancelled.
    func write<Value: Sendable>(
        on work: BlockingWork,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await attempt { writer in try await work.finish { try writer.write(body) } }
    }

    /// An error may mean that the database is of no use any more.
    private func attempt<Value: Sendable>(
        _ body: @Sendable (any DatabaseWriter) async throws -> Value
    ) async throws -> Value {
        let (writer, generation) = state.withLock { ($0.writer, $0.generation) }
        do {
            return try await body(writer)
        } catch {
            replace(after: error, in: generation)
            throw ThreadIndexError.telling(error)
        }
    }

    // MARK: Opening

    static func file(in folder: URL) -> URL { folder.appending(path: "threads.sqlite") }

    private static func open(
        _ folder: URL?,
        _ pageLimit: Int?,
        _ logger: Logger
    ) throws -> (writer: any DatabaseWriter, isInMemory: Bool) {
        guard let folder else { return (try inMemory(), true) }
        do {
            return (try openFile(in: folder, pageLimit, logger), false)
        } catch {
            notice(logger, error)
            return (try inMemory(), true)
        }
    }

    private static func notice(_ logger: Logger, _ error: any Error) {
        logger.notice(
            "the index of threads is kept in memory: its cache cannot be used",
            metadata: ["reason": "\(ThreadIndexError.telling(error))"]
        )
    }

    private static func openFile(in folder: URL, _ pageLimit: Int?, _ logger: Logger) throws -> DatabasePool {
        try makeFolder(folder)
        let url = file(in: folder)
        do {
            if let pool = try openExactly(url, pageLimit) { return pool }
            logger.notice("the index of threads is made anew: another version made it")
        } catch let error as DatabaseError where isDamage(error) {
            logger.notice("the index of threads is made anew: its file was damaged")
        }
        try remove(url)
        guard let pool = try openExactly(url, pageLimit) else { throw StorageError.damaged }
        return pool
    }

    /// Nil where the file has the tables of another version.
    private static func openExactly(_ url: URL, _ pageLimit: Int?) throws -> DatabasePool? {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 3
        configuration.prepareDatabase { database in
            // A log of 32 MiB holds the first look at ten thousand files: the disk is waited for behind it.
            try database.execute(
                sql: """
                    PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 16777216; PRAGMA wal_autocheckpoint = 8192
                    """
            )
            // The cache holds the changes of one transaction of a first look until it ends.
            if !database.configuration.readonly { try database.execute(sql: "PRAGMA cache_size = -6000") }
            if let pageLimit { try database.execute(sql: "PRAGMA max_page_count = \(pageLimit)") }
        }
        let files = FileManager.default
        if !files.fileExists(atPath: url.path) {
            // SQLite gives its log the database's own mode: nobody else reads what was said.
            guard files.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
                throw StorageError.notWritable
            }
        }
        let pool = try DatabasePool(path: url.path, configuration: configuration)
        return try prepare(pool) ? pool : nil
    }

    private static func inMemory() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        _ = try prepare(queue)
        return queue
    }

    /// False where the database has the tables of another version.
    private static func prepare(_ writer: any DatabaseWriter) throws -> Bool {
        try writer.write { database in
            let version = try Int.fetchOne(database, sql: "PRAGMA user_version")
            if version == IndexTables.version { return true }
            let tables = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master")
            guard version == 0, tables == 0 else { return false }
            try database.execute(sql: IndexTables.sql)
            try database.execute(sql: "PRAGMA user_version = \(IndexTables.version)")
            return true
        }
    }

    private static func makeFolder(_ folder: URL) throws {
        let files = FileManager.default
        try files.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        // Programs that make backups leave out folders with such a file (bford.info/cachedir).
        let tag = folder.appending(path: "CACHEDIR.TAG")
        guard !files.fileExists(atPath: tag.path) else { return }
        let text =
            "Signature: 8a477f597d28d172789f06886806bc55\n# Made anew by Tandem from the histories of coding agents.\n"
        try Data(text.utf8).write(to: tag)
    }

    private static func remove(_ url: URL) throws {
        let files = FileManager.default
        for path in ["", "-wal", "-shm", "-journal"].map({ url.path + $0 }) where files.fileExists(atPath: path) {
            try files.removeItem(atPath: path)
        }
    }

    /// A file that ends too early is damaged, too.
    private static func isDamage(_ error: DatabaseError) -> Bool {
        StorageError(error) == .damaged || error.extendedResultCode == .SQLITE_IOERR_SHORT_READ
    }

    // MARK: Making anew

    /// Puts an empty database in the place of this one after an error that does not go away by itself: a file once more where it was
    /// damaged, else memory.
    private func replace(after error: any Error, in generation: Int) {
        guard let error = error as? DatabaseError else { return }
        let reason = StorageError(error)
        let isDamaged = Self.isDamage(error)
        let isReplaced = state.withLock { state -> Bool in
            guard state.generation == generation, !state.isInMemory else { return false }
            switch reason {
            case .damaged, .diskFull, .notWritable: break
            case .failed(let code) where code & 0xFF == ResultCode.SQLITE_IOERR.rawValue: break
            case .busy, .failed: return false
            }
            do {
                if isDamaged, state.removals < 3, let folder {
                    logger.notice("the index of threads is made anew: its file was damaged")
                    // Those that still read keep the removed file open.
                    try Self.remove(Self.file(in: folder))
                    state.writer = try Self.openFile(in: folder, pageLimit, logger)
                    state.removals += 1
                } else {
                    state.writer = try Self.inMemory()
                    state.isInMemory = true
                    Self.notice(logger, error)
                }
            } catch let other {
                guard let memory = try? Self.inMemory() else { return false }
                state.writer = memory
                state.isInMemory = true
                Self.notice(logger, other)
            }
            state.generation += 1
            return true
        }
        if isReplaced { anew.withLock { $0 }?() }
    }
}
