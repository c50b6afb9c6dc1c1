import Dispatch
import FeatureTesting
import Foundation
import Glibc
import Kernel
import KernelTesting
import Rights
import Synchronization
import Testing

@testable import CommandServer
@testable import Commands
@testable import Files
@testable import FilesHost
@testable import LinuxFiles
@testable import Transfers

@Suite("Many small files", .timeLimit(.minutes(5)))
struct BatchTests {
    @Test("a folder of small files is sent with one exchange, two waits for the disk and two commits for each batch")
    func upload() async throws {
        let scene = try BatchScene()
        try scene.fill(scene.phoneFolder + "/many", count: 1000)
        let report = try await scene.client().upload(scene.phoneFolder + "/many", to: scene.desktopFolder)
        #expect((report.files, report.present, report.skipped) == (1000, 0, []))
        #expect(report.bytes == (0..<1000).reduce(0) { $0 + Int64($1 % 300) })
        #expect(scene.wrong(in: scene.desktopFolder + "/many", count: 1000) == [])
        #expect(scene.count("file.uploadFiles") == 4)
        #expect(scene.count("file.requestUpload") == 0)
        #expect(scene.watch.flushes == [4, 4])
        #expect(scene.journal.commits == 8)
        // The desktop keeps no account of them at the phone.
        #expect(scene.phoneJournal.commits == 0)
        #expect(try scene.journal.records() == [])
        #expect(try scene.parts() == [])
        let again = try await scene.client().upload(scene.phoneFolder + "/many", to: scene.desktopFolder)
        #expect((again.files, again.present, again.skipped) == (0, 1000, []))
        // What is there already waits for no disk.
        #expect(scene.watch.flushes == [4, 4])
    }

    @Test("a folder of small files is fetched with one exchange and two commits for each batch")
    func download() async throws {
        let scene = try BatchScene()
        try scene.fill(scene.desktopFolder + "/many", count: 1000)
        let report = try await scene.client().download(scene.desktopFolder + "/many", to: scene.phoneFolder)
        #expect((report.files, report.present, report.skipped) == (1000, 0, []))
        #expect(scene.wrong(in: scene.phoneFolder + "/many", count: 1000) == [])
        #expect(scene.count("file.downloadFiles") == 4)
        #expect(scene.count("file.requestDownload") == 0)
        #expect(scene.phoneJournal.commits == 8)
        #expect(try scene.phoneJournal.records() == [])
        #expect(try scene.parts() == [])
        let again = try await scene.client().download(scene.desktopFolder + "/many", to: scene.phoneFolder)
        #expect((again.files, again.present, again.skipped) == (0, 1000, []))
        #expect(scene.count("file.downloadFiles") == 4)
    }

