import FeatureTesting
import Foundation
import Glibc
import Kernel
import Testing

@testable import Commands
@testable import Files
@testable import FilesHost
@testable import Transfers

@Suite("Texts that are edited", .timeLimit(.minutes(2)))
struct EditTests {
    private func client(_ scene: FileScene) -> FilesClient { FilesClient(ScriptedPeer(scene.skill, as: scene.caller)) }

    private func mode(_ scene: FileScene, _ name: String) -> UInt32 {
        var found = stat()
        return stat(scene.home + "/" + name, &found) == 0 ? found.st_mode & 0o7777 : 0
    }

    private func names(_ scene: FileScene) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scene.home).sorted()
    }

    @Test(
        "a text is saved byte by byte, with the permissions that it had",
        arguments: [0o600, 0o664, 0o755] as [UInt32]
    )
    func saved(permissions: UInt32) async throws {
        let scene = try FileScene()
        try scene.write("notes.txt", "one\r\ntwo\nthree")
        chmod(scene.home + "/notes.txt", permissions)
        let client = client(scene)
        let text = try await client.text("notes.txt")
        #expect(text.path == scene.home + "/notes.txt")
        #expect(text.content == Data("one\r\ntwo\nthree".utf8))
        let next = try await client.save(Data("one\r\n2\nthree".utf8), over: text)
        #expect(try scene.read("notes.txt") == Array("one\r\n2\nthree".utf8))
        #expect(mode(scene, "notes.txt") == permissions)
        // What was saved is what the next is made from.
        _ = try await client.save(Data(), over: next)
        #expect(try scene.read("notes.txt").isEmpty)
        #expect(try names(scene) == ["notes.txt"])
        #expect(
            try await scene.call("file.listTransfers", [:])["transfers"]?.arrayValue?.allSatisfy {
                $0["status"] == "done"
            } == true
        )
    }

    @Test("a file that was changed meanwhile is left as it is, and theirs is told; made from theirs it is replaced")
    func changed() async throws {
        let scene = try FileScene()
        try scene.write("notes.txt", "first")
        let client = client(scene)
        let text = try await client.text("notes.txt")
        // As long, and within the same moment: only the content tells.
        try scene.write("notes.txt", "their")
        let error = await #expect(throws: EditError.self) { try await client.save(Data("mine".utf8), over: text) }
        guard case .changed(let path, let theirs?)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path == scene.home + "/notes.txt")
        #expect(theirs.content == Data("their".utf8))
        #expect(try scene.read("notes.txt") == Array("their".utf8))
        #expect(try names(scene) == ["notes.txt"])
        #expect(try await client.saveCopy(Data("mine".utf8), beside: path) == scene.home + "/notes (2).txt")
        #expect(try await client.saveCopy(Data("mine".utf8), beside: path) == scene.home + "/notes (3).txt")
        _ = try await client.save(Data("mine".utf8), over: theirs)
        #expect(try scene.read("notes.txt") == Array("mine".utf8))
        #expect(try names(scene) == ["notes (2).txt", "notes (3).txt", "notes.txt"])
    }

    @Test("it is looked at right before the file gets its name, and what came of it is gone then")
    func changedLate() async throws {
        let scene = try FileScene()
        try scene.write("notes.txt", "first")
        for theirs in ["their", nil] as [String?] {
            let now = try scene.read("notes.txt")
            let begun = try await scene.call(
                "file.requestUpload",
                [
                    "fileName": "notes.txt", "fileSize": 4, "metadata": ["targetDir": "~"],
                    "basedOn": ["size": .integer(Int64(now.count)), "checksum": .string(FileScene.checksum(now))],
                ]
            )
            #expect(begun["guarded"] == true)
            let id = begun["transferId"] ?? .null
            _ = try await scene.call(
                "file.uploadChunk",
                ["transferId": id, "chunkIndex": 0, "chunkData": .string(Data("mine".utf8).base64EncodedString())]
            )
            if let theirs {
                try scene.write("notes.txt", theirs)
            } else {
                try FileManager.default.removeItem(atPath: scene.home + "/notes.txt")
            }
            let failure = await scene.failure("file.completeUpload", ["transferId": id])
            #expect(failure?.code == FailureCode.sourceChanged)
            #expect(try names(scene) == (theirs == nil ? [] : ["notes.txt"]))
            #expect(try await scene.call("file.listTransfers", [:])["transfers"] == [])
        }
    }

    @Test("a size and a date guard as well, where nobody has the content any more")
    func byDate() async throws {
        let scene = try FileScene()
        try scene.write("log", "first")
        let read = try await scene.call("file.readFile", ["path": "log"])
        let modified = try #require(read["modified"]?.integerValue)
        func begin(_ modified: Int64) async throws -> JSONValue {
            try await scene.call(
                "file.requestUpload",
                [
                    "fileName": "log", "fileSize": 4, "metadata": ["targetDir": "~"],
                    "basedOn": ["size": 5, "modified": .integer(modified)],
                ]
            )
        }
        await #expect(throws: RemoteFailure.self) { try await begin(modified - 1) }
        #expect(try await begin(modified)["guarded"] == true)
    }

    @Test("what is no text, is too large, is a link, may not be written or is gone is said, and stays")
    func refused() async throws {
        let scene = try FileScene()
        let client = client(scene)
        try scene.write("binary", [0x61, 0, 0x62])
        try scene.write("latin", [0x4D, 0xFC, 0x6C, 0x6C])
        try scene.write("large", [UInt8](repeating: 0x61, count: 1 << 20 + 1))
        try scene.write("full", [UInt8](repeating: 0x61, count: 1 << 20))
        await #expect(throws: EditError.notText("binary")) { try await client.text("binary") }
        await #expect(throws: EditError.notText("latin")) { try await client.text("latin") }
        await #expect(throws: EditError.tooLarge("large")) { try await client.text("large") }
        let full = try await client.text("full")
        _ = try await client.save(Data(full.content.reversed().dropLast()), over: full)
        #expect(try scene.read("full").count == (1 << 20) - 1)

        try scene.write("target", "there")
        try scene.link("link", to: "target")
        let link = try await client.text("link")
        let failure = await #expect(throws: RemoteFailure.self) { try await client.save(Data("x".utf8), over: link) }
        #expect(failure?.message.contains("a link") == true, "\(String(describing: failure))")
        #expect(try scene.read("target") == Array("there".utf8))

        try scene.write("kept", "kept")
        let kept = try await client.text("kept")
        chmod(scene.home + "/kept", 0o444)
        let denied = await #expect(throws: RemoteFailure.self) { try await client.save(Data("x".utf8), over: kept) }
        #expect(denied?.code == FailureCode.notAllowed)
        chmod(scene.home + "/kept", 0o644)
        try FileManager.default.removeItem(atPath: scene.home + "/kept")
        await #expect(throws: EditError.changed(kept.path, theirs: nil)) {
            try await client.save(Data("x".utf8), over: kept)
        }
    }

    @Test("a computer that does not look replaces nothing, and one that does not tell a file's date is not asked to")
    func older() async throws {
        let scene = try FileScene()
        try scene.write("notes.txt", "first")
        let older = ScriptedPeer { call in
            var params = call.params.objectValue ?? [:]
            params["basedOn"] = nil
            var answer = try await scene.call(call.method, .object(params)).objectValue ?? [:]
            answer["guarded"] = nil
            if call.method == "file.readFile" { answer["modified"] = call.number == 1 ? nil : answer["modified"] }
            return .object(answer)
        }
        let client = FilesClient(older)
        await #expect(throws: EditError.unguarded("notes.txt")) { try await client.text("notes.txt") }
        let text = try await client.text("notes.txt")
        await #expect(throws: (any Error).self) { try await client.save(Data("mine".utf8), over: text) }
        #expect(try scene.read("notes.txt") == Array("first".utf8))
        #expect(try names(scene) == ["notes.txt"])
    }

    @Test("a phone that may only write learns nothing by a comparison")
    func onlyWriting() async throws {
        let scene = try FileScene()
        try scene.write("notes.txt", "first")
        var caller = scene.caller
        caller.rights = [.fileWrite]
        let failure = await scene.failure(
            "file.requestUpload",
            [
                "fileName": "notes.txt", "fileSize": 4, "metadata": ["targetDir": "~"],
                "basedOn": ["size": 5, "checksum": .string(FileScene.checksum(Array("first".utf8)))],
            ],
            from: caller
        )
        #expect(failure?.code == FailureCode.notAllowed)
    }

    @Test(
        "a copy's name stands before the ending",
        arguments: [
            ("/a/b.txt", "/a/b (2).txt"), ("b", "b (2)"), ("/a.d/b", "/a.d/b (2)"), ("/a/.profile", "/a/.profile (2)"),
            ("a.tar.gz", "a.tar (2).gz"),
        ]
    )
    func copyNames(path: String, copy: String) { #expect(FilesClient.copyName(path, 2) == copy) }
}
