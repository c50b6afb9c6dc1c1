import Foundation
import Glibc
import Kernel
import KernelTesting
import Synchronization
import Testing

@testable import Commands
@testable import Files
@testable import FilesHost
@testable import Transfers

@Suite("The phone's side of transfers", .timeLimit(.minutes(5)))
struct TransferClientTests {
    @Test(
        "a folder goes to the desktop and back, with empty files, deep folders, modes and names of any bytes",
        arguments: [true, false]
    )
    func folders(usesFrames: Bool) async throws {
        let scene = try CrashScene()
        let source = scene.phoneFolder + "/tree"
        try FileManager.default.createDirectory(atPath: source + "/a/b/empty", withIntermediateDirectories: true)
        let big = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try Data(big).write(to: URL(fileURLWithPath: source + "/a/big"))
        try Data().write(to: URL(fileURLWithPath: source + "/a/b/nothing"))
        chmod(source + "/a/big", 0o751)
        let odd = (Array((source + "/").utf8) + [0xFF, 0x41, 0]).map { CChar(bitPattern: $0) }
        close(creat(odd, 0o600))
        symlink("/etc/passwd", source + "/link")
        mkfifo(source + "/pipe", 0o600)
        let life = try Life(scene, steps: .max, usesFrames: usesFrames, tuning: TransferTuning())
        let up = try await life.client.upload(source, to: scene.desktopFolder)
        #expect(up.files == 3)
        #expect(up.bytes == 700_001)
        #expect(up.skipped.count == 2)
        #expect(up.path == scene.desktopFolder + "/tree")
        let down = try await life.client.download(scene.desktopFolder + "/tree", to: scene.phoneFolder, as: "back")
        #expect(down.files == 3)
        #expect(down.skipped == [])
        let back = scene.phoneFolder + "/back"
        #expect(try Data(contentsOf: URL(fileURLWithPath: back + "/a/big")) == Data(big))
        #expect(try Data(contentsOf: URL(fileURLWithPath: back + "/a/b/nothing")).isEmpty)
        let attributes = try FileManager.default.attributesOfItem(atPath: back + "/a/big")
        #expect(attributes[.posixPermissions] as? Int == 0o751)
        var found = stat()
        #expect(lstat((Array((back + "/").utf8) + [0xFF, 0x41, 0]).map { CChar(bitPattern: $0) }, &found) == 0)
        // Again, as after an interruption: what is there and the same is neither sent nor a reason to fail.
        let whole = try await life.client.download(scene.desktopFolder + "/tree", to: scene.phoneFolder, as: "back")
        #expect((whole.files, whole.present, whole.skipped) == (0, 3, []))
        // A copy of what was sent, of the same time and size, is there already, and so is what is small.
        var times = stat()
        #expect(lstat(source + "/a/big", &times) == 0)
        try FileManager.default.moveItem(atPath: source + "/a/big", toPath: scene.phoneFolder + "/big")
        try Data(big).write(to: URL(fileURLWithPath: source + "/a/big"))
        #expect(utimensat(AT_FDCWD, source + "/a/big", [times.st_atim, times.st_mtim], 0) == 0)
        let resent = try await life.client.upload(source, to: scene.desktopFolder)
        #expect((resent.files, resent.present, resent.skipped.count) == (0, 3, 2))
        // Others of the same name: nothing is replaced, nothing is lost, and it is said.
        try Data("mine".utf8).write(to: URL(fileURLWithPath: back + "/a/big"))
        try FileManager.default.removeItem(atPath: back + "/a/b/nothing")
        let again = try await life.client.download(scene.desktopFolder + "/tree", to: scene.phoneFolder, as: "back")
        #expect((again.files, again.present, again.skipped.count) == (1, 1, 1))
        #expect(try String(contentsOfFile: back + "/a/big", encoding: .utf8) == "mine")
        try FileManager.default.removeItem(atPath: scene.desktopFolder + "/tree/a/big")
        try Data("theirs".utf8).write(to: URL(fileURLWithPath: scene.desktopFolder + "/tree/a/big"))
        let other = try await life.client.upload(source, to: scene.desktopFolder)
        #expect((other.files, other.present, other.skipped.count) == (0, 2, 3))
        #expect(try scene.parts() == [])
        #expect(try await life.client.unfinished() == [])
        await life.end()
    }

    private static func mode(_ path: String) -> UInt32 {
        var found = stat()
        return lstat(path, &found) == 0 ? found.st_mode & 0o777 : 0
    }

