import Foundation
import GRDB
import Kernel
import KernelTesting
import Storage
import Synchronization
import Transfers

@testable import Blobs

/// A store's folder and database, over which a test may make one store after the other: a process that was killed closes nothing.
final class BlobScene: Sendable {
    let folder: URL
    let database: DatabaseQueue
    let clock: ManualClock
    let quota: BlobQuota
    let kinds: [BlobKind]

    init(
        folder: URL? = nil,
        database: DatabaseQueue? = nil,
        clock: ManualClock = ManualClock(),
        quota: BlobQuota = BlobQuota()
    ) throws {
        self.folder =
            folder ?? FileManager.default.temporaryDirectory.appending(path: "blobs-\(UUID().uuidString)")
        self.database = try database ?? StateDatabase.inMemory(schema: [BlobStore.migrations])
        self.clock = clock
        self.quota = quota
        kinds = try BlobKindList().all
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func disk() throws -> BlobFolder { try BlobFolder(folder) }

    /// - Parameter hook: Called before each step of the disk.
    func store(_ hook: WatchedDisk.Hook? = nil) throws -> BlobStore {
        let disk = try disk()
        return try BlobStore(
            hook.map { WatchedDisk(disk, hook: $0) } ?? disk,
            database: database,
            kinds: kinds,
            quota: quota,
            time: clock
        )
    }

    /// A copy of folder and database as a crash would leave them now.
    func snapshot() throws -> BlobScene {
        let copy = FileManager.default.temporaryDirectory.appending(path: "blobs-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: folder, to: copy)
        let rows = try DatabaseQueue()
        try database.backup(to: rows)
        return try BlobScene(folder: copy, database: rows, clock: clock, quota: quota)
    }

    /// Paths of all files below the folder.
    func files() throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return paths.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: folder.appending(path: path).path, isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    func rowCount() throws -> Int {
        try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM blobObject") ?? 0 }
    }

    func state(_ id: String) throws -> String? {
        try database.read { try String.fetchOne($0, sql: "SELECT state FROM blobObject WHERE id = ?", arguments: [id]) }
    }

    /// An object that is kept, for tests of what comes after.
    func kept(_ bytes: [UInt8] = Samples.jpeg(), kind: String = "chat_image", owner: String = "7") async throws
        -> BlobObject
    {
        try await store().receive(kind, of: owner, pieces: [bytes])
    }
}

/// The kinds of these tests.
struct BlobKindList {
    let image: BlobKind
    let all: [BlobKind]

    init() throws {
        image = try BlobKind(
            "chat_image",
            folder: "chat/image",
            byteLimit: 1 << 20,
            content: .media(MediaType.pictures, pixelLimit: 50_000_000)
        )
        all = [
            image,
            try BlobKind("chat_audio", folder: "chat/audio", byteLimit: 1 << 16, content: .media(MediaType.sounds)),
            try BlobKind(
                "chat_flash",
                folder: "chat/flash",
                byteLimit: 1 << 20,
                content: .media(MediaType.pictures),
                isReadOnce: true
            ),
            try BlobKind("sealed", folder: "journal/sealed", byteLimit: 1 << 20, content: .opaque),
        ]
    }
}

extension BlobStore {
    func receive(_ kind: String, of owner: String, bound: Int64? = nil, pieces: [[UInt8]]) async throws -> BlobObject {
        var rest = pieces[...]
        return try await receive(kind, of: owner, bound: bound) { rest.popFirst()?[...] }
    }

    func append(to id: String, of owner: String, at offset: Int64, _ pieces: [[UInt8]]) async throws -> Int64 {
        var rest = pieces[...]
        return try await append(to: id, of: owner, at: offset) { rest.popFirst()?[...] }
    }

    var uploadsInMemory: Int { uploads.withLock(\.count) }

    /// All bytes of a blob.
    func bytes(_ key: BlobKey) async throws -> [UInt8] {
        let blob = try await open(key)
        let next = blob.pieces(0..<blob.object.size)
        var bytes: [UInt8] = []
        while let piece = try await next() { bytes += piece }
        return bytes
    }
}

/// A body that breaks off.
struct ConnectionLost: Error {}

/// Bytes of small files.
enum Samples {
    /// The head of a picture with a frame of this size, and some bytes that follow.
    static func jpeg(width: Int = 640, height: Int = 480, count: Int = 400) -> [UInt8] {
        let jfif: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]
        let frame: [UInt8] =
            [0xFF, 0xC0, 0, 17, 8] + two(height) + two(width) + [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
        let head = jfif + frame
        return head + (head.count..<max(count, head.count)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    }

    static func png(width: Int, height: Int) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0] + two(width) + [0, 0] + two(height) + [8, 6, 0, 0, 0]
    }

    /// A box `ftyp` with these brands.
    static func brands(_ brands: String...) -> [UInt8] {
        let names = [brands[0]] + ["\0\0\0\0"] + brands.dropFirst()
        return [0, 0, 0, UInt8(8 + 4 * names.count)] + Array("ftyp".utf8) + names.flatMap { Array($0.utf8) }
    }

    static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let size = content.count + 8
        return [0, 0] + two(size) + Array(name.utf8) + content
    }

    /// A picture of HEIF with these sizes in its properties.
    static func heic(_ sizes: (Int, Int)...) -> [UInt8] {
        let properties = sizes.flatMap { box("ispe", [0, 0, 0, 0, 0, 0] + two($0.0) + [0, 0] + two($0.1)) }
        let meta = box("meta", [0, 0, 0, 0] + box("hdlr", [0, 0]) + box("iprp", box("ipco", properties)))
        return brands("heic", "mif1") + meta
    }

    static func two(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 255), UInt8(number & 255)] }
}

/// A file in memory.
struct MemoryFile: ReadableFile {
    let bytes: [UInt8]

    func status() throws(FileError) -> FileStatus {
        let time = FileTime(seconds: 0)
        return FileStatus(
            kind: .file,
            size: Int64(bytes.count),
            modified: time,
            accessed: time,
            created: nil,
            permissions: 0o600,
            inode: 1,
            device: 1
        )
    }

    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        guard offset < bytes.count else { return [] }
        return Array(bytes[Int(offset)...].prefix(count))
    }
}
