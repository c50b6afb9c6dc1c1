import CommandClient
import Control
import FeatureTesting
import FilesHost
import Foundation
import Glibc
import Kernel
import KernelTesting
import Synchronization
import Testing

@testable import Commands
@testable import Files
@testable import Transfers

@Suite("A phone's calls to files, over a real disk", .timeLimit(.minutes(5)))
struct FilesClientTests {
    private func client(_ scene: FileScene) -> FilesClient { FilesClient(ScriptedPeer(scene.skill, as: scene.caller)) }

    @Test("a folder of several parts comes whole and in order")
    func list() async throws {
        let scene = try FileScene()
        // A mode that no umask of this process narrows.
        for index in 0..<3000 { close(creat(scene.home + "/file-\(index)", 0o500)) }
        let listing = try await client(scene).list("")
        #expect(listing.path == scene.home)
        #expect(listing.total == 3000)
        #expect(listing.nextOffset == nil)
        let names = (0..<3000).map { "file-\($0)" }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(listing.entries.map(\.nameText) == names)
        #expect(listing.entries[0].path == scene.home + "/file-0")
        #expect(listing.entries[0].permissions == 0o500)
        var compact = ListFolder(path: "~")
        compact.isCompact = true
        compact.offset = 2998
        let end = try await client(scene).part(compact)
        #expect(end.entries.map(\.path) == listing.entries.suffix(2).map(\.path))
        #expect(end.entries.map(\.kind) == [.file, .file])
    }

    @Test("a file is read to its end, whatever its bytes are")
    func read() async throws {
        let scene = try FileScene()
        let bytes = (0..<1_000_001).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        try scene.write("raw", bytes)
        try scene.write("empty", "")
        var found = Data()
        try await client(scene).read("raw") { found += $0 }
        #expect(found == Data(bytes))
        var parts: [Data] = []
        try await client(scene).read("empty") { parts.append($0) }
        #expect(parts == [Data()])
        try scene.write("text", "grüße")
        let text = try await client(scene).read(ReadFile(path: "text", isText: true, offset: 0, length: 3))
        #expect(text.content == .text("gr"))
        #expect(!text.isLast)
    }

    @Test("what is there is told, found, made, renamed, moved and deleted")
    func change() async throws {
        let scene = try FileScene()
        let client = client(scene)
        #expect(try await client.makeFolder("a/b").isNew)
        #expect(try await !client.makeFolder("a/b").isNew)
        try scene.write("one", "1")
        #expect(try await client.information("none") == nil)
        #expect(try await client.information("one")?.size == 1)
        #expect(try await client.existence("a").kind == .folder)
        #expect(try await !client.existence("none").exists)
        #expect(try await client.rename("one", to: "two").path == scene.home + "/two")
        #expect(try await client.move("two", to: "a").path == scene.home + "/a/two")
        #expect(try await client.move("a/two", to: "a/b/").path == scene.home + "/a/b/two")
        #expect(try await client.search(SearchFiles("tw")).entries.map(\.path) == [scene.home + "/a/b/two"])
        let failure = await #expect(throws: RemoteFailure.self) { try await client.rename("a/b/two", to: "x/y") }
        #expect(failure?.code == FailureCode.badParameters)
        #expect(try await client.delete("a/b/two").isInTrash)
        #expect(try await !client.delete("a", recursively: true, forGood: true).isInTrash)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.home) == [])
    }

