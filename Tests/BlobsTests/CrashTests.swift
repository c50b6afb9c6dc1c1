import Foundation
import GRDB
import KernelTesting
import Synchronization
import Testing
import Transfers

@testable import Blobs

/// The folder and the database as a kill would leave them at each step, and what the next process makes of them.
@Suite("Blobs after a kill", .timeLimit(.minutes(2)))
struct CrashTests {
    /// What the client had been told when the process was killed.
    private struct Moment {
        let left: BlobScene
        let id: String?
        /// Bytes that the client was promised.
        let promised: Int64
        /// The key that it was answered.
        let key: BlobKey?
    }

    private final class Recorder: Sendable {
        private struct Told {
            var moments: [Moment] = []
            var id: String?
            var promised: Int64 = 0
            var key: BlobKey?
        }

        private let scene: BlobScene
        private let told = Mutex(Told())

        init(_ scene: BlobScene) { self.scene = scene }

        var moments: [Moment] { told.withLock(\.moments) }

        func record() throws {
            let left = try scene.snapshot()
            told.withLock { $0.moments.append(Moment(left: left, id: $0.id, promised: $0.promised, key: $0.key)) }
        }

        func tell(id: String? = nil, promised: Int64? = nil, key: BlobKey? = nil) throws {
            told.withLock { told in
                told.id = id ?? told.id
                told.promised = promised ?? told.promised
                told.key = key ?? told.key
            }
            try record()
        }
    }

    private let photo = Samples.jpeg()

    /// An upload in two parts, with a moment before and after each step of the disk and each answer.
    private func moments() async throws -> [Moment] {
        let scene = try BlobScene()
        let recorder = Recorder(scene)
        let store = try scene.store { (_: WatchedDisk.Step) throws(FileError) in
            do { try recorder.record() } catch { throw .system("", reason: "\(error)") }
        }
        let upload = try await store.beginUpload("chat_image", size: 400, of: "7")
        try recorder.tell(id: upload.id)
        try recorder.tell(promised: try await store.append(to: upload.id, of: "7", at: 0, [Array(photo[..<200])]))
        try recorder.tell(promised: try await store.append(to: upload.id, of: "7", at: 200, [Array(photo[200...])]))
        let object = try await store.completeUpload(upload.id, of: "7")
        try recorder.tell(key: object.key)
        return recorder.moments
    }

    @Test("4.4: wherever the process is killed, the upload goes on or is a blob, and nothing promised is lost")
    func goesOn() async throws {
        let moments = try await moments()
        #expect(moments.count >= 11)
        for moment in moments {
            let store = try moment.left.store()
            var id = moment.id ?? ""
            if let known = moment.id {
                let found = try await store.upload(known, of: "7")
                #expect(found.offset >= moment.promised)
                if let key = moment.key { #expect(found.key == key) }
            } else {
                id = try await store.beginUpload("chat_image", size: 400, of: "7").id
            }
            let offset = try await store.upload(id, of: "7").offset
            if offset < 400 { _ = try await store.append(to: id, of: "7", at: offset, [Array(photo[Int(offset)...])]) }
            let object = try await store.completeUpload(id, of: "7")
            #expect(try await store.bytes(object.key) == photo)
            #expect(try await store.completeUpload(id, of: "7") == object)
            // What a client never learned of goes by itself.
            moment.left.clock.advance(by: .seconds(25 * 3600))
            try await moment.left.database.write { try store.retain(object.key, in: $0) }
            await store.sweep()
            #expect(try moment.left.files() == ["objects/\(object.key)"])
            #expect(try moment.left.rowCount() == 1)
        }
    }

    @Test("a blob that was getting its place is finished without its sender")
    func finishedBySweep() async throws {
        for moment in try await moments() {
            let store = try moment.left.store()
            await store.sweep()
            guard let id = moment.id, try moment.left.state(id) != "receiving" else { continue }
            #expect(try moment.left.state(id) == "stored")
            let object = try await store.completeUpload(id, of: "7")
            #expect(try await store.bytes(object.key) == photo)
        }
    }

    @Test("an upload that nobody goes on with leaves nothing after a day")
    func abandoned() async throws {
        for moment in try await moments() {
            let store = try moment.left.store()
            await store.sweep()
            moment.left.clock.advance(by: .seconds(25 * 3600))
            await store.sweep()
            #expect(try moment.left.files().isEmpty)
            #expect(try moment.left.rowCount() == 0)
        }
    }

    @Test("a file goes after its row says so, and a kill in between only delays it")
    func removal() async throws {
        let scene = try BlobScene()
        let object = try await scene.kept()
        let recorder = Recorder(scene)
        let store = try scene.store { (step: WatchedDisk.Step) throws(FileError) in
            guard step == .remove else { return }
            do { try recorder.record() } catch { throw .system("", reason: "\(error)") }
        }
        try await scene.database.write { database in
            try store.retain(object.key, in: database)
            try store.release(object.key, in: database)
        }
        await store.removeDeleted()
        let left = try #require(recorder.moments.first?.left)
        #expect(try left.files().count == 1)
        let next = try left.store()
        await #expect(throws: BlobError.unknownObject) { try await next.open(object.key) }
        await next.sweep()
        #expect(try left.files().isEmpty && left.rowCount() == 0)
    }
}