    @Test(
        "a tree of folders takes one exchange to make or list each, and one for its small files",
        arguments: TransferDirection.both
    )
    func tree(direction: TransferDirection) async throws {
        let scene = try BatchScene()
        let (source, target) = scene.folders(direction)
        let folders = (0..<30).map { "many/\($0 % 5)/\($0 % 3)/\($0)" }
        for folder in folders { try scene.fill(source + "/" + folder, count: 4) }
        let report = try await scene.transfer(direction, "many")
        #expect((report.files, report.present, report.skipped) == (120, 0, []))
        for folder in folders { #expect(scene.wrong(in: target + "/" + folder, count: 4) == []) }
        // The folder itself, 5 in it, 3 in each of these, and 30 at the ends.
        #expect(scene.count("file.createDirectory") + scene.count("file.listDirectory") == 1 + 5 + 15 + 30)
        #expect(scene.count("file.uploadFiles") + scene.count("file.downloadFiles") == 30)
        #expect(try scene.parts() == [])
        let again = try await scene.transfer(direction, "many")
        #expect((again.files, again.present, again.skipped) == (0, 120, []))
    }

    @Test("a file that is large goes alone, beside the small ones", arguments: TransferDirection.both)
    func large(direction: TransferDirection) async throws {
        let scene = try BatchScene()
        let (source, target) = scene.folders(direction)
        try scene.fill(source + "/many", count: 20)
        let large = [UInt8](repeating: 7, count: 300_000)
        try Data(large).write(to: URL(fileURLWithPath: source + "/many/large"))
        let report = try await scene.transfer(direction, "many")
        #expect(report.files == 21)
        #expect(scene.wrong(in: target + "/many", count: 20) == [])
        #expect(try Data(contentsOf: URL(fileURLWithPath: target + "/many/large")) == Data(large))
        #expect(scene.count("file.requestUpload") + scene.count("file.requestDownload") == 1)
    }

    @Test(
        "a computer that says nothing of small files is sent and asked for one after the other",
        arguments: TransferDirection.both
    )
    func olderComputer(direction: TransferDirection) async throws {
        let scene = try BatchScene()
        scene.standBetween { _, call in
            guard case .object(var members) = try await call() else { throw RemoteError.malformedResult }
            members["batch"] = nil
            return .object(members)
        }
        let (source, target) = scene.folders(direction)
        try scene.fill(source + "/many", count: 20)
        #expect(try await scene.transfer(direction, "many").files == 20)
        #expect(scene.wrong(in: target + "/many", count: 20) == [])
        #expect(scene.count("file.uploadFiles") + scene.count("file.downloadFiles") == 0)
        #expect(scene.count("file.requestUpload") + scene.count("file.requestDownload") == 20)
    }

    @Test(
        "where a batch is refused, or its answer is of another length, each file goes alone",
        arguments: TransferDirection.both,
        [true, false]
    )
    func refused(direction: TransferDirection, byCode: Bool) async throws {
        let scene = try BatchScene()
        scene.standBetween { method, call in
            guard ["file.uploadFiles", "file.downloadFiles"].contains(method) else { return try await call() }
            if byCode { throw RemoteFailure(code: FailureCode.busy, message: "too much") }
            return ["success": true, "files": [["arrived": true, "content": ""]]]
        }
        let (source, target) = scene.folders(direction)
        try scene.fill(source + "/many", count: 20)
        #expect(try await scene.transfer(direction, "many").files == 20)
        #expect(scene.wrong(in: target + "/many", count: 20) == [])
    }

    @Test(
        "one bad file among a thousand is named, and all the others arrive",
        arguments: TransferDirection.both,
        [true, false]
    )
    func oneBad(direction: TransferDirection, replacing: Bool) async throws {
        let scene = try BatchScene()
        let (source, target) = scene.folders(direction)
        try scene.fill(source + "/many", count: 1000)
        // A folder has the name of one of them.
        let taken = target + "/many/" + BatchScene.name(500)
        try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: true)
        let report = try await scene.transfer(direction, "many", replacing: replacing)
        #expect(report.files == 999)
        #expect(report.skipped.count == 1)
        #expect(report.skipped.first?.contains(BatchScene.name(500)) == true)
        #expect(scene.wrong(in: target + "/many", count: 1000) == [500])
        // Alone a file is kept whole until its name can be had; the batch leaves nothing.
        guard !replacing else { return #expect(try scene.parts().count == 1) }
        #expect(try scene.parts() == [])
        #expect(try scene.journal.records() == [])
        #expect(try scene.phoneJournal.records() == [])
    }

    @Test("names that no file can have, that are taken, twice there or not shared are refused one by one")
    func refusals() async throws {
        let scene = try BatchScene(sharesHidden: false)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: scene.desktopFolder + "/taken"))
        symlink(scene.base + "/phone/target", scene.desktopFolder + "/link")
        let sent = try await scene.send([
            ("good", "1"), ("../up", "2"), ("..", "3"), ("taken", "4"), (".bashrc", "5"), ("twice", "6"),
            ("twice", "7"), ("link", "8"), (String(repeating: "x", count: 256), "9"), ("last", "10"),
        ])
        let bad = FilesUploaded.Outcome.refused(code: FailureCode.badParameters)
        let taken = FilesUploaded.Outcome.refused(code: FailureCode.exists)
        let outside = FilesUploaded.Outcome.refused(code: FailureCode.notAllowed)
        #expect(sent == [.arrived, bad, bad, taken, outside, .arrived, taken, taken, bad, .arrived])
        #expect(try scene.names(in: scene.desktopFolder) == ["good", "last", "link", "taken", "twice"])
        #expect(FileManager.default.contents(atPath: scene.desktopFolder + "/taken") == Data("mine".utf8))
        #expect(FileManager.default.contents(atPath: scene.desktopFolder + "/twice") == Data("6".utf8))
        // Replacing takes the name, and never writes through a link.
        #expect(try await scene.send([("taken", "new"), ("link", "new")], replacing: true) == [.arrived, .arrived])
        #expect(FileManager.default.contents(atPath: scene.desktopFolder + "/taken") == Data("new".utf8))
        #expect(!FileManager.default.fileExists(atPath: scene.base + "/phone/target"))
        #expect(scene.skill.batches.all.isEmpty)
    }

    @Test("a file that came meanwhile is not replaced, and its neighbours arrive")
    func cameMeanwhile() async throws {
        let scene = try BatchScene()
        let path = scene.desktopFolder + "/b"
        scene.watch.beforeFlush { _ = FileManager.default.createFile(atPath: path, contents: Data("theirs".utf8)) }
        let sent = try await scene.send([("a", "1"), ("b", "2"), ("c", "3")])
        #expect(sent == [.arrived, .refused(code: FailureCode.exists), .arrived])
        #expect(FileManager.default.contents(atPath: path) == Data("theirs".utf8))
        #expect(try scene.names(in: scene.desktopFolder) == ["a", "b", "c"])
        // The same on the phone.
        try scene.fill(scene.desktopFolder + "/many", count: 10)
        scene.standBetween { method, call in
            let answer = try await call()
            if method == "file.downloadFiles" {
                try Data("mine".utf8).write(to: URL(fileURLWithPath: scene.phoneFolder + "/many/" + BatchScene.name(3)))
            }
            return answer
        }
        let report = try await scene.transfer(.download, "many")
        #expect((report.files, report.skipped.count) == (9, 1))
        #expect(scene.wrong(in: scene.phoneFolder + "/many", count: 10) == [3])
        #expect(
            FileManager.default.contents(atPath: scene.phoneFolder + "/many/" + BatchScene.name(3))
                == Data("mine".utf8)
        )
    }

    @Test("nothing has its name before all is on the disk; a disk that fails there leaves nothing")
    func durable() async throws {
        let scene = try BatchScene()
        let names = Mutex<[String]>([])
        let folder = scene.desktopFolder
        scene.watch.beforeFlush { () throws(FileError) in
            names.withLock { $0 = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [] }
            throw .system("the disk", reason: "Input/output error")
        }
        await #expect(throws: RemoteFailure.self) { try await scene.send([("a", "1"), ("b", "2")]) }
        #expect(names.withLock(\.count) == 2)
        #expect(names.withLock { $0.allSatisfy { $0.contains(".tandem-part-") } })
        #expect(try scene.names(in: scene.desktopFolder) == [])
        #expect(try scene.journal.records() == [])
    }

    @Test("wherever a desktop goes down in a batch, no half file has a name, no part stays, and the folder goes on")
    func crash() async throws {
        var steps = 0
        var wentDown = true
        while wentDown {
            let scene = try BatchScene()
            try scene.fill(scene.phoneFolder + "/many", count: 12)
            scene.watch.goDown(after: steps)
            scene.standBetween { _, call in
                do {
                    return try await call()
                } catch {
                    // What is down answers nothing.
                    if scene.watch.isDown { throw RemoteError.timeout(id: "1", method: "m", after: .seconds(1)) }
                    throw error
                }
            }
            do {
                _ = try await scene.transfer(.upload, "many")
                wentDown = false
            } catch {
                #expect(error is RemoteError, "\(steps): \(error)")
            }
            let target = scene.desktopFolder + "/many"
            let named = try scene.names(in: target).filter { !$0.contains(".tandem-part-") }
            let wrong = scene.wrong(in: target, count: 12).map(BatchScene.name)
            #expect(Set(named).isDisjoint(with: wrong), "\(steps)")
            try await scene.restart()
            #expect(try scene.parts() == [], "\(steps)")
            #expect(try scene.journal.records() == [], "\(steps)")
            let rest = try await scene.transfer(.upload, "many")
            #expect(rest.files + rest.present == 12, "\(steps)")
            #expect(rest.present == named.count, "\(steps)")
            #expect(scene.wrong(in: target, count: 12) == [], "\(steps)")
            steps += 1
        }
        // The record, twelve files, the flush, twelve names, the flush of the names and the end of the record.
        #expect(steps > 27)
    }

    @Test("an answer that is lost costs no file: what arrived is not sent twice")
    func lostAnswer() async throws {
        let scene = try BatchScene()
        try scene.fill(scene.phoneFolder + "/many", count: 300)
        let losses = Mutex(2)
        scene.standBetween { method, call in
            let answer = try await call()
            guard method == "file.uploadFiles" else { return answer }
            let isLost = losses.withLock { left in
                left -= 1
                return left >= 0
            }
            if isLost { throw RemoteError.notConnected }
            return answer
        }
        let report = try await scene.transfer(.upload, "many")
        #expect((report.files + report.present, report.skipped) == (300, []))
        #expect(scene.wrong(in: scene.desktopFolder + "/many", count: 300) == [])
        #expect(scene.watch.flushes == [2, 2])
    }

    @Test("what a phone left of a batch when it went down goes with the next one, and nothing of it is unfinished")
    func phoneCrash() async throws {
        let scene = try BatchScene()
        try scene.fill(scene.desktopFolder + "/many", count: 3)
        let target = scene.phoneFolder + "/many"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        // One has its name, one is a part, and one was only written down.
        for number in 0..<3 {
            let record = TransferRecord(
                id: TransferID().hexadecimal,
                desktop: "desk",
                direction: .download,
                remotePath: scene.desktopFolder + "/many/" + BatchScene.name(number),
                localFolder: target,
                localName: Data(BatchScene.name(number).utf8),
                size: Int64(number),
                version: nil,
                beganAt: Date(timeIntervalSince1970: 1_790_000_000)
            )
            try scene.phoneJournal.save(record)
            if number == 1 {
                let part = target + "/" + FileNameText.text(record.partName)
                try Data("ha".utf8).write(to: URL(fileURLWithPath: part))
            }
        }
        let original = scene.desktopFolder + "/many/" + BatchScene.name(0)
        try FileManager.default.copyItem(atPath: original, toPath: target + "/" + BatchScene.name(0))
        let client = scene.client()
        let report = try await client.download(scene.desktopFolder + "/many", to: scene.phoneFolder, replacing: false)
        #expect(report.files == 2)
        #expect(try await client.unfinished() == [])
        #expect(try scene.parts() == [])
        #expect(try scene.names(in: target) == (0..<3).map(BatchScene.name))
    }

    // MARK: Ends

    /// A batch that stands where everything is written and nothing has its name, until `body` is done.
    private func standing(
        in scene: BatchScene,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> Result<[FilesUploaded.Outcome], any Error> {
        let (stream, reached) = AsyncStream.makeStream(of: Void.self)
        let semaphore = DispatchSemaphore(value: 0)
        scene.watch.beforeFlush {
            reached.finish()
            // Ends by itself where the test fails.
            _ = semaphore.wait(timeout: .now() + 60)
        }
        async let sent = Self.result { try await scene.send([("a", "1"), ("b", "2")]) }
        for await _ in stream {}
        do {
            try await body()
        } catch {
            semaphore.signal()
            throw error
        }
        semaphore.signal()
        return await sent
    }

    private static func result(_ body: () async throws -> [FilesUploaded.Outcome]) async
        -> Result<[FilesUploaded.Outcome], any Error>
    {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }

    @Test("a right that is taken ends a batch at once: nothing gets its name any more, and nothing is left")
    func revoked() async throws {
        let scene = try BatchScene()
        let result = try await standing(in: scene) {
            await scene.skill.revoke([.fileRead], of: scene.caller.id, keeping: [])
            #expect(await scene.skill.activities().map(\.kind) == [.upload])
            await scene.skill.revoke([.fileWrite], of: scene.caller.id, keeping: [])
        }
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(try scene.names(in: scene.desktopFolder) == [])
        #expect(try scene.journal.records() == [])
        #expect(await scene.skill.activities() == [])
    }

    @Test("a batch is ended by the owner as any transfer is, who is told which folder it goes to")
    func endedByOwner() async throws {
        let scene = try BatchScene()
        let result = try await standing(in: scene) {
            let activity = try #require(await scene.skill.activities().first)
            #expect(activity.detail == scene.desktopFolder)
            #expect(await scene.skill.end(activity.id))
        }
        let failure = #expect(throws: RemoteFailure.self) { try result.get() }
        #expect(failure?.code == FailureCode.cancelled)
        #expect(try scene.names(in: scene.desktopFolder) == [])
    }

    @Test("a caller that leaves ends its batch")
    func cancelled() async throws {
        let scene = try BatchScene()
        let (stream, reached) = AsyncStream.makeStream(of: Void.self)
        let semaphore = DispatchSemaphore(value: 0)
        scene.watch.beforeFlush {
            reached.finish()
            _ = semaphore.wait(timeout: .now() + 60)
        }
        let sending = Task { try await scene.send([("a", "1"), ("b", "2")]) }
        for await _ in stream {}
        sending.cancel()
        semaphore.signal()
        await #expect(throws: CancellationError.self) { try await sending.value }
        #expect(try scene.names(in: scene.desktopFolder) == [])
    }

    @Test("a batch is one of its phone's transfers: beside eight others it is refused")
    func limits() async throws {
        let scene = try BatchScene()
        let full = try await standing(in: scene) {
            for _ in 1..<TransferLimits.perCaller {
                let params: JSONValue = ["fileName": .string(UUID().uuidString), "fileSize": 1, "targetDir": "~"]
                _ = try await scene.skill.call("file.requestUpload", params, as: scene.caller)
            }
            for (method, params) in [
                ("file.requestUpload", ["fileName": "one more", "fileSize": 1, "targetDir": "~"]),
                ("file.uploadFiles", ["targetDir": "~", "files": [["fileName": "c", "content": ""]]]),
                ("file.downloadFiles", ["path": "~", "names": ["a"]]),
            ] as [(String, JSONValue)] {
                #expect(
                    try await scene.skill.refusal(method, params, as: scene.caller)?.code == FailureCode.busy,
                    "\(method)"
                )
            }
            // Another phone's are its own.
            let other = FileScene.caller("did:key:z6MkB")
            let params: JSONValue = ["path": "~", "names": ["none"]]
            let answer = try await scene.skill.call("file.downloadFiles", params, as: other)
            #expect(try FilesDownloaded(wire: answer).files == [.refused(code: FailureCode.notFound)])
        }
        #expect(try full.get() == [.arrived, .arrived])
    }

    @Test("an answer holds what it has room for, and of the rest says that it has none")
    func room() async throws {
        let scene = try BatchScene()
        for number in 0..<5 {
            try Data(repeating: UInt8(number), count: 60_000)
                .write(to: URL(fileURLWithPath: scene.desktopFolder + "/\(number)"))
        }
        let params = DownloadFiles(folder: "~", names: (0..<5).map { "\($0)" })
        let answer = try FilesDownloaded(
            wire: await scene.skill.call("file.downloadFiles", params.wire, as: scene.caller)
        )
        #expect(answer.files.suffix(2) == [.refused(code: FailureCode.quota), .refused(code: FailureCode.quota)])
        for (number, outcome) in answer.files.prefix(3).enumerated() {
            guard case .file(let bytes, _, _) = outcome else {
                Issue.record("\(number) did not come")
                continue
            }
            #expect(bytes == Data(repeating: UInt8(number), count: 60_000))
        }
    }
}

extension TransferDirection {
    fileprivate static let both: [TransferDirection] = [.upload, .download]
}

extension BatchScene {
    fileprivate func folders(_ direction: TransferDirection) -> (source: String, target: String) {
        direction == .upload ? (phoneFolder, desktopFolder) : (desktopFolder, phoneFolder)
    }

    fileprivate func transfer(_ direction: TransferDirection, _ name: String, replacing: Bool = false) async throws
        -> TransferReport
    {
        let (source, target) = folders(direction)
        return switch direction {
        case .upload: try await client().upload(source + "/" + name, to: target, replacing: replacing)
        case .download: try await client().download(source + "/" + name, to: target, replacing: replacing)
        }
    }
}