    @Test("what arrives has its source's permissions less the person's umask, and an owner can write to folders")
    func modes() async throws {
        let scene = try CrashScene()
        let source = scene.phoneFolder + "/stick"
        let files = FileManager.default
        try files.createDirectory(atPath: source + "/open", withIntermediateDirectories: true)
        try files.createDirectory(atPath: source + "/closed", withIntermediateDirectories: true)
        // One that goes with others, and one that goes alone.
        try Data("s".utf8).write(to: URL(fileURLWithPath: source + "/open/small"))
        try Data(count: 700_001).write(to: URL(fileURLWithPath: source + "/open/big"))
        try Data("k".utf8).write(to: URL(fileURLWithPath: source + "/closed/key"))
        for name in ["/open", "/open/small", "/open/big"] { chmod(source + name, 0o777) }
        chmod(source + "/closed/key", 0o600)
        chmod(source + "/closed", 0o500)
        let life = try Life(scene, steps: .max, usesFrames: true, tuning: TransferTuning())
        #expect(try await life.client.upload(source, to: scene.desktopFolder).files == 3)
        let there = scene.desktopFolder + "/stick"
        let names = ["/open", "/open/small", "/open/big", "/closed", "/closed/key"]
        #expect(names.map { Self.mode(there + $0) } == [0o755, 0o755, 0o755, 0o700, 0o600])
        for name in names.prefix(3) { chmod(there + name, 0o777) }
        let report = try await life.client.download(there, to: scene.phoneFolder, as: "back", mask: 0o027)
        #expect(report.files == 3)
        let back = scene.phoneFolder + "/back"
        #expect(names.map { Self.mode(back + $0) } == [0o750, 0o750, 0o750, 0o700, 0o600])
        // A folder that is there already keeps what it has.
        chmod(back + "/open", 0o711)
        _ = try await life.client.download(there, to: scene.phoneFolder, as: "back", mask: 0o027)
        #expect(Self.mode(back + "/open") == 0o711)
        chmod(source + "/closed", 0o700)
        await life.end()
    }

    private static func blocks(_ path: String) -> Int {
        var found = stat()
        return stat(path, &found) == 0 ? Int(found.st_blocks) * 512 : -1
    }

    @Test(
        "holes of a file are neither sent nor stored, both ways, and are zeros at the other end",
        arguments: [true, false]
    )
    func sparse(usesFrames: Bool) async throws {
        let scene = try CrashScene()
        let source = scene.phoneFolder + "/disk.img"
        let size = (96 << 20) + 5
        let file = open(source, O_CREAT | O_RDWR, 0o644)
        defer { close(file) }
        #expect(ftruncate(file, off_t(size)) == 0)
        // In the middle of a block, over the border of two, and at the end.
        let words = [((3 << 20) + 17, "one"), ((40 << 20) - 1, "two"), (size - 5, "three")]
            .map { (offset: $0.0, text: $0.1) }
        for word in words { #expect(pwrite(file, word.text, word.text.utf8.count, off_t(word.offset)) > 0) }
        try #require(Self.blocks(source) < 1 << 20, "this file system keeps no holes")
        let life = try Life(scene, steps: .max, usesFrames: usesFrames, tuning: TransferTuning())
        let up = try await life.client.upload(source, to: scene.desktopFolder)
        #expect((up.files, up.bytes) == (1, Int64(size)))
        let there = scene.desktopFolder + "/disk.img"
        let down = try await life.client.download(there, to: scene.phoneFolder, as: "back.img")
        #expect((down.files, down.bytes) == (1, Int64(size)))
        for copy in [there, scene.phoneFolder + "/back.img"] {
            #expect(Self.blocks(copy) <= 8 << 20)
            let data = try Data(contentsOf: URL(fileURLWithPath: copy), options: .mappedIfSafe)
            #expect(data.count == size)
            #expect(words.allSatisfy { data[$0.offset..<$0.offset + $0.text.utf8.count] == Data($0.text.utf8) })
            #expect(data.count { $0 != 0 } == 11)
        }
        // What is nothing but a hole, and what is empty.
        let empty = scene.phoneFolder + "/nothing.img"
        close(creat(empty, 0o644))
        #expect(try await life.client.upload(empty, to: scene.desktopFolder).bytes == 0)
        #expect(truncate(empty, 64 << 20) == 0)
        let all = try await life.client.upload(empty, to: scene.desktopFolder, replacing: true)
        #expect(all.bytes == 64 << 20)
        #expect(Self.blocks(scene.desktopFolder + "/nothing.img") == 0)
        #expect(try scene.parts() == [])
        await life.end()
    }

    /// A file in memory that counts what is read of it.
    private final class CountedFile: ReadableFile {
        let bytes: [UInt8]
        let count = Mutex(0)

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func status() throws(FileError) -> FileStatus { throw .notFound("") }

        func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
            let part = Array(bytes.dropFirst(Int(offset)).prefix(count))
            self.count.withLock { $0 += part.count }
            return part
        }
    }

