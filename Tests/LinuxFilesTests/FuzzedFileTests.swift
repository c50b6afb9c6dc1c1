import Capabilities
import Foundation
import Glibc
import Kernel
import KernelTesting
import Logging
import Rights
import Testing

@testable import CommandServer
@testable import Commands
@testable import Files
@testable import FilesHost

/// Every method of files over a real disk, asked by a phone that may, for whatever lies beside the shared folder.
@Suite("Fuzzed files", .timeLimit(.minutes(5)))
struct FuzzedFileTests {
    /// In every file outside, and in no request.
    private static let treasure = "treasure"
    /// A name that is only outside.
    private static let jewel = "jewel"

    /// Ways into each method, one that works among them; fuzzing starts from there.
    private static func samples(_ upload: String, _ download: String) -> [String: [JSONValue]] {
        let paths: [JSONValue] = [["path": "a.txt"], ["filePath": "out/secret.txt"], ["path": "leak"]]
        let part: JSONValue = ["transferId": .string(upload), "chunkIndex": 0, "chunkData": "aGVsbG8="]
        let moves: [JSONValue] = [
            ["path": "a.txt", "newPath": "out/a.txt", "overwrite": true], ["path": "folder", "newName": "b"],
            ["source": "out/secret.txt", "destination": "mine.txt", "overwrite": true],
        ]
        let lists: [JSONValue] = [
            ["path": "~", "showHidden": true, "recursive": true, "maxDepth": 5], ["path": "out"], ["path": "folder"],
        ]
        let file: JSONValue = ["fileName": "b.txt", "fileSize": 5, "overwrite": true]
        return [
            "file.listDirectory": lists, "file.list": lists, "file.readFile": paths, "file.read": paths,
            "file.getFileInfo": paths, "file.getInfo": paths, "file.exists": paths,
            "file.search": [["path": "~", "pattern": "*", "maxDepth": 9, "showHidden": true]],
            "file.createDirectory": [["path": "out/new", "recursive": true], ["path": "folder/new"]],
            "file.rename": moves, "file.move": moves,
            "file.delete": paths.map { $0.adding("force", true).adding("recursive", true) } + [["path": "folder"]],
            "file.requestUpload": [file.adding("metadata", ["targetDir": "out"]), file.adding("targetDir", "folder")],
            "file.uploadChunk": [part], "file.completeUpload": [part], "file.cancelTransfer": [part],
            "file.requestDownload": [["filePath": "leak"], ["filePath": "a.txt"], ["path": "out/secret.txt"]],
            "file.downloadChunk": [["transferId": .string(download), "chunkIndex": 0]],
            "file.completeDownload": [["transferId": .string(download)]], "file.listTransfers": [[:]],
            "file.uploadFiles": ["out", "folder"].map { folder in
                let small: JSONValue = ["fileName": "b.txt", "content": "aGVsbG8=", "permissions": 420, "modified": 1]
                return ["targetDir": .string(folder), "files": [small, small], "overwrite": true]
            },
            "file.downloadFiles": [
                ["path": "~", "names": ["a.txt", "leak", "out"]], ["path": "out", "names": ["secret.txt"]],
            ],
            "file.getThumbnails": [["paths": ["a.txt", "leak", "out/secret.txt"], "edge": 64]],
        ]
    }

    /// What the parameters name that would lead out: to this test's own things only, because whatever does get there may be deleted.
    private static func waysOut(_ scene: FileScene) -> [String] {
        [
            scene.outside, scene.outside + "/secret.txt", scene.home + "/../outside/secret.txt", "out",
            "out/secret.txt",
            "leak", "out/../outside/secret.txt", "..\\outside", "~/out/..", "a.txt", "folder", "folder/b.txt", "*",
            scene.base.path, scene.trash, "/proc/self/root" + scene.outside, scene.home, "b.txt", "secret.txt",
        ]
    }

    private static let names = [
        "path", "filePath", "dirPath", "oldPath", "newPath", "source", "from", "destination", "to", "newName",
        "targetDir",
        "metadata", "fileName", "fileSize", "overwrite", "force", "recursive", "encoding", "offset", "length", "limit",
        "maxDepth", "maxResults", "pattern", "query", "transferId", "chunkIndex", "chunkData", "checksum", "resume",
        "resumable", "permissions", "modified", "version", "compact", "showHidden", "chunkSize",
        "files", "names", "content", "paths", "edge", "basedOn",
    ]

