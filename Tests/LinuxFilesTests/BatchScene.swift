import FeatureTesting
import Foundation
import Glibc
import Kernel
import KernelTesting
import Logging
import Synchronization

@testable import CommandServer
@testable import Commands
@testable import Files
@testable import FilesHost
@testable import LinuxFiles
@testable import Transfers

/// A phone and a desktop with folders on disk, whose exchanges are counted and whose waits for the disk too.
final class BatchScene: Sendable {
    /// Stands between the two: what a test does to a call.
    typealias Between = @Sendable (String, () async throws -> JSONValue) async throws -> JSONValue

    let base: String
    let watch = ArrivalWatch()
    let journal: WatchedUploadJournal
    let phoneJournal = CountingTransferJournal()
    let access: WatchedFiles
    let caller = FileScene.caller("did:key:z6MkA")
    private let running: Mutex<FileSkill>
    private let calls = Mutex<[String: Int]>([:])
    private let between = Mutex<Between?>(nil)

    var desktopFolder: String { base + "/desktop" }
    var phoneFolder: String { base + "/phone" }
    var skill: FileSkill { running.withLock(\.self) }

    init(sharesHidden: Bool = true) throws {
        base = "/tmp/tandem-batch-\(UUID().uuidString)"
        for folder in ["/desktop", "/phone"] {
            try FileManager.default.createDirectory(atPath: base + folder, withIntermediateDirectories: true)
        }
        journal = WatchedUploadJournal(watch)
        access = WatchedFiles(
            access: try LinuxFileAccess(
                home: base + "/desktop",
                trash: base + "/trash",
                sharesHidden: sharesHidden
            ),
            watch: watch
        )
        running = Mutex(try FileSkill(access: access, journal: journal))
    }

    deinit {
        // What a test leaves behind is only a temporary folder.
        try? FileManager.default.removeItem(atPath: base)
    }

    /// The desktop's program ends without a word and is started anew.
    func restart() async throws {
        watch.goDown(after: nil)
        let skill = try FileSkill(access: access, journal: journal)
        running.withLock { $0 = skill }
        await skill.uploads.expire()
    }

    func standBetween(_ body: @escaping Between) { between.withLock { $0 = body } }

    func count(_ method: String) -> Int { calls.withLock { $0[method] ?? 0 } }

    func client() -> FileTransferClient {
        FileTransferClient(desktop: "desk", journal: phoneJournal, time: ImmediateClock()) { method, params, _ in
            self.calls.withLock { $0[method, default: 0] += 1 }
            let call: @Sendable () async throws -> JSONValue = {
                try await self.skill.call(method, params, as: self.caller)
            }
            guard let between = self.between.withLock(\.self) else { return try await call() }
            return try await between(method, call)
        }
    }

    /// Small files, each with its own bytes, mode and date.
    func fill(_ folder: String, count: Int) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for number in 0..<count {
            let path = folder + "/" + Self.name(number)
            try Data(Self.bytes(number)).write(to: URL(fileURLWithPath: path))
            chmod(path, mode_t(number % 2 == 0 ? 0o640 : 0o755))
            let time = timespec(tv_sec: 1_700_000_000 + number, tv_nsec: 5_000_000)
            utimensat(AT_FDCWD, path, [time, time], 0)
        }
    }

    static func name(_ number: Int) -> String { "file \(number)" }

    static func bytes(_ number: Int) -> [UInt8] {
        // Some are empty.
        (0..<number % 300).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
    }

    /// The numbers of ``fill(_:count:)`` whose file in `folder` is not exactly the one that was made.
    func wrong(in folder: String, count: Int) -> [Int] {
        (0..<count).filter { number in
            let path = folder + "/" + Self.name(number)
            var found = stat()
            guard lstat(path, &found) == 0, let data = FileManager.default.contents(atPath: path) else { return true }
            return Array(data) != Self.bytes(number)
                || found.st_mode & 0o777 != mode_t(number % 2 == 0 ? 0o640 : 0o755)
                || found.st_mtim.tv_sec != 1_700_000_000 + number || found.st_mtim.tv_nsec != 5_000_000
        }
    }

    func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    /// Partial files on either side.
    func parts() throws -> [String] {
        let all = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.contains(".tandem-part-") }
    }

    /// A batch as a phone sends it.
    func send(_ files: [(name: String, text: String)], replacing: Bool = false) async throws -> [FilesUploaded.Outcome]
    {
        let params = UploadFiles(
            folder: "~",
            files: files.map { WholeFile(name: FileNameText.bytes($0.name), content: Array($0.text.utf8)) },
            replacing: replacing
        )
        return try FilesUploaded(wire: await skill.call(FileMethods.uploadFiles.name, params.wire, as: caller)).files
    }
}