    @Test("a computer that leads back, or never comes to an end, is not asked for ever")
    func endless() async throws {
        let back = FilesClient(ScriptedPeer(answering: ["entries": [], "nextOffset": 0]))
        await #expect(throws: TransferError.malformedAnswer(method: "file.listDirectory")) {
            try await back.list("")
        }
        let far = FilesClient(ScriptedPeer(answering: ["entries": [], "nextOffset": .integer(.max)]))
        await #expect(throws: TransferError.malformedAnswer(method: "file.listDirectory")) { try await far.list("") }
        let empty = FilesClient(ScriptedPeer(answering: ["content": "", "isLast": false]))
        await #expect(throws: TransferError.sourceChanged("a")) { try await empty.read("a") { _ in } }
        let nothing = FilesClient(ScriptedPeer(answering: true))
        await #expect(throws: RemoteError.malformedResult) { try await nothing.existence("a") }
    }

    @Test("commands on the phone's device fetch and send files, and hear how far they are")
    func routes() async throws {
        let scene = try CrashScene()
        let desktop = try FileScene()
        try desktop.write("a", [UInt8](repeating: 7, count: 300_000))
        let peer = ScriptedPeer(desktop.skill, as: desktop.caller)
        let computers = ScriptedComputers(peer)
        let feature = FilesFeature(journal: try scene.phoneJournal(), computers: computers)
        let context = ComputerContext(
            id: peer.id,
            call: { method, params, timeout, isRepeatable in
                #expect(isRepeatable)
                return try await peer.call(method, params, timeout: timeout)
            },
            sendFrame: nil
        )
        let part = try #require(feature.part(for: context) as? FileTransferClient)
        computers.keep(part, of: peer.id)
        let table = ControlTable(feature.controlRoutes)
        let items = Mutex<[JSONValue]>([])
        func ask(_ method: String, _ params: JSONValue) async throws -> JSONValue {
            try await table.handle(ControlRequest(id: 1, method: method, params: params), input: .none) { item in
                items.withLock { $0.append(item) }
            }
        }
        let got = try await ask(
            "files.get",
            ["device": .null, "remote": "a", "local": .string(scene.phoneFolder), "name": "b", "replace": false]
        )
        let path = scene.phoneFolder + "/b"
        #expect(got == ["files": 1, "bytes": 300_000, "present": 0, "skipped": [], "path": .string(path)])
        let here = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(here == Data(repeating: 7, count: 300_000))
        let first = items.withLock { $0.first }
        #expect(first == ["path": .string(desktop.home + "/a"), "done": 0, "total": 300_000])
        let put = try await ask("files.put", ["device": .string(peer.id), "remote": "~", "local": .string(path)])
        #expect(put["path"]?.stringValue == desktop.home + "/b")
        #expect(try desktop.read("b") == Array(here))
        try desktop.write("b", "another")
        await #expect(throws: RemoteFailure.self) {
            try await ask("files.put", ["remote": "~", "local": .string(path), "replace": false])
        }
        await #expect(throws: ControlError.self) { try await ask("files.get", ["remote": 1, "local": "x"]) }
        await #expect(throws: ScriptedComputers.Unknown.self) {
            try await ask("files.get", ["device": "none", "remote": "a", "local": .string(scene.phoneFolder)])
        }
        await part.close()
        await desktop.skill.close()
    }

    @Test(
        "times of files are kept before 1970 and after 2262, and what does not fit into milliseconds becomes the nearest that does",
        arguments: [
            (Int.max, Int64.max), (Int.min, Int64.min), (-1, -1000), (-1_333_000_000, -1_333_000_000_000),
            (9_300_000_000, 9_300_000_000_000), (0, 0),
        ] as [(Int, Int64)]
    )
    func extremeTimes(seconds: Int, milliseconds: Int64) throws {
        var found = stat()
        found.st_mode = S_IFREG | 0o644
        found.st_mtim.tv_sec = seconds
        found.st_atim.tv_sec = seconds
        let status = try #require(FileStatus(found))
        #expect(status.modified == FileTime(seconds: Int64(seconds)))
        #expect(status.accessed == FileTime(seconds: Int64(seconds)))
        #expect(status.modifiedMilliseconds == milliseconds)
        if milliseconds > .min, milliseconds < .max { #expect(FileTime(milliseconds: milliseconds) == status.modified) }
    }

    @Test(
        "a file's date goes both ways to the millisecond",
        arguments: [-1_333_000_000_001, -1, 0, 9_300_000_000_007] as [Int64]
    )
    func dates(milliseconds: Int64) async throws {
        let scene = try CrashScene()
        let tree = scene.phoneFolder + "/tree"
        try FileManager.default.createDirectory(atPath: tree, withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: tree + "/a"))
        let time = FileTime(milliseconds: milliseconds)
        let moment = timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.nanoseconds))
        #expect(utimensat(AT_FDCWD, tree + "/a", [moment, moment], 0) == 0)
        let life = try Life(scene, steps: .max, usesFrames: true, tuning: TransferTuning())
        _ = try await life.client.upload(tree, to: scene.desktopFolder)
        _ = try await life.client.download(scene.desktopFolder + "/tree", to: scene.phoneFolder, as: "back")
        for path in [scene.desktopFolder + "/tree/a", scene.phoneFolder + "/back/a"] {
            var found = stat()
            #expect(lstat(path, &found) == 0)
            #expect(FileStatus(found)?.modifiedMilliseconds == milliseconds)
        }
        // The same by size and date: nothing is fetched, and nothing is said.
        let again = try await life.client.download(scene.desktopFolder + "/tree", to: scene.phoneFolder, as: "back")
        #expect((again.files, again.present, again.skipped) == (0, 1, []))
        await life.end()
    }

    @Test("an older computer is not told a date that it would refuse")
    func olderDates() throws {
        var params = RequestUpload(fileName: "a", fileSize: 1)
        params.modifiedMilliseconds = -1000
        #expect(params.wire["modified"] == nil)
        #expect(params.wire["modifiedTime"] == -1000)
        #expect(try RequestUpload(wire: RemoteParameters(params.wire)).modifiedMilliseconds == -1000)
        params.modifiedMilliseconds = 0
        #expect(params.wire["modified"] == 0)
        #expect(params.wire["modifiedTime"] == nil)
    }

    @Test("what an interrupted upload left is kept, and thrown away when that is asked for")
    func discarded() async throws {
        let scene = try CrashScene()
        let desktop = try FileScene()
        let path = scene.phoneFolder + "/a"
        try Data(repeating: 7, count: 300_000).write(to: URL(fileURLWithPath: path))
        let peer = ScriptedPeer(desktop.skill, as: desktop.caller)
        // Never moved: no part arrives.
        let clock = ManualClock()
        let computers = ScriptedComputers(peer)
        let journal = try scene.phoneJournal()
        let feature = FilesFeature(journal: journal, computers: computers)
        let context = ComputerContext(
            id: peer.id,
            call: { method, params, timeout, _ in
                if method == FileMethods.uploadChunk.name { try await clock.sleep(for: .seconds(1)) }
                return try await peer.call(method, params, timeout: timeout)
            },
            sendFrame: nil
        )
        let part = try #require(feature.part(for: context) as? FileTransferClient)
        computers.keep(part, of: peer.id)
        let table = ControlTable(feature.controlRoutes)
        @Sendable func ask(_ method: String, _ params: JSONValue) async throws -> JSONValue {
            try await table.handle(ControlRequest(id: 1, method: method, params: params)) { _ in }
        }
        let put = Task { try await ask("files.put", ["remote": "~", "local": .string(path)]) }
        await clock.sleepers()
        // Not while it is under way.
        await #expect(throws: TransferError.busy) { try await part.discard(path) }
        put.cancel()
        await #expect(throws: (any Error).self) { try await put.value }
        func left() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: desktop.home).count }
        #expect(try left() == 1)
        #expect(try await part.unfinished().count == 1)
        #expect(try await ask("files.discard", ["local": .string(path + "b")]) == ["count": 0])
        #expect(try left() == 1)
        // With everything else in its folder.
        #expect(try await ask("files.discard", ["local": .string(scene.phoneFolder)]) == ["count": 1])
        #expect(try left() == 0)
        #expect(try await part.unfinished() == [])
        #expect(try await ask("files.discard", ["local": .string(path)]) == ["count": 0])

        // Of a download it lies on this device, and what it is to become stays.
        let record = TransferRecord(
            id: String(repeating: "a", count: 32),
            desktop: peer.id,
            direction: .download,
            remotePath: "~/a",
            localFolder: scene.phoneFolder,
            localName: Data("a".utf8),
            size: 9,
            version: "1",
            beganAt: Date(timeIntervalSince1970: 1_790_000_000)
        )
        let arrived = scene.phoneFolder + "/" + String(decoding: record.partName, as: UTF8.self)
        try Data("part".utf8).write(to: URL(fileURLWithPath: arrived))
        try journal.save(record)
        #expect(try await ask("files.discard", ["local": .string(path)]) == ["count": 1])
        #expect(!FileManager.default.fileExists(atPath: arrived) && FileManager.default.fileExists(atPath: path))
        #expect(try await part.unfinished() == [])
        await part.close()
        await desktop.skill.close()
    }
}