    @Test("whatever a phone that may use files asks for, what lies beside the shared folder stays and stays unseen")
    func canary() async throws {
        let served = Set(try FileScene().skill.methods.map(\.name))
        #expect(Set(Self.samples("", "").keys) == served)
        for (index, method) in served.sorted().enumerated() {
            let scene = try FileScene()
            let before = try prepare(scene)
            let router = CommandRouter(
                methods: scene.skill.methods,
                logger: Logger(label: "test"),
                gate: CommandGate(rights: RightsCatalogue(FileSkill.manifest.rights))
            )
            let (upload, download) = try await transfers(scene)
            let samples = try #require(Self.samples(upload, download)[method])
            var fuzz = FuzzedJSON(
                seed: UInt64(index),
                names: Self.names,
                texts: Self.waysOut(scene) + [upload, download]
            )
            var flaws: [String] = []
            for number in 0..<200 {
                let sample = samples[number % samples.count]
                let params = number < samples.count ? sample : fuzz.variation(of: sample)
                let request = CommandRequest(id: "\(number)", method: method, params: params)
                let response = await router.answer(request, from: scene.caller)
                if tells(response) { flaws.append(params.canonicalText) }
                // What was taken away is brought back, so that the next one finds it.
                if number % 5 == 4 { try? furnish(scene) }  // what is still there is fine too
            }
            #expect(flaws == [], "\(method)")
            #expect(try outside(scene) == before, "\(method)")
            await scene.skill.close()
        }
    }

    /// Things to find, and ways out.
    private func prepare(_ scene: FileScene) throws -> [String: FileMark] {
        for name in ["secret.txt", Self.jewel] {
            let text = String(repeating: Self.treasure, count: 100)
            try Data(text.utf8).write(to: URL(fileURLWithPath: scene.outside + "/" + name))
        }
        try furnish(scene)
        return try outside(scene)
    }

    private func furnish(_ scene: FileScene) throws {
        try FileManager.default.createDirectory(atPath: scene.home + "/folder", withIntermediateDirectories: true)
        try scene.write("a.txt", "mine")
        try scene.write("folder/b.txt", "mine too")
        if !scene.isThere(scene.home + "/out") { try scene.link("out", to: scene.outside) }
        if !scene.isThere(scene.home + "/leak") { try scene.link("leak", to: "../outside/secret.txt") }
    }

    private func transfers(_ scene: FileScene) async throws -> (upload: String, download: String) {
        let up = try await scene.call("file.requestUpload", ["fileName": "up.txt", "fileSize": 5, "targetDir": "~"])
        let down = try await scene.call("file.requestDownload", ["filePath": "a.txt"])
        return (
            try #require(up["transferId"]?.stringValue), try #require(down["transferId"]?.stringValue)
        )
    }

    /// Whether an answer holds something of what lies outside.
    private func tells(_ response: CommandResponse) -> Bool {
        guard case .success(let result) = response.outcome else { return false }
        let encoded = ["content", "chunkData"].compactMap { result[$0]?.stringValue }
            .compactMap { Data(base64Encoded: $0) }.map { String(decoding: $0, as: UTF8.self) }
        // Part of the word is told too: reads begin anywhere.
        return ([result.canonicalText] + encoded).contains { $0.contains(Self.jewel) || $0.contains("easur") }
    }

    /// A file or folder as it lies there: whatever changes one moves its time.
    private struct FileMark: Equatable {
        let inode: UInt64
        let changed: Int
        let changedNanoseconds: Int
        let bytes: [UInt8]
    }

    private func outside(_ scene: FileScene) throws -> [String: FileMark] {
        var marks: [String: FileMark] = [:]
        for folder in [scene.base.path, scene.outside] {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                let path = folder + "/" + name
                var found = stat()
                guard lstat(path, &found) == 0 else { throw CocoaError(.fileNoSuchFile) }
                let isFile = found.st_mode & S_IFMT == S_IFREG
                // Of the folders beside it the home changes, and deleting makes the trash.
                if path == scene.trash || path == scene.home { continue }
                marks[path] = FileMark(
                    inode: UInt64(found.st_ino),
                    changed: found.st_ctim.tv_sec,
                    changedNanoseconds: found.st_ctim.tv_nsec,
                    bytes: isFile ? Array(try Data(contentsOf: URL(fileURLWithPath: path))) : []
                )
            }
        }
        return marks
    }
}
