import Blobs
import Transfers

/// A disk that tells a test what is about to be done, and fails as the test says.
struct WatchedDisk: BlobDisk {
    enum Step: Hashable {
        case makePart, write, synchronize, finish, finished, remove
    }

    typealias Hook = @Sendable (Step) throws(FileError) -> Void

    private let disk: any BlobDisk
    private let hook: Hook

    init(_ disk: any BlobDisk, hook: @escaping Hook) {
        self.disk = disk
        self.hook = hook
    }

    func makePart(_ id: String, size: Int64) throws(FileError) -> any PartialFile {
        try hook(.makePart)
        return WatchedPart(part: try disk.makePart(id, size: size), hook: hook)
    }

    func openPart(_ id: String) throws(FileError) -> any PartialFile {
        WatchedPart(part: try disk.openPart(id), hook: hook)
    }

    func removePart(_ id: String) throws(FileError) { try disk.removePart(id) }
    func parts() throws(FileError) -> [BlobDiskEntry] { try disk.parts() }
    func open(_ key: BlobKey) throws(FileError) -> any ReadableFile { try disk.open(key) }
    func size(of key: BlobKey) throws(FileError) -> Int64? { try disk.size(of: key) }

    func remove(_ key: BlobKey) throws(FileError) {
        try hook(.remove)
        try disk.remove(key)
    }

    func days(in folder: String) throws(FileError) -> [String] { try disk.days(in: folder) }
    func objects(of day: String) throws(FileError) -> [BlobDiskEntry] { try disk.objects(of: day) }
}

private struct WatchedPart: PartialFile {
    let part: any PartialFile
    let hook: WatchedDisk.Hook

    func status() throws(FileError) -> FileStatus { try part.status() }
    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] { try part.read(at: offset, count: count) }

    func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(FileError) {
        try hook(.write)
        try part.write(bytes, at: offset)
    }

    func synchronize() throws(FileError) {
        try hook(.synchronize)
        try part.synchronize()
    }

    func isInPlace() throws(FileError) -> Bool { try part.isInPlace() }

    func finish(as name: [UInt8], replacing: Bool, permissions: UInt32?, modifiedMilliseconds: Int64?) throws(FileError)
    {
        try hook(.finish)
        try part.finish(
            as: name,
            replacing: replacing,
            permissions: permissions,
            modifiedMilliseconds: modifiedMilliseconds
        )
        try hook(.finished)
    }

    func discard() throws(FileError) { try part.discard() }
}
