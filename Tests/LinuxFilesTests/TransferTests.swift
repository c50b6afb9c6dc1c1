import Crypto
import Dispatch
import FeatureTesting
import Foundation
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

@Suite("Transfers", .timeLimit(.minutes(5)))
struct TransferTests {
    private static func checksum(_ bytes: [UInt8]) -> String { Hexadecimal.encode(SHA256.hash(data: bytes)) }

    private static let bytes = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    private func upload(_ scene: FileScene, _ more: [String: JSONValue] = [:]) async throws -> JSONValue {
        let params: [String: JSONValue] = [
            "fileName": "a.bin", "fileSize": .integer(Int64(Self.bytes.count)),
            "metadata": ["targetDir": .string(scene.home)],
        ]
        return try await scene.call("file.requestUpload", .object(params.merging(more) { $1 }))
    }

    private func chunk(_ index: Int) -> String {
        Data(Self.bytes[(index * 65_536)..<min((index + 1) * 65_536, Self.bytes.count)]).base64EncodedString()
    }

    @Test("a documented upload, from recorded bytes: chunks in any order, twice, checked and given its name at once")
    func documentedUpload() async throws {
        let scene = try FileScene()
        let recorded = """
            {"fileName":"a.bin","fileSize":150000,"checksum":"\(Self.checksum(Self.bytes))","metadata":{"targetDir":"\(scene.home)"}}
            """
        let answer = try await scene.call("file.requestUpload", try JSONValue(parsing: recorded.utf8))
        let id = try #require(answer["transferId"]?.stringValue)
        #expect(id.hasPrefix("up_"))
        #expect(answer["chunkSize"] == 65_536)
        #expect(answer["totalChunks"] == 3)
        #expect(answer["resumeSupported"] == true)
        #expect(answer["received"] == [])
        for (index, left) in [(2, 2), (0, 1), (2, 1)] {
            let step = try await scene.call(
                "file.uploadChunk",
                ["transferId": .string(id), "chunkIndex": .integer(Int64(index)), "chunkData": .string(chunk(index))]
            )
            #expect(step["received"] == .integer(Int64(3 - left)))
            #expect(step["remainingChunks"] == .integer(Int64(left)))
        }
        let early = await scene.failure("file.completeUpload", ["transferId": .string(id)])
        #expect(early?.message == "65536 bytes of the file have not arrived yet. Send them, then complete it.")
        #expect(!scene.isThere(scene.home + "/a.bin"))
        let last = try await scene.call(
            "file.uploadChunk",
            ["transferId": .string(id), "chunkIndex": 1, "chunkData": .string(chunk(1))]
        )
        #expect(last["progress"] == 100)
        for _ in 0..<2 {
            let done = try await scene.call("file.completeUpload", ["transferId": .string(id)])
            #expect(done["path"]?.stringValue == scene.home + "/a.bin")
            #expect(done["checksum"]?.stringValue == Self.checksum(Self.bytes))
        }
        #expect(try scene.read("a.bin") == Self.bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.home) == ["a.bin"])
    }

