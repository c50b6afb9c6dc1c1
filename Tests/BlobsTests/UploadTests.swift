import Foundation
import GRDB
import Kernel
import KernelTesting
import Synchronization
import Testing
import Transfers

@testable import Blobs

@Suite("Uploads", .timeLimit(.minutes(2)))
struct UploadTests {
    let scene: BlobScene
    let store: BlobStore
    let photo = Samples.jpeg()

    init() throws {
        scene = try BlobScene()
        store = try scene.store()
    }

    @Test("an upload in parts becomes a blob with its type, size and checksum")
    func parts() async throws {
        let upload = try await store.beginUpload("chat_image", size: 400, of: "7")
        #expect(upload.offset == 0 && upload.key == nil && upload.kind == "chat_image")
        #expect(
            try await store.append(to: upload.id, of: "7", at: 0, [Array(photo[..<10]), Array(photo[10..<99])]) == 99
        )
        #expect(try await store.upload(upload.id, of: "7").offset == 99)
        #expect(try await store.append(to: upload.id, of: "7", at: 99, [Array(photo[99...])]) == 400)
        let object = try await store.completeUpload(upload.id, of: "7")
        #expect(object.type == .jpeg && object.size == 400 && object.owner == "7" && object.references == 0)
        #expect(object.pictureSize == PictureSize(640, 480))
        #expect(object.key.isIn("chat/image") && object.key.name.hasSuffix(".jpg"))
        #expect(try await store.bytes(object.key) == photo)
        // A repeat of each request changes nothing.
        #expect(try await store.completeUpload(upload.id, of: "7") == object)
        let after = try await store.upload(upload.id, of: "7")
        #expect(after.key == object.key && after.offset == 400)
        await #expect(throws: BlobError.wrongOffset(expected: 400)) {
            try await store.append(to: upload.id, of: "7", at: 0, [photo])
        }
        #expect(try scene.files() == ["objects/\(object.key)"])
    }

    @Test("files are their owner's only, and so are folders")
    func permissions() async throws {
        let upload = try await store.beginUpload("chat_image", size: 400, of: "7")
        _ = try await store.receive("sealed", of: "7", pieces: [[1]])
        let files = FileManager.default
        for path in try [""] + files.subpathsOfDirectory(atPath: scene.folder.path) {
            let attributes = try files.attributesOfItem(atPath: scene.folder.appending(path: path).path)
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == (isFolder ? 0o700 : 0o600))
        }
        #expect(try scene.files().contains("parts/\(upload.id)"))
    }

    @Test("kind, size and quota are looked at before anything is allocated")
    func refusedEarly() async throws {
        await #expect(throws: BlobError.unknownKind) { try await store.beginUpload("x", size: 1, of: "7") }
        await #expect(throws: BlobError.empty) { try await store.beginUpload("sealed", size: 0, of: "7") }
        await #expect(throws: BlobError.empty) { try await store.beginUpload("sealed", size: -1, of: "7") }
        for size in [(1 << 20) + 1, Int64.max] as [Int64] {
            await #expect(throws: BlobError.tooLarge(limit: 1 << 20)) {
                try await store.beginUpload("sealed", size: size, of: "7")
            }
        }
        let poor = try BlobScene(quota: BlobQuota(bytes: 100, objects: 9, uploads: 9))
        await #expect(throws: BlobError.bytesUsed(limit: 100)) {
            try await poor.store().beginUpload("sealed", size: 101, of: "7")
        }
        #expect(try scene.files().isEmpty && scene.rowCount() == 0)
        #expect(try poor.files().isEmpty && poor.rowCount() == 0)
    }

    @Test(
        "an offset beyond, before or below zero is answered with the right one, and bytes beyond the size are refused"
    )
    func offsets() async throws {
        let upload = try await store.beginUpload("sealed", size: 10, of: "7")
        #expect(try await store.append(to: upload.id, of: "7", at: 0, [[0, 1, 2, 3]]) == 4)
        for offset in [0, 3, 5, 10, 11, -1, Int64.max, Int64.min] as [Int64] {
            await #expect(throws: BlobError.wrongOffset(expected: 4)) {
                try await store.append(to: upload.id, of: "7", at: offset, [[9]])
            }
        }
        await #expect(throws: BlobError.self) {
            try await store.append(to: upload.id, of: "7", at: 4, [[4, 5, 6, 7, 8, 9, 10]])
        }
        await #expect(throws: BlobError.incomplete(missing: 6)) { try await store.completeUpload(upload.id, of: "7") }
        #expect(try await store.append(to: upload.id, of: "7", at: 4, [[4, 5], [], [6, 7, 8, 9]]) == 10)
        let object = try await store.completeUpload(upload.id, of: "7")
        #expect(try await store.bytes(object.key) == Array(0..<10))
    }

    @Test("of two requests that send the same bytes one writes, and the other is told where it is")
    func twoSenders() async throws {
        let upload = try await store.beginUpload("sealed", size: 6, of: "7")
        let (first, second) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        let slow = Task {
            var step = 0
            return try await store.append(to: upload.id, of: "7", at: 0) {
                step += 1
                switch step {
                case 1: return [0, 1]
                case 2:
                    // The first two are written; the other one sends now.
                    first.continuation.finish()
                    for await _ in second.stream {}
                    return [2, 3]
                default: return nil
                }
            }
        }
        for await _ in first.stream {}
        await #expect(throws: BlobError.wrongOffset(expected: 2)) {
            try await store.append(to: upload.id, of: "7", at: 0, [[0, 1, 2, 3]])
        }
        #expect(try await store.append(to: upload.id, of: "7", at: 2, [[2, 3, 4]]) == 5)
        second.continuation.finish()
        await #expect(throws: BlobError.wrongOffset(expected: 5)) { try await slow.value }
        #expect(try await store.append(to: upload.id, of: "7", at: 5, [[5]]) == 6)
        let object = try await store.completeUpload(upload.id, of: "7")
        #expect(try await store.bytes(object.key) == Array(0..<6))
    }

    @Test("requests that complete an upload at once get one blob")
    func completedAtOnce() async throws {
        let upload = try await store.beginUpload("chat_image", size: 400, of: "7")
        _ = try await store.append(to: upload.id, of: "7", at: 0, [photo])
        let keys = try await withThrowingTaskGroup(of: BlobKey.self) { group in
            for _ in 0..<8 { group.addTask { try await store.completeUpload(upload.id, of: "7").key } }
            return try await group.reduce(into: Set<BlobKey>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(try scene.rowCount() == 1)
    }

    @Test("what arrived of a body that breaks off is kept, and the sender goes on")
    func brokenPart() async throws {
        let upload = try await store.beginUpload("chat_image", size: 400, of: "7")
        var step = 0
        await #expect(throws: ConnectionLost.self) {
            try await store.append(to: upload.id, of: "7", at: 0) {
                step += 1
                guard step == 1 else { throw ConnectionLost() }
                return photo[..<150]
            }
        }
        let next = try scene.store()
        #expect(try await next.upload(upload.id, of: "7").offset == 150)
        _ = try await next.append(to: upload.id, of: "7", at: 150, [Array(photo[150...])])
        let object = try await next.completeUpload(upload.id, of: "7")
        #expect(try await next.bytes(object.key) == photo)
    }

    @Test("an upload is its owner's alone")
    func owners() async throws {
        let upload = try await store.beginUpload("chat_image", size: 400, of: "7")
        for id in [upload.id, "", "../x", String(repeating: "a", count: 26), upload.id.uppercased()] {
            let other = id == upload.id ? "8" : "7"
            await #expect(throws: BlobError.unknownUpload) { try await store.upload(id, of: other) }
            await #expect(throws: BlobError.unknownUpload) { try await store.append(to: id, of: other, at: 0, [photo]) }
            await #expect(throws: BlobError.unknownUpload) { try await store.completeUpload(id, of: other) }
            await #expect(throws: BlobError.unknownUpload) { try await store.cancelUpload(id, of: other) }
        }
        #expect(try await store.upload(upload.id, of: "7").offset == 0)
    }

    @Test("a file of a type that is not taken is removed, whatever its kind is called")
    func unacceptable() async throws {
        for bytes in [Array("<svg onload=alert(1)>".utf8), Array("OggS\0\0".utf8), [0xFF, 0xD8, 0xFF, 0xD9]]
            as [[UInt8]]
        {
            let upload = try await store.beginUpload("chat_image", size: Int64(bytes.count), of: "7")
            _ = try await store.append(to: upload.id, of: "7", at: 0, [bytes])
            await #expect(throws: BlobError.unacceptable) { try await store.completeUpload(upload.id, of: "7") }
            await #expect(throws: BlobError.unknownUpload) { try await store.upload(upload.id, of: "7") }
            await #expect(throws: BlobError.unacceptable) {
                try await store.receive("chat_image", of: "7", pieces: [bytes])
            }
        }
        await #expect(throws: BlobError.tooManyPixels(limit: 50_000_000)) {
            try await store.receive("chat_image", of: "7", pieces: [Samples.jpeg(width: 10_000, height: 5001)])
        }
        _ = try await store.receive("chat_image", of: "7", pieces: [Samples.jpeg(width: 10_000, height: 5000)])
        #expect(try scene.rowCount() == 1 && scene.files().count == 1)
    }

    @Test("a checksum that does not fit removes the upload")
    func checksum() async throws {
        for isRight in [false, true] {
            let upload = try await store.beginUpload("sealed", size: 3, of: "7")
            _ = try await store.append(to: upload.id, of: "7", at: 0, [[1, 2, 3]])
            let expected = isRight ? try await store.receive("sealed", of: "8", pieces: [[1, 2, 3]]).sha256 : [0]
            if isRight {
                let object = try await store.completeUpload(upload.id, of: "7", sha256: expected)
                #expect(object.sha256 == expected)
                #expect(object.type == nil && object.key.name.hasSuffix(".bin"))
            } else {
                await #expect(throws: BlobError.checksumMismatch) {
                    try await store.completeUpload(upload.id, of: "7", sha256: expected)
                }
                await #expect(throws: BlobError.unknownUpload) { try await store.upload(upload.id, of: "7") }
            }
        }
    }

    @Test("an upload that is cancelled leaves nothing, and a blob only while nothing names it")
    func cancelled() async throws {
        let upload = try await store.beginUpload("sealed", size: 3, of: "7")
        _ = try await store.append(to: upload.id, of: "7", at: 0, [[1]])
        try await store.cancelUpload(upload.id, of: "7")
        await #expect(throws: BlobError.unknownUpload) { try await store.append(to: upload.id, of: "7", at: 1, [[2]]) }
        #expect(try scene.files().isEmpty && scene.rowCount() == 0)

        let whole = try await store.beginUpload("sealed", size: 1, of: "7")
        _ = try await store.append(to: whole.id, of: "7", at: 0, [[1]])
        let object = try await store.completeUpload(whole.id, of: "7")
        try await scene.database.write { try store.retain(object.key, in: $0) }
        await #expect(throws: BlobError.inUse) { try await store.cancelUpload(whole.id, of: "7") }
        try await scene.database.write { try $0.execute(sql: "UPDATE blobObject SET referenceCount = 0") }
        try await store.cancelUpload(whole.id, of: "7")
        #expect(try scene.files().isEmpty && scene.rowCount() == 0)
    }

    // MARK: Whole

    @Test("a body that comes whole becomes a blob of the size that it has")
    func whole() async throws {
        for bound in [nil, 400, 600, Int64.max] as [Int64?] {
            let object = try await store.receive(
                "chat_image",
                of: "7",
                bound: bound,
                pieces: [Array(photo[..<1]), [], Array(photo[1...])]
            )
            #expect(object.size == 400)
            #expect(try await store.bytes(object.key) == photo)
        }
        #expect(try scene.files().allSatisfy { $0.hasPrefix("objects/") })
    }

    @Test("a body that is empty, too long or breaks off leaves nothing")
    func brokenWhole() async throws {
        await #expect(throws: BlobError.empty) { try await store.receive("sealed", of: "7", pieces: [[]]) }
        let piece = [UInt8](repeating: 1, count: 1 << 19)
        await #expect(throws: BlobError.tooLarge(limit: 1 << 20)) {
            try await store.receive("sealed", of: "7", pieces: [piece, piece, [1]])
        }
        var step = 0
        await #expect(throws: ConnectionLost.self) {
            try await store.receive("sealed", of: "7") {
                step += 1
                guard step < 3 else { throw ConnectionLost() }
                return piece[...]
            }
        }
        #expect(try scene.files().isEmpty && scene.rowCount() == 0)
    }

    @Test("a request that was cut by the end of the process is removed by the next one")
    func wholeAtCrash() async throws {
        var crash: BlobScene?
        var step = 0
        _ = try await store.receive("sealed", of: "7") {
            step += 1
            if step == 2 { crash = try scene.snapshot() }
            return step < 3 ? [1, 2] : nil
        }
        let restored = try #require(crash)
        #expect(try restored.rowCount() == 1 && restored.files().count == 1)
        let id = try #require(
            try await restored.database.read { try String.fetchOne($0, sql: "SELECT id FROM blobObject") }
        )
        let next = try restored.store()
        await #expect(throws: BlobError.unknownUpload) { try await next.upload(id, of: "7") }
        await next.sweep()
        #expect(try restored.rowCount() == 0 && restored.files().isEmpty)
    }

    // MARK: Quotas

    @Test("uploads that begin at once share one quota")
    func quotaRaces() async throws {
        let poor = try BlobScene(quota: BlobQuota(bytes: 100, objects: 5, uploads: 3))
        let store = try poor.store()
        func begun(_ size: Int64, of owner: String) async -> Int {
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<12 {
                    group.addTask { (try? await store.beginUpload("sealed", size: size, of: owner)) != nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
        }
        #expect(await begun(1, of: "7") == 3)
        #expect(await begun(40, of: "8") == 2)
        #expect(await begun(100, of: "9") == 1)
        await #expect(throws: BlobError.tooManyUploads(limit: 3)) {
            try await store.beginUpload("sealed", size: 1, of: "7")
        }
        await #expect(throws: BlobError.bytesUsed(limit: 100)) {
            try await store.beginUpload("sealed", size: 40, of: "8")
        }
        #expect(try poor.rowCount() == 6)
    }

    @Test("what is kept counts, what was removed does not, and the whole of a body in one request is what it has")
    func quotaOfObjects() async throws {
        let poor = try BlobScene(quota: BlobQuota(bytes: 1 << 20, objects: 2, uploads: 3))
        let store = try poor.store()
        let first = try await store.receive("sealed", of: "7", pieces: [[1]])
        // The bound is given back: three of them would not fit.
        _ = try await store.receive("sealed", of: "7", bound: 1 << 19, pieces: [[1]])
        await #expect(throws: BlobError.objectsUsed(limit: 2)) {
            try await store.receive("sealed", of: "7", pieces: [[1]])
        }
        try await poor.database.write { database in
            try store.retain(first.key, in: database)
            try store.release(first.key, in: database)
        }
        _ = try await store.receive("sealed", of: "7", bound: 1 << 19, pieces: [[1]])
    }

    // MARK: Disk full

    @Test(
        "4.5: a full disk is told as such, leaves nothing behind, and reads go on",
        arguments: [WatchedDisk.Step.makePart, .write, .synchronize, .finish]
    )
    func diskFull(step: WatchedDisk.Step) async throws {
        let before = try await store.receive("sealed", of: "7", pieces: [[1, 2, 3]])
        let full = try scene.store { (now: WatchedDisk.Step) throws(FileError) in
            if now == step { throw .diskFull(needed: 1) }
        }
        await #expect(throws: BlobError.diskFull) { try await full.receive("sealed", of: "7", pieces: [[4]]) }
        await #expect(throws: BlobError.diskFull) {
            let upload = try await full.beginUpload("sealed", size: 1, of: "7")
            _ = try await full.append(to: upload.id, of: "7", at: 0, [[4]])
            _ = try await full.completeUpload(upload.id, of: "7")
        }
        #expect(try scene.files() == ["objects/\(before.key)"])
        #expect(try await full.bytes(before.key) == [1, 2, 3])
        #expect(BlobError.diskFull.status == 507)
    }

    @Test("a database without room is a full disk, too")
    func databaseFull() async throws {
        try await scene.database.write { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
        var failure: (any Error)?
        for _ in 0..<200 {
            do {
                _ = try await store.beginUpload("sealed", size: 1, of: UUID().uuidString)
            } catch {
                failure = error
                break
            }
        }
        #expect(failure as? BlobError == .diskFull)
        #expect(try scene.files().count == scene.rowCount())
    }
}
