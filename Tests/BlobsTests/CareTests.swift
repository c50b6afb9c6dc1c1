import Foundation
import GRDB
import KernelTesting
import Testing

@testable import Blobs

@Suite("References and sweeps", .timeLimit(.minutes(2)))
struct CareTests {
    let scene: BlobScene
    let store: BlobStore

    init() throws {
        scene = try BlobScene()
        store = try scene.store()
    }

    private struct Undone: Error {}

    @Test("the last reference takes the file along, after its transaction and never before")
    func references() async throws {
        let object = try await scene.kept()
        let path = scene.folder.appending(path: "objects/\(object.key)").path
        try await scene.database.write { database in
            try store.retain(object.key, of: "7", in: database)
            try store.retain(object.key, in: database)
            #expect(try store.object(object.key, in: database)?.references == 2)
            try store.release(object.key, in: database)
        }
        await store.removeDeleted()
        #expect(FileManager.default.fileExists(atPath: path))
        try await scene.database.write { database in
            try store.release(object.key, in: database)
            #expect(FileManager.default.fileExists(atPath: path))
            #expect(try store.object(object.key, in: database) == nil)
            #expect(throws: BlobError.unknownObject) { try store.retain(object.key, in: database) }
        }
        await store.removeDeleted()
        #expect(try scene.files().isEmpty && scene.rowCount() == 0)
    }

