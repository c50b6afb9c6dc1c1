import Files
import FilesHost
import LinuxFiles
import Synchronization
import Transfers

/// What is done to folders that small files come into: counted, broken off, and interrupted where a test wants.
final class ArrivalWatch: Sendable {
    private struct State {
        var flushes = 0
        var nameFlushes = 0
        var stepsLeft: Int?
        var beforeFlush: (@Sendable () throws(FileError) -> Void)?
        var beforeRead: (@Sendable (String) -> Void)?
    }

    private let state = Mutex(State())

    /// Waits for the disk, for files and for names.
    var flushes: [Int] { state.withLock { [$0.flushes, $0.nameFlushes] } }
    /// Whether the machine went down: nothing is done any more.
    var isDown: Bool { state.withLock { $0.stepsLeft == 0 } }

    /// Lets the machine go down after so many steps.
    func goDown(after steps: Int?) { state.withLock { $0.stepsLeft = steps } }

    /// Runs something once, when everything is written and nothing has its name yet.
    func beforeFlush(_ body: @escaping @Sendable () throws(FileError) -> Void) {
        state.withLock { $0.beforeFlush = body }
    }

    /// Runs something before each read of a file, with the file's path.
    func beforeRead(_ body: @escaping @Sendable (String) -> Void) { state.withLock { $0.beforeRead = body } }

    func read(_ path: String) { state.withLock { $0.beforeRead }?(path) }

    func step() throws(FileError) {
        let isDown = state.withLock { state in
            guard let left = state.stepsLeft else { return false }
            if left > 0 { state.stepsLeft = left - 1 }
            return left == 0
        }
        if isDown { throw .system("the machine", reason: "it is down") }
    }

    func flush() throws(FileError) {
        let body = state.withLock { state -> (@Sendable () throws(FileError) -> Void)? in
            state.flushes += 1
            defer { state.beforeFlush = nil }
            return state.beforeFlush
        }
        try body?()
    }

    func flushNames() { state.withLock { $0.nameFlushes += 1 } }
}

/// Real shared folders whose arrivals are watched.
struct WatchedFiles: FileAccess {
    let access: LinuxFileAccess
    let watch: ArrivalWatch

    var roots: FileRoots { access.roots }

    func openArrivals(_ folder: FileLocation) throws(FileError) -> any ArrivalFolder {
        WatchedArrivals(folder: try access.openArrivals(folder), watch: watch)
    }

    func status(of location: FileLocation, followingLink: Bool) throws(FileError) -> FileStatus {
        try access.status(of: location, followingLink: followingLink)
    }

    func openFolder(_ location: FileLocation) throws(FileError) -> any OpenFolder { try access.openFolder(location) }

    func openFile(_ location: FileLocation) throws(FileError) -> any ReadableFile {
        let path = String(decoding: location.path, as: UTF8.self)
        return WatchedFile(file: try access.openFile(location), path: path, watch: watch)
    }

    func makeFolder(_ location: FileLocation, withParents: Bool, permissions: UInt32?) throws(FileError) -> Bool {
        try access.makeFolder(location, withParents: withParents, permissions: permissions)
    }

    func move(_ source: FileLocation, to target: FileLocation, replacing: Bool) throws(FileError) {
        try access.move(source, to: target, replacing: replacing)
    }

    func trash(_ location: FileLocation) throws(FileError) { try access.trash(location) }

    func remove(_ location: FileLocation, recursively: Bool) throws(FileError) {
        try access.remove(location, recursively: recursively)
    }

    func checkTarget(_ location: FileLocation) throws(FileError) { try access.checkTarget(location) }

    func makePart(_ name: [UInt8], in folder: FileLocation, size: Int64, holes: ByteRanges) throws(FileError)
        -> any PartialFile
    {
        try access.makePart(name, in: folder, size: size, holes: holes)
    }

    func openPart(_ name: [UInt8], in folder: FileLocation) throws(FileError) -> any PartialFile {
        try access.openPart(name, in: folder)
    }
}

private struct WatchedArrivals: ArrivalFolder {
    let folder: any ArrivalFolder
    let watch: ArrivalWatch

    func text(of name: [UInt8]) -> String { folder.text(of: name) }
    func status(of name: [UInt8]) throws(FileError) -> FileStatus? { try folder.status(of: name) }
    func refusals(of names: [[UInt8]]) throws(FileError) -> [FileError?] { try folder.refusals(of: names) }

    func write(_ file: WholeFile, as part: [UInt8]) throws(FileError) {
        try watch.step()
        try folder.write(file, as: part)
    }

    func synchronizeFiles() throws(FileError) {
        try watch.step()
        try watch.flush()
        try folder.synchronizeFiles()
    }

    func name(_ part: [UInt8], as name: [UInt8], replacing: Bool) throws(FileError) {
        try watch.step()
        try folder.name(part, as: name, replacing: replacing)
    }

    func synchronizeNames() throws(FileError) {
        try watch.step()
        watch.flushNames()
        try folder.synchronizeNames()
    }

    func remove(_ part: [UInt8]) throws(FileError) {
        try watch.step()
        try folder.remove(part)
    }
}

/// A journal in memory that counts its commits, and takes nothing where the machine is down.
final class WatchedUploadJournal: UploadJournal {
    private let journal = MemoryUploadJournal()
    private let watch: ArrivalWatch
    private let counted = Mutex(0)

    init(_ watch: ArrivalWatch) { self.watch = watch }

    var commits: Int { counted.withLock(\.self) }

    private func commit(_ body: () throws -> Void) throws {
        try watch.step()
        counted.withLock { $0 += 1 }
        try body()
    }

    func records() throws -> [UploadRecord] { try journal.records() }
    func save(_ record: UploadRecord) throws { try commit { try journal.save(record) } }
    func remove(_ id: String) throws { try commit { try journal.remove(id) } }
    func saveAll(_ records: [UploadRecord]) throws { try commit { try journal.saveAll(records) } }
    func removeAll(_ ids: [String]) throws { try commit { try journal.removeAll(ids) } }
}

/// The phone's journal in memory, with a count of its commits.
final class CountingTransferJournal: TransferJournal {
    private struct State {
        var records: [String: TransferRecord] = [:]
        var commits = 0
    }

    private let state = Mutex(State())

    var commits: Int { state.withLock(\.commits) }

    func records() throws -> [TransferRecord] { state.withLock { Array($0.records.values) } }
    func save(_ record: TransferRecord) throws { try saveAll([record]) }
    func remove(_ id: String) throws { try removeAll([id]) }

    func saveAll(_ records: [TransferRecord]) throws {
        state.withLock { state in
            state.commits += 1
            for record in records { state.records[record.id] = record }
        }
    }

    func removeAll(_ ids: [String]) throws {
        state.withLock { state in
            state.commits += 1
            for id in ids { state.records[id] = nil }
        }
    }
}

/// A file whose reads are watched.
private struct WatchedFile: ReadableFile {
    let file: any ReadableFile
    let path: String
    let watch: ArrivalWatch

    func status() throws(FileError) -> FileStatus { try file.status() }

    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        watch.read(path)
        return try file.read(at: offset, count: count)
    }
}