    @Test("a documented download, from recorded bytes")
    func documentedDownload() async throws {
        let scene = try FileScene()
        try scene.write("a.bin", Self.bytes)
        let recorded = #"{"filePath":"~/a.bin","fileName":"copy.bin"}"#
        let answer = try await scene.call("file.requestDownload", try JSONValue(parsing: recorded.utf8))
        let id = try #require(answer["transferId"]?.stringValue)
        #expect(id.hasPrefix("dn_"))
        #expect(answer["fileName"] == "copy.bin")
        #expect(answer["fileSize"] == 150_000)
        #expect(answer["chunkSize"] == 65_536)
        #expect(answer["totalChunks"] == 3)
        #expect(answer["checksum"] == .null)
        var whole: [UInt8] = []
        for index in 0..<3 {
            let part = try await scene.call(
                "file.downloadChunk",
                ["transferId": .string(id), "chunkIndex": .integer(Int64(index))]
            )
            let data = Data(base64Encoded: part["chunkData"]?.stringValue ?? "") ?? Data()
            #expect(part["chunkSize"] == .integer(Int64(data.count)))
            #expect(part["isLastChunk"] == .bool(index == 2))
            whole += data
        }
        #expect(whole == Self.bytes)
        let list = try await scene.call("file.listTransfers", [:])
        #expect(list["transfers"]?.arrayValue?.first?["progress"] == 100)
        let end = try await scene.call("file.completeDownload", ["transferId": .string(id)])
        #expect(end["checksum"]?.stringValue == Self.checksum(Self.bytes))
        #expect(
            await scene.failure("file.downloadChunk", ["transferId": .string(id), "chunkIndex": 0])?.code
                == FailureCode.unknownTransfer
        )
    }

    @Test("a wrong checksum is said, and nothing of the file stays")
    func wrongChecksum() async throws {
        let scene = try FileScene()
        let answer = try await upload(scene, ["checksum": .string(Self.checksum([1]))])
        let id = answer["transferId"] ?? .null
        for index in 0..<3 {
            _ = try await scene.call(
                "file.uploadChunk",
                ["transferId": id, "chunkIndex": .integer(Int64(index)), "chunkData": .string(chunk(index))]
            )
        }
        #expect(await scene.failure("file.completeUpload", ["transferId": id])?.code == FailureCode.checksum)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.home) == [])
        #expect(
            await scene.failure("file.requestUpload", ["fileName": "x", "fileSize": 1, "checksum": "abc"])?.code
                == -32602
        )
    }

    @Test("malformed chunks are refused by name and change nothing")
    func malformed() async throws {
        let scene = try FileScene()
        let id = try await upload(scene)["transferId"] ?? .null
        let bad: [JSONValue] = [
            ["chunkIndex": 3, "chunkData": .string(chunk(2))], ["chunkIndex": -1, "chunkData": .string(chunk(0))],
            ["chunkIndex": "NaN", "chunkData": .string(chunk(0))],
            ["chunkIndex": .number(0.5), "chunkData": .string(chunk(0))],
            ["chunkIndex": 0, "chunkData": "?"], ["chunkIndex": 0, "chunkData": .string(chunk(2))],
            ["chunkIndex": 2, "chunkData": .string(chunk(0))], ["chunkIndex": 0], ["chunkData": .string(chunk(0))],
        ]
        for params in bad {
            let failure = await scene.failure("file.uploadChunk", params.adding("transferId", id))
            #expect(failure?.code == -32602, "\(params)")
        }
        let list = try await scene.call("file.listTransfers", [:])
        #expect(list["transfers"]?.arrayValue?.first?["progress"] == 0)
        let names = ["..", ".", "a/b", "", "../x", "/etc/x", "nul\0"]
        for name in names {
            #expect(
                await scene.failure("file.requestUpload", ["fileName": .string(name), "fileSize": 1])?.code == -32602
            )
        }
        for size: JSONValue in [-1, "1", .integer(.max)] {
            #expect(await scene.failure("file.requestUpload", ["fileName": "x", "fileSize": size])?.code == -32602)
        }
    }

    @Test("a file that changes while it is read is noticed, in place and by another of its name")
    func changedSource() async throws {
        let scene = try FileScene()
        try scene.write("a.bin", Self.bytes)
        let answer = try await scene.call("file.requestDownload", ["filePath": "a.bin"])
        let id = answer["transferId"] ?? .null
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: scene.home + "/a.bin"))
        try handle.write(contentsOf: Data("changed".utf8))
        try handle.close()
        let failure = await scene.failure("file.downloadChunk", ["transferId": id, "chunkIndex": 0])
        #expect(failure?.code == FailureCode.sourceChanged)
        #expect(
            await scene.failure("file.completeDownload", ["transferId": id])?.code == FailureCode.sourceChanged
        )
        let again = await scene.failure(
            "file.requestDownload",
            ["filePath": "a.bin", "version": answer["version"] ?? .null]
        )
        #expect(again?.code == FailureCode.sourceChanged)
    }

    @Test("a file that only grows is sent as it was at the beginning; one that was changed before its end is not")
    func growing() async throws {
        let scene = try FileScene()
        try scene.write("log", "first\n")
        func begin() async throws -> JSONValue {
            try await scene.call("file.requestDownload", ["filePath": "log"])["transferId"] ?? .null
        }
        func chunk(_ id: JSONValue) async throws -> JSONValue? {
            try await scene.call("file.downloadChunk", ["transferId": id, "chunkIndex": 0])["chunkData"]
        }
        func change(_ text: String, at offset: UInt64) throws {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: scene.home + "/log"))
            try file.seek(toOffset: offset)
            try file.write(contentsOf: Data(text.utf8))
            try file.close()
        }
        let id = try await begin()
        try change("second\n", at: 6)
        #expect(try await chunk(id) == .string(Data("first\n".utf8).base64EncodedString()))
        try change("third\n", at: 13)
        let done = try await scene.call("file.completeDownload", ["transferId": id])
        #expect(done["checksum"] == .string(Self.checksum(Array("first\n".utf8))))
        #expect(done["fileSize"] == 6)
        #expect(done["grown"] == true)
        let other = try await begin()
        _ = try await chunk(other)
        try change("FIRST\n", at: 0)
        try change("more\n", at: 19)
        let failure = await scene.failure("file.completeDownload", ["transferId": other])
        #expect(failure?.code == FailureCode.sourceChanged)
    }

    @Test("at most eight transfers a phone, and each is its phone's only")
    func quota() async throws {
        let scene = try FileScene()
        try scene.write("d", "1")
        for index in 0..<7 {
            _ = try await scene.call(
                "file.requestUpload",
                ["fileName": .string("f\(index)"), "fileSize": 1, "metadata": ["targetDir": "~"]]
            )
        }
        let down = try await scene.call("file.requestDownload", ["filePath": "d"])
        for (method, params) in [
            ("file.requestUpload", ["fileName": "f8", "fileSize": 1, "metadata": ["targetDir": "~"]] as JSONValue),
            ("file.requestDownload", ["filePath": "d"]),
        ] {
            #expect(await scene.failure(method, params)?.code == FailureCode.busy)
        }
        let other = FileScene.caller("did:key:z6MkB")
        let id = down["transferId"] ?? .null
        #expect(
            await scene.failure("file.downloadChunk", ["transferId": id, "chunkIndex": 0], from: other)?.code
                == FailureCode.unknownTransfer
        )
        #expect(
            await scene.failure("file.cancelTransfer", ["transferId": id], from: other)?.code
                == FailureCode.unknownTransfer
        )
        #expect(try await scene.call("file.listTransfers", [:], from: other)["total"] == 0)
        _ = try await scene.call("file.cancelTransfer", ["transferId": id])
        let list = try await scene.call("file.listTransfers", [:])
        for transfer in list["transfers"]?.arrayValue ?? [] {
            _ = try await scene.call("file.cancelTransfer", ["transferId": transfer["transferId"] ?? .null])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.home) == ["d"])
    }

    @Test("downloads that are not asked for in two minutes make room for others; one that is asked for goes on")
    func abandonedDownloads() async throws {
        let scene = try FileScene()
        try scene.write("d", "1")
        let clock = ManualClock()
        let skill = try FileSkill(access: scene.access, journal: MemoryUploadJournal(), time: clock)
        func call(_ method: String, _ params: JSONValue) async throws -> JSONValue {
            try await skill.call(method, params, as: scene.caller)
        }
        for index in 0..<9 { try scene.write("d\(index)", "1") }
        func download(_ index: Int) async throws -> JSONValue {
            try await call("file.requestDownload", ["filePath": .string("d\(index)")])["transferId"] ?? .null
        }
        var last: JSONValue = .null
        for index in 0..<8 { last = try await download(index) }
        await #expect(throws: (any Error).self) { try await download(8) }
        clock.advance(by: .seconds(119))
        _ = try await call("file.downloadChunk", ["transferId": last, "chunkIndex": 0])
        clock.advance(by: .seconds(2))
        let list = try await call("file.listTransfers", [:])
        #expect((list["transfers"]?.arrayValue ?? []).map { $0["transferId"] } == [last])
        _ = try await call("file.requestDownload", ["filePath": "d"])
        clock.advance(by: .seconds(121))
        #expect(try await call("file.listTransfers", [:])["total"] == 0)
        await #expect(throws: (any Error).self) {
            try await call("file.downloadChunk", ["transferId": last, "chunkIndex": 0])
        }
        // A phone that was killed again and again: its oldest gives way as soon as nothing was asked of it for five seconds.
        let first = try await download(0)
        clock.advance(by: .seconds(1))
        for index in 1..<8 { last = try await download(index) }
        clock.advance(by: .seconds(4))
        _ = try await call("file.downloadChunk", ["transferId": last, "chunkIndex": 0])
        _ = try await download(8)
        await #expect(throws: (any Error).self) {
            try await call("file.downloadChunk", ["transferId": first, "chunkIndex": 0])
        }
        #expect(try await call("file.listTransfers", [:])["total"] == 8)
        // The same file again takes the place of what was left of it: a phone that fails again and again keeps its room.
        let before = try await call("file.listTransfers", [:])["transfers"]?.arrayValue ?? []
        clock.advance(by: .seconds(1))
        let again = try await download(3)
        let after = try await call("file.listTransfers", [:])["transfers"]?.arrayValue ?? []
        #expect((before.count, after.count) == (8, 8))
        #expect(after.contains { $0["transferId"] == again })
        #expect(!before.contains { $0["transferId"] == again })
    }

    @Test("uploads that nothing is sent to for a minute make room for other transfers, and can still go on")
    func abandonedUploads() async throws {
        let scene = try FileScene()
        try scene.write("d", "1")
        let clock = ManualClock()
        let skill = try FileSkill(access: scene.access, journal: MemoryUploadJournal(), time: clock)
        func upload(_ name: String) async throws -> JSONValue? {
            let params: JSONValue = [
                "fileName": .string(name), "fileSize": 1, "source": "v1", "resumable": true,
                "metadata": ["targetDir": "~"],
            ]
            return try await skill.call("file.requestUpload", params, as: scene.caller)["transferId"]
        }
        func download() async throws {
            _ = try await skill.call("file.requestDownload", ["filePath": "d"], as: scene.caller)
        }
        var ids: [JSONValue?] = []
        for index in 0..<8 { ids.append(try await upload("f\(index)")) }
        clock.advance(by: .seconds(59))
        await #expect(throws: (any Error).self) { try await upload("f8") }
        await #expect(throws: (any Error).self) { try await download() }
        clock.advance(by: .seconds(1))
        try await download()
        for index in 8..<15 { ids.append(try await upload("f\(index)")) }
        await #expect(throws: (any Error).self) { try await upload("f15") }
        for index in 0..<8 { #expect(try await upload("f\(index)") == ids[index]) }
    }

    @Test("of more than 64 parts the one goes that was idle the longest")
    func tooManyParts() async throws {
        let scene = try FileScene()
        let clock = ManualClock()
        let skill = try FileSkill(access: scene.access, journal: MemoryUploadJournal(), time: clock)
        func upload(_ name: String) async throws -> JSONValue? {
            clock.advance(by: .seconds(60))
            let params: JSONValue = [
                "fileName": .string(name), "fileSize": 1, "source": "v1", "resumable": true,
                "metadata": ["targetDir": "~"],
            ]
            return try await skill.call("file.requestUpload", params, as: scene.caller)["transferId"]
        }
        var ids: [JSONValue?] = []
        for index in 0..<64 { ids.append(try await upload("f\(index)")) }
        #expect(try await upload("f0") == ids[0])
        _ = try await upload("f64")
        let list = try await skill.call("file.listTransfers", [:], as: scene.caller)
        let kept = Set((list["transfers"]?.arrayValue ?? []).map { $0["transferId"] })
        #expect(kept.count == 64)
        #expect(kept.contains(ids[0]))
        #expect(!kept.contains(ids[1]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.home).count == 64)
    }

    @Test("parts are removed at the start and every hour, also where no phone begins another upload")
    func tidies() async throws {
        let scene = try FileScene()
        let clock = ManualClock()
        let journal = MemoryUploadJournal()
        let parts = { try FileManager.default.contentsOfDirectory(atPath: scene.home).count }
        func skill() throws -> FileSkill { try FileSkill(access: scene.access, journal: journal, time: clock) }
        func request(_ name: String, _ skill: FileSkill) async throws {
            let params: JSONValue = ["fileName": .string(name), "fileSize": 1, "metadata": ["targetDir": "~"]]
            _ = try await skill.call("file.requestUpload", params, as: scene.caller)
        }
        try await request("before", try skill())
        clock.advance(by: .seconds(1801))
        let running = try skill()
        #expect(try parts() == 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await running.run() }
            await clock.sleepers()
            #expect(try parts() == 0)
            try await request("while it runs", running)
            clock.advance(by: FileSkill.tidyPace)
            await clock.sleepers()
            #expect(try parts() == 0)
        }
    }

    @Test("parts are kept for half an hour, and for seven days when the phone can go on; then they are removed")
    func expiry() async throws {
        let scene = try FileScene()
        let clock = ManualClock()
        let skill = try FileSkill(
            access: scene.access,
            journal: MemoryUploadJournal(),
            time: clock
        )
        func request(_ name: String, resumable: Bool) async throws -> JSONValue? {
            let params: JSONValue = [
                "fileName": .string(name), "fileSize": 1, "resumable": .bool(resumable),
                "metadata": ["targetDir": "~"],
            ]
            return try await skill.call("file.requestUpload", params, as: scene.caller)["transferId"]
        }
        _ = try await request("short", resumable: false)
        let long = try await request("long", resumable: true)
        clock.advance(by: .seconds(1801))
        let third = try await request("third", resumable: true)
        let ids = { () async throws -> Set<JSONValue?> in
            let list = try await skill.call("file.listTransfers", [:], as: scene.caller)
            return Set((list["transfers"]?.arrayValue ?? []).map { $0["transferId"] })
        }
        #expect(try await ids() == [long, third])
        clock.advance(by: .seconds(7 * 24 * 3600 - 1800))
        let fourth = try await request("fourth", resumable: true)
        #expect(try await ids() == [third, fourth])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.home).count == 2)
    }

    @Test("a disk without room is said at the start, and nothing is left behind")
    func diskFull() async throws {
        let scene = try FileScene()
        let failure = await scene.failure(
            "file.requestUpload",
            ["fileName": "x", "fileSize": .integer(1 << 50), "metadata": ["targetDir": "~"]]
        )
        #expect(failure?.message.contains("has no room for") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.home) == [])
        #expect(try await scene.call("file.listTransfers", [:])["total"] == 0)
    }

    @Test("an upload that goes on is told what is there, and replaces a file only when that was said")
    func resume() async throws {
        let scene = try FileScene()
        let first = try await upload(scene, ["source": "v1", "resumable": true])
        let id = first["transferId"] ?? .null
        _ = try await scene.call(
            "file.uploadChunk",
            ["transferId": id, "chunkIndex": 1, "chunkData": .string(chunk(1))]
        )
        let again = try await upload(scene, ["source": "v1", "resumable": true])
        #expect(again["transferId"] == id)
        #expect(again["received"] == [[65_536, 131_072]])
        let other = try await upload(scene, ["source": "v2", "resumable": true])
        #expect(other["transferId"] != id)
        try scene.write("a.bin", "mine")
        for index in [0, 2] {
            _ = try await scene.call(
                "file.uploadChunk",
                ["transferId": id, "chunkIndex": .integer(Int64(index)), "chunkData": .string(chunk(index))]
            )
        }
        #expect(await scene.failure("file.completeUpload", ["transferId": id])?.code == FailureCode.exists)
        #expect(try scene.read("a.bin") == Array("mine".utf8))
        #expect(
            await scene.failure(
                "file.requestUpload",
                ["fileName": "a.bin", "fileSize": 1, "metadata": ["targetDir": "~"]]
            )?.code == FailureCode.exists
        )
    }

    private func send(_ scene: FileScene, _ id: JSONValue) async throws {
        for index in 0..<3 {
            _ = try await scene.call(
                "file.uploadChunk",
                ["transferId": id, "chunkIndex": .integer(Int64(index)), "chunkData": .string(chunk(index))]
            )
        }
    }

    @Test("an upload that goes on takes the last request's permissions and date, and whether a file may be replaced")
    func lastWishes() async throws {
        let scene = try FileScene()
        let first = try await upload(
            scene,
            ["source": "v1", "resumable": true, "permissions": 0o600, "modified": 1_000_000_000_000]
        )
        let id = first["transferId"] ?? .null
        try await send(scene, id)
        try scene.write("a.bin", "came meanwhile")
        let refused = await scene.failure(
            "file.requestUpload",
            [
                "fileName": "a.bin", "fileSize": .integer(Int64(Self.bytes.count)), "source": "v1", "resumable": true,
                "metadata": ["targetDir": .string(scene.home)],
            ]
        )
        #expect(refused?.code == FailureCode.exists)
        let again = try await upload(
            scene,
            [
                "source": "v1", "resumable": true, "overwrite": true, "permissions": 0o640,
                "modified": 1_100_000_000_000,
            ]
        )
        #expect(again["transferId"] == id)
        #expect(again["received"] == [[0, .integer(Int64(Self.bytes.count))]])
        _ = try await scene.call("file.completeUpload", ["transferId": id])
        #expect(try scene.read("a.bin") == Self.bytes)
        let status = try scene.access.status(of: scene.access.roots.location(of: "~/a.bin"), followingLink: false)
        #expect(status.permissions & 0o777 == 0o640)
        #expect(status.modifiedMilliseconds == 1_100_000_000_000)
        // Nor does a finished one answer for other permissions: the file is there, and would have to be replaced.
        let other = await scene.failure(
            "file.requestUpload",
            [
                "fileName": "a.bin", "fileSize": .integer(Int64(Self.bytes.count)), "source": "v1", "resumable": true,
                "metadata": ["targetDir": .string(scene.home)], "permissions": 0o600,
            ]
        )
        #expect(other?.code == FailureCode.exists)
    }

    @Test("an upload that may not replace any more leaves a file alone that came meanwhile")
    func noLongerReplacing() async throws {
        let scene = try FileScene()
        let first = try await upload(scene, ["source": "v1", "resumable": true, "overwrite": true])
        let id = first["transferId"] ?? .null
        try await send(scene, id)
        let again = try await upload(scene, ["source": "v1", "resumable": true])
        #expect(again["transferId"] == id)
        try scene.write("a.bin", "came meanwhile")
        #expect(await scene.failure("file.completeUpload", ["transferId": id])?.code == FailureCode.exists)
        #expect(try scene.read("a.bin") == Array("came meanwhile".utf8))
    }

    @Test("an upload whose part was removed, or became another file, begins anew", arguments: [true, false])
    func partGone(isReplaced: Bool) async throws {
        let scene = try FileScene()
        let first = try await upload(scene, ["source": "v1", "resumable": true])
        try await send(scene, first["transferId"] ?? .null)
        let part = try #require(try FileManager.default.contentsOfDirectory(atPath: scene.home).first)
        try FileManager.default.removeItem(atPath: scene.home + "/" + part)
        if isReplaced { try scene.write(part, Array(repeating: 0, count: Self.bytes.count)) }
        let failure = await scene.failure("file.completeUpload", ["transferId": first["transferId"] ?? .null])
        #expect(failure?.code == FailureCode.unknownTransfer)
        let again = try await upload(scene, ["source": "v1", "resumable": true])
        #expect(again["transferId"] != first["transferId"])
        #expect(again["received"] == [])
        try await send(scene, again["transferId"] ?? .null)
        _ = try await scene.call("file.completeUpload", ["transferId": again["transferId"] ?? .null])
        #expect(try scene.read("a.bin") == Self.bytes)
    }

    /// For a digest that has taken everything.
    private struct NoFile: ReadableFile {
        func status() throws(FileError) -> FileStatus { throw .unsupported("This") }
        func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] { throw .unsupported("This") }
    }

    @Test("a whole file that did not get its name is compared anew, by the key of the sender that goes on")
    func unnamed() async throws {
        let scene = try FileScene()
        let bytes = (0..<3).flatMap { index in Array(Data(base64Encoded: chunk(index)) ?? Data()) }
        func checksum(_ key: [UInt8]) throws -> JSONValue {
            var digest = FileDigest(ChecksumMethod(key: key), size: Int64(bytes.count))
            try digest.take(bytes[...], at: 0)
            return .string(try digest.finish(NoFile(), named: "a.bin"))
        }
        func request(_ key: [UInt8]) async throws -> JSONValue {
            try await upload(
                scene,
                ["source": "v1", "resumable": true, "checksumKey": .string(Hexadecimal.encode(key))]
            )
        }
        let keys = [ChecksumMethod.newKey(), ChecksumMethod.newKey()]
        let id = try await request(keys[0])["transferId"] ?? .null
        for index in 0..<3 {
            _ = try await scene.call(
                "file.uploadChunk",
                ["transferId": id, "chunkIndex": .integer(Int64(index)), "chunkData": .string(chunk(index))]
            )
        }
        // Its name is taken, as it is not yet its own when a program is killed just before.
        try scene.write("a.bin", "mine")
        let first: JSONValue = ["transferId": id, "checksum": try checksum(keys[0])]
        #expect(await scene.failure("file.completeUpload", first)?.code == FailureCode.exists)
        try FileManager.default.removeItem(atPath: scene.home + "/a.bin")
        let again = try await request(keys[1])
        #expect(again["transferId"] == id)
        #expect(again["received"] == [[0, .integer(Int64(bytes.count))]])
        _ = try await scene.call("file.completeUpload", ["transferId": id, "checksum": try checksum(keys[1])])
        #expect(try scene.read("a.bin") == bytes)
    }

    @Test("an upload whose phone lost its right while it was asked for keeps no part")
    func cancelledWhileAsked() async throws {
        let scene = try FileScene()
        let params: JSONValue = ["fileName": "a", "fileSize": 1, "resumable": true, "metadata": ["targetDir": "~"]]
        let (begin, go) = AsyncStream.makeStream(of: Void.self)
        let asked = Task {
            for await _ in begin { break }
            return try await scene.call("file.requestUpload", params)
        }
        // Cancelled before it goes on: the stream ends with it.
        asked.cancel()
        go.finish()
        await #expect(throws: (any Error).self) { try await asked.value }
        #expect(try await scene.call("file.listTransfers", [:])["total"] == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.home) == [])
    }

    @Test("a part that a crash cut off while it was made goes away, and the upload begins anew")
    func cutOffWhileMade() async throws {
        let scene = try FileScene()
        let journal = MemoryUploadJournal()
        let params: JSONValue = [
            "fileName": "a", "fileSize": 2, "source": "v1", "resumable": true, "metadata": ["targetDir": "~"],
        ]
        let request = { () async throws -> JSONValue? in
            // Another process each time.
            let skill = try FileSkill(access: scene.access, journal: journal)
            return try await skill.call("file.requestUpload", params, as: scene.caller)["transferId"]
        }
        let parts = { try FileManager.default.contentsOfDirectory(atPath: scene.home) }
        let first = try await request()
        let part = try #require(try parts().first)
        try scene.write(part, "")
        #expect(try await request() != first)
        #expect(try parts().count == 1)
        #expect(try parts() != [part])
    }

    @Test("the same upload, asked for twice at once, is one transfer with one part")
    func askedTwiceAtOnce() async throws {
        let scene = try FileScene()
        let ids = try await withThrowingTaskGroup(of: JSONValue?.self) { group in
            for _ in 0..<8 {
                group.addTask { try await upload(scene, ["source": "v1", "resumable": true])["transferId"] }
            }
            return try await group.reduce(into: Set<JSONValue?>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.home).count == 1)
    }

    @Test("a part that scatters the others too far is refused before it is kept; one that joins them is taken")
    func scattered() async throws {
        let scene = try FileScene()
        let id = try #require(TransferID(text: try await upload(scene)["transferId"]?.stringValue ?? ""))
        let part = try scene.skill.uploads.upload(id, of: scene.caller.id)
        let limit = Upload.rangeLimit
        for index in 0..<limit { _ = try await part.write([1], at: Int64(index) * 2) }
        for index in limit..<limit + 4 {
            await #expect(throws: TransferError.self) { try await part.write([1], at: Int64(index) * 2) }
        }
        #expect(part.report.written.ranges.count == limit)
        _ = try await part.write([1], at: 1)
        #expect(part.report.written.ranges.count == limit - 1)
    }

    @Test("frames about single bytes are bounded by their count: the next one is refused")
    func tinyFrames() async throws {
        let outlet = HeldOutlet()
        let scene = try FileScene(outlet: outlet)
        try scene.write("d", [UInt8](repeating: 1, count: 4096))
        let answer = try await scene.call("file.requestDownload", ["filePath": "d"])
        let id = try #require(TransferID(text: answer["transferId"]?.stringValue ?? ""))
        func want(_ offset: Int) {
            let frame = TransferFrame(transfer: id, offset: Int64(offset), content: .want(count: 1))
            scene.door?.take(frame.bytes, from: scene.caller)
        }
        for offset in 0..<2048 { want(offset) }
        await outlet.clock.sleepers(2048)
        want(2048)
        var frames = outlet.frames.makeAsyncIterator()
        for _ in 0..<2048 { _ = await frames.next() }
        guard case .refused(FailureCode.busy, _)? = TransferFrame(await frames.next() ?? [])?.content else {
            Issue.record("It was taken.")
            return
        }
        await scene.door?.close()
    }

    @Test("reads of one phone that hang leave threads for another's")
    func turns() async throws {
        let scene = try FileScene()
        let (reading, reader) = AsyncStream.makeStream(of: String.self)
        let disk = DispatchSemaphore(value: 0)
        defer { for _ in 0..<100 { disk.signal() } }
        let watch = ArrivalWatch()
        watch.beforeRead { path in
            reader.yield(path)
            _ = disk.wait(timeout: .now() + 60)
        }
        let outlet = FrameBox()
        let skill = try FileSkill(
            access: WatchedFiles(access: scene.access, watch: watch),
            journal: MemoryUploadJournal(),
            outlet: outlet
        )
        let door = FileScene.door(to: skill, outlet)
        func wanted(_ name: String, by caller: Caller) async throws -> TransferFrame {
            try scene.write(name, name)
            let answer = try await skill.call("file.requestDownload", ["filePath": .string(name)], as: caller)
            let id = try #require(TransferID(text: answer["transferId"]?.stringValue ?? ""))
            return TransferFrame(transfer: id, offset: 0, content: .want(count: 1))
        }
        let other = FileScene.caller("did:key:z6MkB")
        var frames: [TransferFrame] = []
        for index in 0..<TransferLimits.perCaller { frames.append(try await wanted("a\(index)", by: scene.caller)) }
        let last = try await wanted("other", by: other)
        for frame in frames + frames { door.take(frame.bytes, from: scene.caller) }
        door.take(last.bytes, from: other)
        var names: [String] = []
        // One of each file of the first phone may be under way, and the other's.
        for await path in reading.prefix(9) { names.append(path) }
        #expect(names.count { $0.contains("other") } == 1, "\(names)")
        for _ in 0..<100 { disk.signal() }
        await door.close()
    }

    @Test("frames of a phone without the permission, of another phone, or beside the file are refused by a frame")
    func framesRefused() async throws {
        let sink = FrameBox()
        let scene = try FileScene(outlet: sink)
        let answer = try await upload(scene)
        #expect(answer["frames"] == true)
        let id = try #require(TransferID(text: answer["transferId"]?.stringValue ?? ""))
        var denied = scene.caller
        denied.rights = []
        var other = scene.caller
        other.id = "did:key:z6MkB"
        let cases: [(Caller, Int64, Int)] = [
            (denied, 0, FailureCode.notAllowed), (other, 0, FailureCode.unknownTransfer),
            (scene.caller, 149_999, FailureCode.badParameters),
            (scene.caller, 1 << 40, FailureCode.badParameters),
        ]
        for (caller, offset, code) in cases {
            let frame = TransferFrame(transfer: id, offset: offset, content: .data([1, 2]))
            scene.door?.take(frame.bytes, from: caller)
            let reply = await sink.next()
            guard case .refused(code, _)? = TransferFrame(reply)?.content else {
                Issue.record("\(caller.id) \(offset): \(reply)")
                continue
            }
        }
        scene.door?.take([1, 1, 1, 2, 3], from: scene.caller)
        scene.door?.take(
            TransferFrame(transfer: id, offset: 0, content: .data([7])).bytes,
            from: scene.caller
        )
        #expect(TransferFrame(await sink.next())?.content == .taken(count: 1))
        await scene.door?.close()
    }
}

/// Takes what the skill sends; a test reads one after the other.
final class FrameBox: FrameOutlet {
    private let stream: AsyncStream<[UInt8]>
    private let continuation: AsyncStream<[UInt8]>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(64)) }

    func send(frame: [UInt8], needing right: Right?, to device: String) async throws { continuation.yield(frame) }

    func next() async -> [UInt8] {
        for await bytes in stream { return bytes }
        return []
    }
}

/// Takes what the skill sends, and lets none of its senders go on.
private final class HeldOutlet: FrameOutlet {
    /// Never moved.
    let clock = ManualClock()
    let frames: AsyncStream<[UInt8]>
    private let continuation: AsyncStream<[UInt8]>.Continuation

    init() { (frames, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(4096)) }

    func send(frame: [UInt8], needing right: Right?, to device: String) async throws {
        continuation.yield(frame)
        try await clock.sleep(for: .seconds(1))
    }
}