    @Test("a transaction that is undone changes no count and removes no file")
    func undone() async throws {
        let object = try await scene.kept()
        try await scene.database.write { try store.retain(object.key, in: $0) }
        await #expect(throws: Undone.self) {
            try await scene.database.write { database in
                try store.release(object.key, in: database)
                throw Undone()
            }
        }
        await store.removeDeleted()
        #expect(try await store.open(object.key).object.references == 1)
        #expect(try await store.bytes(object.key) == Samples.jpeg())
    }

    @Test("only its owner's blob is named, where an owner is said, and no blob is given up twice")
    func foreign() async throws {
        let object = try await scene.kept()
        let other = BlobKey.make(in: "chat/image", at: scene.clock.date, fileExtension: "jpg")
        try await scene.database.write { database in
            #expect(throws: BlobError.unknownObject) { try store.retain(object.key, of: "8", in: database) }
            #expect(throws: BlobError.unknownObject) { try store.retain(other, in: database) }
            // Nothing names it, so nothing can be given up.
            try store.release(object.key, in: database)
            try store.release(other, in: database)
        }
        await store.removeDeleted()
        #expect(try await store.open(object.key).object.references == 0)
    }

    @Test("4.5: a blob that nothing names goes after 24 hours, and one that something names stays")
    func unreferenced() async throws {
        let orphan = try await scene.kept()
        let named = try await scene.kept()
        try await scene.database.write { try store.retain(named.key, in: $0) }
        scene.clock.advance(by: .seconds(24 * 3600))
        await store.sweep()
        #expect(try await store.open(orphan.key).object.key == orphan.key)
        scene.clock.advance(by: .seconds(1))
        await store.sweep()
        await #expect(throws: BlobError.unknownObject) { try await store.open(orphan.key) }
        #expect(try scene.files() == ["objects/\(named.key)"])
    }

    @Test("an upload goes a day after its last part, also from memory")
    func idle() async throws {
        let upload = try await store.beginUpload("sealed", size: 9, of: "7")
        scene.clock.advance(by: .seconds(23 * 3600))
        _ = try await store.append(to: upload.id, of: "7", at: 0, [[1]])
        scene.clock.advance(by: .seconds(23 * 3600))
        await store.sweep()
        #expect(try await store.upload(upload.id, of: "7").offset == 1)
        scene.clock.advance(by: .seconds(25 * 3600))
        await store.sweep()
        await #expect(throws: BlobError.unknownUpload) { try await store.upload(upload.id, of: "7") }
        #expect(try scene.files().isEmpty && scene.rowCount() == 0)
    }

    @Test("an upload is swept under no request that writes to it")
    func busy() async throws {
        let upload = try await store.beginUpload("sealed", size: 2, of: "7")
        var step: UInt8 = 0
        let end = try await store.append(to: upload.id, of: "7", at: 0) {
            step += 1
            scene.clock.advance(by: .seconds(25 * 3600))
            await store.sweep()
            return step < 3 ? [step] : nil
        }
        #expect(end == 2)
        let object = try await store.completeUpload(upload.id, of: "7")
        #expect(try await store.bytes(object.key) == [1, 2])
    }

    @Test("an upload that stands still gives its open file back, and goes on")
    func closedWhenIdle() async throws {
        let upload = try await store.beginUpload("sealed", size: 2, of: "7")
        _ = try await store.append(to: upload.id, of: "7", at: 0, [[1]])
        #expect(store.uploadsInMemory == 1)
        scene.clock.advance(by: .seconds(61))
        await store.sweep()
        #expect(store.uploadsInMemory == 0)
        #expect(try await store.append(to: upload.id, of: "7", at: 1, [[2]]) == 2)
    }

    @Test("files and parts without a row go when they are an hour old")
    func orphans() async throws {
        let kept = try await scene.kept()
        try await scene.database.write { try store.retain(kept.key, in: $0) }
        let day = scene.folder.appending(path: "objects/\(kept.key.day)")
        let old = BlobKey.make(in: "chat/image", at: scene.clock.date, fileExtension: "jpg")
        let new = BlobKey.make(in: "chat/image", at: scene.clock.date, fileExtension: "jpg")
        let parts = scene.folder.appending(path: "parts")
        let files = FileManager.default
        for (url, age) in [
            (day.appending(path: old.name), 3601.0), (day.appending(path: new.name), 3500),
            (day.appending(path: "not-a-key"), 9999), (parts.appending(path: BlobKey.token()), 3601),
            (parts.appending(path: "young"), 3500),
        ] {
            #expect(files.createFile(atPath: url.path, contents: nil))
            let date = scene.clock.date.addingTimeInterval(-age)
            try files.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
        }
        await store.sweep()
        #expect(
            try scene.files()
                == ["objects/\(kept.key)", "objects/\(new)", "objects/\(kept.key.day)/not-a-key", "parts/young"]
                .sorted()
        )
    }

    @Test("a file that was removed by hand is a blob that is not there, and its row goes with its last reference")
    func lostFile() async throws {
        let object = try await scene.kept()
        try FileManager.default.removeItem(at: scene.folder.appending(path: "objects/\(object.key)"))
        await #expect(throws: BlobError.unknownObject) { try await store.open(object.key) }
        scene.clock.advance(by: .seconds(25 * 3600))
        await store.sweep()
        #expect(try scene.rowCount() == 0)
    }

    @Test("it sweeps at the start and every minute")
    func everyMinute() async throws {
        let first = try await scene.kept()
        scene.clock.advance(by: .seconds(25 * 3600))
        let task = Task { await store.run() }
        await scene.clock.sleeper(for: .seconds(60))
        await #expect(throws: BlobError.unknownObject) { try await store.open(first.key) }
        let second = try await scene.kept()
        scene.clock.advance(by: .seconds(25 * 3600))
        await scene.clock.sleeper(for: .seconds(60))
        await #expect(throws: BlobError.unknownObject) { try await store.open(second.key) }
        task.cancel()
        await task.value
    }

    @Test("links in the folder lead nowhere")
    func links() async throws {
        let object = try await scene.kept()
        let other = try await scene.kept()
        let files = FileManager.default
        let path = scene.folder.appending(path: "objects/\(object.key)").path
        try files.removeItem(atPath: path)
        try files.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
        await #expect(throws: BlobError.unknownObject) { try await store.open(object.key) }
        let year = scene.folder.appending(path: "objects/chat/image").path
        let away = scene.folder.appending(path: "away").path
        try files.moveItem(atPath: year, toPath: away)
        try files.createSymbolicLink(atPath: year, withDestinationPath: away)
        await #expect(throws: BlobError.unknownObject) { try await store.open(other.key) }
        await #expect(throws: BlobError.self) {
            try await store.receive("chat_image", of: "7", pieces: [Samples.jpeg()])
        }
    }
}