    @Test(
        "a checksum is the same whether holes are read or not, wherever they begin and end",
        arguments: [
            [0..<5_242_883], [1_048_576..<4_194_304], [262_149..<4_194_311], [7..<9], [2_000_000..<5_242_883],
            [0..<1_048_576, 3_145_728..<5_242_883],
        ] as [[Range<Int64>]],
        [ChecksumMethod.sha256, ChecksumMethod(key: Data(repeating: 7, count: 32))]
    )
    func zeroes(ranges: [Range<Int64>], method: ChecksumMethod) throws {
        let size = 5_242_883
        let holes = ranges.reduce(into: ByteRanges()) { $0.insert($1) }
        var bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 | 1) }
        for range in ranges { for place in range { bytes[Int(place)] = 0 } }
        let file = CountedFile(bytes)
        var read = FileDigest(method, size: Int64(size))
        var told = FileDigest(method, size: Int64(size), holes: holes)
        let expected = try read.finish(file, named: "")
        file.count.withLock { $0 = 0 }
        #expect(try told.finish(file, named: "") == expected)
        let left = size - Int(holes.count)
        // What of a hole is no whole step is read.
        #expect((left...left + 2 * (1 << 20)).contains(file.count.withLock(\.self)) || holes.count < 1 << 20)
    }

    @Test("holes beside the file are no answer, and of more than can be read in time a part is believed")
    func believedHoles() {
        #expect(FileHoles.believed(ByteRanges(0..<11), in: 10) == nil)
        #expect(FileHoles.believed(ByteRanges(0..<10), in: 10) == ByteRanges(0..<10))
        let large = FileHoles.byteLimit
        var holes = ByteRanges(0..<large)
        holes.insert(large + 10..<large + 20)
        #expect(FileHoles.believed(holes, in: 1 << 50) == ByteRanges(0..<large))
        #expect(FileHoles.believed(ByteRanges(0..<1 << 50), in: 1 << 50) == ByteRanges())
        #expect(ByteRanges(wire: [[0, 1, 2]]) == nil)
        #expect(ByteRanges(wire: [[2, 1]]) == nil)
        #expect(ByteRanges(wire: [[-1, 1]]) == nil)
        #expect(ByteRanges(wire: .array((0...256).map { [.integer($0 * 2), .integer($0 * 2 + 1)] })) == nil)
        #expect(ByteRanges(wire: nil) == ByteRanges())
    }

    @Test("a link that the person names is followed and sent under its own name; one within a folder is left out")
    func namedLinks() async throws {
        let scene = try CrashScene()
        let source = scene.phoneFolder
        try FileManager.default.createDirectory(atPath: source + "/real/in", withIntermediateDirectories: true)
        try Data("real".utf8).write(to: URL(fileURLWithPath: source + "/real/file"))
        symlink("real/file", source + "/link")
        symlink("real", source + "/folder")
        symlink("nowhere", source + "/broken")
        let life = try Life(scene, steps: .max, usesFrames: true, tuning: TransferTuning())
        _ = try await life.client.upload(source + "/link", to: scene.desktopFolder)
        let report = try await life.client.upload(source + "/folder/", to: scene.desktopFolder)
        #expect((report.files, report.skipped) == (1, []))
        for name in ["/link", "/folder/file"] {
            #expect(try String(contentsOfFile: scene.desktopFolder + name, encoding: .utf8) == "real")
        }
        // The file, and no link to it.
        #expect(Self.mode(scene.desktopFolder + "/link") != 0o777)
        await #expect(throws: FileError.self) {
            try await life.client.upload(source + "/broken", to: scene.desktopFolder)
        }
        await life.end()
    }

    @Test("a path whose bytes are not UTF-8 is the one that the person typed")
    func typedBytes() async throws {
        let scene = try CrashScene()
        let folder: [UInt8] = Array((scene.phoneFolder + "/").utf8) + [0xE9]
        let name: [UInt8] = Array("caf".utf8) + [0xE9] + Array(".txt".utf8)
        #expect(mkdir((folder + [0]).map { CChar(bitPattern: $0) }, 0o755) == 0)
        let path = folder + [UInt8(ascii: "/")] + name
        close(creat((path + [0]).map { CChar(bitPattern: $0) }, 0o644))
        let typed = (path + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { LocalPath.text(ofArgument: $0) }
        }
        let life = try Life(scene, steps: .max, usesFrames: true, tuning: TransferTuning())
        #expect(try await life.client.upload(try #require(typed), to: scene.desktopFolder).files == 1)
        var found = stat()
        let there = Array((scene.desktopFolder + "/").utf8) + name + [0]
        #expect(lstat(there.map { CChar(bitPattern: $0) }, &found) == 0)
        #expect(LocalPath.isFolder(FileNameText.text(folder)))
        #expect("Grüße".withCString { LocalPath.text(ofArgument: $0) } == "Grüße")
        await life.end()
    }

    @Test("a desktop's names that would lead out of the folder are left out, and no link on the phone is followed")
    func hostileNames() async throws {
        let scene = try CrashScene()
        try FileManager.default.createDirectory(atPath: scene.phoneFolder + "/in", withIntermediateDirectories: true)
        symlink(scene.base, scene.phoneFolder + "/in/evil")
        let client = FileTransferClient(desktop: "d", journal: try scene.phoneJournal()) { method, params, _ in
            switch (method, params["path"]?.stringValue) {
            case ("file.getFileInfo", _):
                return ["exists": true, "file": ["name": "in", "path": "/x", "isDirectory": true]]
            case ("file.listDirectory", "/x"):
                let names = ["..", "../up", "/abs", "", ".", "a/b"].map { name -> JSONValue in
                    ["name": .string(name), "isDirectory": .bool(name == "..")]
                }
                return ["entries": .array(names + [["name": "evil", "isDirectory": true]])]
            default: return ["entries": [["name": "stolen", "isDirectory": false]]]
            }
        }
        let report = try await client.download("/x", to: scene.phoneFolder)
        #expect((report.files, report.skipped.count) == (0, 7))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.phoneFolder + "/in") == ["evil"])
        for name in ["..", "a/b", "", "/x"] {
            await #expect(throws: FileError.badName(name)) {
                try await client.download("/x", to: scene.phoneFolder, as: name)
            }
        }
    }

    @Test("a file here is not replaced unless that was said, and a link of that name is never written through")
    func replacing() async throws {
        let scene = try CrashScene()
        try Data("new".utf8).write(to: URL(fileURLWithPath: scene.desktopFolder + "/a"))
        try Data("kept".utf8).write(to: URL(fileURLWithPath: scene.base + "/target"))
        symlink(scene.base + "/target", scene.phoneFolder + "/a")
        let life = try Life(scene, steps: .max, usesFrames: true, tuning: TransferTuning())
        await #expect(throws: FileError.exists(scene.phoneFolder + "/a")) {
            try await life.client.download(scene.desktopFolder + "/a", to: scene.phoneFolder)
        }
        _ = try await life.client.download(scene.desktopFolder + "/a", to: scene.phoneFolder, replacing: true)
        #expect(try String(contentsOfFile: scene.base + "/target", encoding: .utf8) == "kept")
        #expect(try String(contentsOfFile: scene.phoneFolder + "/a", encoding: .utf8) == "new")
        await life.end()
    }

    @Test("a download goes on where a crash stopped it, and begins anew when the desktop's file changed meanwhile")
    func continues() async throws {
        let scene = try CrashScene()
        let tuning = TransferTuning(chunkSize: 4096, frameSize: 4096, batchSize: 8192)
        let path = scene.desktopFolder + "/a"
        try Data(repeating: 1, count: 400_000).write(to: URL(fileURLWithPath: path))
        // What is promised is flushed beside the transfer, so that a crash may come before a life has kept anything new.
        func afterCrashes(eachAfter steps: Int, beyond count: Int64) async throws -> TransferRecord {
            var record: TransferRecord?
            for _ in 0..<10 where record.map({ $0.received.count <= count }) ?? true {
                let life = try Life(scene, steps: steps, usesFrames: true, tuning: tuning)
                await #expect(throws: (any Error).self) { try await life.client.download(path, to: scene.phoneFolder) }
                await life.end()
                record = try scene.phoneJournal().records().first
            }
            return try #require(record)
        }
        let kept = try await afterCrashes(eachAfter: 120, beyond: 0)
        #expect(kept.received.count > 0)
        let further = try await afterCrashes(eachAfter: 60, beyond: kept.received.count)
        #expect(further.id == kept.id)
        #expect(further.received.count > kept.received.count)
        try Data(repeating: 2, count: 300_000).write(to: URL(fileURLWithPath: path))
        let third = try Life(scene, steps: .max, usesFrames: true, tuning: tuning)
        _ = try await third.client.download(path, to: scene.phoneFolder)
        await third.end()
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: scene.phoneFolder + "/a")) == Data(repeating: 2, count: 300_000)
        )
        #expect(try scene.parts() == [])
        #expect(try scene.phoneJournal().records() == [])
    }

    @Test("what cannot be read of a folder is left out and said, and all the others arrive", arguments: [true, false])
    func unreadable(isUpload: Bool) async throws {
        let scene = try CrashScene()
        let tree = (isUpload ? scene.phoneFolder : scene.desktopFolder) + "/tree"
        for folder in ["/a", "/loop", "/z"] {
            try FileManager.default.createDirectory(atPath: tree + folder, withIntermediateDirectories: true)
        }
        for name in ["/1", "/a/2", "/z/9", "/z/taken"] {
            try Data(name.utf8).write(to: URL(fileURLWithPath: tree + name))
        }
        let life = try Life(scene, steps: .max, usesFrames: true, tuning: TransferTuning())
        // A file where a folder is to be, and a folder where a file is to be: neither the disk nor a right is at fault.
        let target = (isUpload ? scene.desktopFolder : scene.phoneFolder) + "/tree"
        try FileManager.default.createDirectory(atPath: target + "/z/taken", withIntermediateDirectories: true)
        try Data("file".utf8).write(to: URL(fileURLWithPath: target + "/loop"))
        let report =
            isUpload
            ? try await life.client.upload(tree, to: scene.desktopFolder, replacing: true)
            : try await life.client.download(tree, to: scene.phoneFolder, replacing: true)
        #expect(report.files == 3)
        #expect(report.skipped.count == 2)
        #expect(report.skipped.contains { $0.contains("/loop") })
        #expect(report.skipped.contains { $0.contains("taken") })
        for name in ["/1", "/a/2", "/z/9"] {
            #expect(try String(contentsOfFile: target + name, encoding: .utf8) == name)
        }
        await life.end()
    }

    @Test("a folder's transfer ends where the right is gone, and where one thing after the other fails")
    func troubles() async throws {
        let refusals = FolderTroubles { throw RemoteFailure(code: FailureCode.notAllowed, message: "no right") }
        let denied = RemoteFailure(code: FailureCode.notAllowed, message: "not this one")
        #expect(refusals.isOfItem(denied))
        await #expect(throws: RemoteFailure(code: FailureCode.notAllowed, message: "no right")) {
            try await refusals.check(denied)
        }
        let troubles = FolderTroubles {}
        try await troubles.check(denied)
        #expect(!troubles.isOfItem(FileError.diskFull(needed: 1)))
        #expect(!troubles.isOfItem(RemoteError.notConnected))
        #expect(!troubles.isOfItem(CancellationError()))
        let failure = RemoteFailure(code: FailureCode.internalError, message: "no room")
        for _ in 0..<7 { try await troubles.check(failure) }
        troubles.note(nil)
        for _ in 0..<7 { try await troubles.check(failure) }
        await #expect(throws: failure) { try await troubles.check(failure) }
    }

    @Test(
        "a file that was changed while it was read is read once more, as it is then; one that goes on changing is refused"
    )
    func changedWhileRead() async throws {
        let scene = try CrashScene()
        let desktop = try FileScene()
        let ends = Mutex(0)
        /// The file changes before each of so many ends.
        let changes = Mutex(1)
        let client = FileTransferClient(desktop: "d", journal: try scene.phoneJournal()) { method, params, _ in
            if method == "file.completeDownload" {
                let end = ends.withLock { count in
                    count += 1
                    return count
                }
                // Shorter each time, so that no clock's step can hide the change.
                if end <= changes.withLock(\.self) { try desktop.write("a", String(repeating: "n", count: 9 - end)) }
            }
            return try await desktop.call(method, params)
        }
        try desktop.write("a", "the first")
        let report = try await client.download("a", to: scene.phoneFolder)
        #expect((report.files, report.bytes) == (1, 8))
        #expect(ends.withLock(\.self) == 2)
        #expect(try String(contentsOfFile: scene.phoneFolder + "/a", encoding: .utf8) == "nnnnnnnn")
        ends.withLock { $0 = 0 }
        changes.withLock { $0 = .max }
        try desktop.write("a", "the first")
        await #expect {
            try await client.download("a", to: scene.phoneFolder, as: "b")
        } throws: { error in
            (error as? RemoteFailure)?.code == FailureCode.sourceChanged
        }
        #expect(ends.withLock(\.self) == 2)
        #expect(!FileManager.default.fileExists(atPath: scene.phoneFolder + "/b"))
        #expect(try await desktop.call("file.listTransfers", [:])["total"] == 0)
        await desktop.skill.close()
    }

    /// Of a disk that cannot be written to.
    private struct FailingJournal: TransferJournal {
        func records() throws -> [TransferRecord] { [] }
        func save(_ record: TransferRecord) throws { throw FileError.diskFull(needed: 1, on: .thisDevice) }
        func remove(_ id: String) throws {}
        func saveAll(_ records: [TransferRecord]) throws { throw FileError.diskFull(needed: 1, on: .thisDevice) }
        func removeAll(_ ids: [String]) throws {}
    }

    @Test("a download that fails on this device is over at the desktop, too, however often")
    func endedOnFailure() async throws {
        let scene = try CrashScene()
        let desktop = try FileScene()
        try desktop.write("a", "1")
        let client = FileTransferClient(desktop: "d", journal: FailingJournal()) { method, params, _ in
            try await desktop.call(method, params)
        }
        for _ in 0..<20 {
            await #expect(throws: FileError.diskFull(needed: 1, on: .thisDevice)) {
                try await client.download("a", to: scene.phoneFolder)
            }
        }
        #expect(try await desktop.call("file.listTransfers", [:])["total"] == 0)
        await desktop.skill.close()
    }

    @Test("who wants more than the window waits in order, and who gives up leaves the line")
    func window() async throws {
        let window = ByteWindow(size: 10)
        try await window.acquire(6)
        let waiting = Task { try await window.acquire(6) }
        let impatient = Task { try await window.acquire(1) }
        impatient.cancel()
        await #expect(throws: CancellationError.self) { try await impatient.value }
        await window.release(6)
        try await waiting.value
        try await window.acquire(4)
        await window.release(10)
        try await window.acquire(1000)
    }

    @Test(
        "a download that the desktop gave up while a device slept is begun again and goes on",
        arguments: [true, false]
    )
    func sleeps(usesFrames: Bool) async throws {
        let scene = try CrashScene()
        let tuning = TransferTuning(chunkSize: 4096, frameSize: 4096, batchSize: 8192)
        let path = scene.desktopFolder + "/a"
        try Data(repeating: 1, count: 400_000).write(to: URL(fileURLWithPath: path))
        let life = try Life(scene, steps: .max, sleepingAt: 60, usesFrames: usesFrames, tuning: tuning)
        let report = try await life.client.download(path, to: scene.phoneFolder)
        #expect(report.bytes == 400_000)
        #expect(life.slept == .seconds(180))
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: scene.phoneFolder + "/a")) == Data(repeating: 1, count: 400_000)
        )
        await life.end()
    }

    @Test("a desktop that goes away in a transfer is waited for, two minutes; one that was never there is not")
    func away() async throws {
        struct Away: ClassifiedError {
            let facts = FailureFacts.kind(.away, isAbsence: true)
            let description = "It is away."
        }
        let scene = try CrashScene()
        // How often the desktop is away before it answers.
        let absences = Mutex(1)
        let client = FileTransferClient(
            desktop: "desk",
            journal: try scene.phoneJournal(),
            time: ImmediateClock(),
            invoke: { _, _, _ in
                let isAway = absences.withLock { left in
                    defer { left -= 1 }
                    return left > 0
                }
                if isAway { throw Away() }
                return true
            }
        )
        await #expect(throws: Away.self) { try await client.invoke("file.exists", [:], .seconds(1)) }
        #expect(try await client.invoke("file.exists", [:], .seconds(1)) == true)
        absences.withLock { $0 = 100 }
        #expect(try await client.invoke("file.exists", [:], .seconds(1)) == true)
        absences.withLock { $0 = 200 }
        await #expect(throws: Away.self) { try await client.invoke("file.exists", [:], .seconds(1)) }
        #expect(absences.withLock { $0 } > 0)
    }
}
