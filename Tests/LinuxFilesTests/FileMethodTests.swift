import Foundation
import Glibc
import Kernel
import Testing

@testable import Commands
@testable import Files
@testable import Transfers

@Suite("Files", .timeLimit(.minutes(5)))
struct FileMethodTests {
    @Test("a folder is listed folders first and by name, under the documented and the observed member names")
    func list() async throws {
        let scene = try FileScene()
        try FileManager.default.createDirectory(atPath: scene.home + "/Zoo", withIntermediateDirectories: true)
        try scene.write("b.txt", "12345")
        try scene.write("A.txt", "1")
        try scene.write(".hidden", "")
        chmod(scene.home + "/A.txt", 0o444)
        var times = [timespec(tv_sec: 1_700_000_000, tv_nsec: 5_000_000), timespec(tv_sec: 1_700_000_001, tv_nsec: 0)]
        utimensat(AT_FDCWD, scene.home + "/b.txt", &times, 0)
        let recorded = #"{"path":".","showHidden":false,"recursive":false,"maxDepth":1}"#
        let answer = try await scene.call("file.listDirectory", try JSONValue(parsing: recorded.utf8))
        #expect(answer["success"] == true)
        #expect(answer["path"]?.stringValue == scene.home)
        #expect(answer["total"] == 3)
        let entries = try #require(answer["entries"]?.arrayValue)
        #expect(entries.map { $0["name"]?.stringValue } == ["Zoo", "A.txt", "b.txt"])
        let last = entries[2]
        #expect(last["path"]?.stringValue == scene.home + "/b.txt")
        #expect(last["type"] == "file")
        #expect(last["isDirectory"] == false)
        #expect(last["size"] == 5)
        #expect(last["modifiedTime"] == 1_700_000_001_000)
        #expect(last["modified"] == 1_700_000_001_000)
        #expect(last["accessedTime"] == 1_700_000_000_005)
        #expect(last["createdTime"]?.integerValue != nil)
        #expect(last["isHidden"] == false)
        #expect(last["isReadOnly"] == false)
        #expect(entries[1]["isReadOnly"] == true)
        let hidden = try await scene.call("file.list", ["path": "~", "showHidden": true])
        #expect(hidden["entries"]?.arrayValue?.map { $0["name"]?.stringValue } == ["Zoo", ".hidden", "A.txt", "b.txt"])
    }

    @Test("ten thousand entries come whole and in order: in one compact answer, and in pages below a message's bound")
    func large() async throws {
        let scene = try FileScene()
        for index in 0..<10_000 { close(creat(scene.home + "/file-\(index)", 0o600)) }
        let compact = try await scene.call("file.listDirectory", ["path": "", "compact": true])
        #expect(compact["total"] == 10_000)
        #expect(compact["nextOffset"] == nil)
        let names = (0..<10_000).map { "file-\($0)" }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(try FolderListing(wire: compact).entries.map { FileNameText.text($0.name) } == names)
        var found: [String] = []
        var offset: Int64? = 0
        while let start = offset {
            let answer = try await scene.call("file.listDirectory", ["path": "", "offset": .integer(start)])
            #expect(answer.canonicalBytes.count < 690_000)
            found += (answer["entries"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
            offset = answer["nextOffset"]?.integerValue
        }
        #expect(found == names)
        let page = try await scene.call("file.listDirectory", ["path": "", "offset": 10, "limit": 2])
        #expect(page["entries"]?.arrayValue?.compactMap { $0["name"]?.stringValue } == Array(names[10..<12]))
        #expect(page["nextOffset"] == 12)
    }

    @Test("names of any bytes are listed, read, renamed and deleted by the text that stands for them")
    func names() async throws {
        let scene = try FileScene()
        let names: [[UInt8]] = [
            [0xFF, 0xFE], [0x61, 0x80, 0x62], Array("日本".utf8), [0xC3, 0x28], Array("a\\b".utf8), Array("x\ny".utf8),
            Array("\u{EFFF}".utf8), Array("quote\"".utf8), [0xED, 0xA0, 0x80],
        ]
        for name in names {
            let path = (Array((scene.home + "/").utf8) + name + [0]).map { CChar(bitPattern: $0) }
            close(creat(path, 0o600))
        }
        let entries = try #require(try await scene.call("file.listDirectory", ["path": "~"])["entries"]?.arrayValue)
        #expect(Set(entries.compactMap { $0["name"]?.stringValue }.map(FileNameText.bytes)) == Set(names))
        for entry in entries {
            let text = try #require(entry["name"]?.stringValue)
            let path = try #require(entry["path"]?.stringValue)
            let bytes = entry["nameBytes"]?.stringValue.flatMap { Data(base64Encoded: $0) }.map(Array.init)
            #expect(bytes == (FileNameText.isEscaped(text) ? FileNameText.bytes(text) : nil))
            #expect(try await scene.call("file.readFile", ["path": .string(path)])["content"] == "")
            _ = try await scene.call("file.rename", ["path": .string(path), "newName": .string("new " + text)])
            _ = try await scene.call(
                "file.delete",
                ["path": .string(scene.home + "/new " + text), "force": true]
            )
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.home) == [])
    }

    @Test("a file is read in ranges, as text or base64, and the answer stays below a message's bound")
    func read() async throws {
        let scene = try FileScene()
        try scene.write("a.txt", "grüße")
        let recorded = #"{"path":"~/a.txt","encoding":"utf-8","offset":0,"length":1048576}"#
        let answer = try await scene.call("file.readFile", try JSONValue(parsing: recorded.utf8))
        #expect(answer["content"] == "grüße")
        #expect(answer["encoding"] == "utf-8")
        #expect(answer["size"] == 7)
        #expect(answer["isLast"] == true)
        let cut = try await scene.call("file.readFile", ["path": "a.txt", "length": 3])
        #expect(cut["content"] == "gr")
        #expect(cut["nextOffset"] == 2)
        let base64 = try await scene.call(
            "file.read",
            ["path": "a.txt", "offset": 2, "length": 2, "encoding": "base64"]
        )
        #expect(base64["content"]?.stringValue == Data("ü".utf8).base64EncodedString())
        try scene.write("raw", [0xFF, 0x00])
        let raw = try await scene.call("file.readFile", ["path": "raw"])
        #expect(raw["encoding"] == "base64")
        #expect(raw["content"]?.stringValue == Data([0xFF, 0x00]).base64EncodedString())
        try scene.write("quotes", String(repeating: "\"", count: 1 << 20))
        var whole = 0
        var offset: Int64? = 0
        while let start = offset {
            let part = try await scene.call("file.readFile", ["path": "quotes", "offset": .integer(start)])
            let form = CommandResponse(id: "1", outcome: .success(part)).envelope(form: .text)
            #expect(form.canonicalBytes.count < CommandRequest.byteLimit)
            whole += part["content"]?.stringValue?.utf8.count ?? 0
            offset = part["nextOffset"]?.integerValue
        }
        #expect(whole == 1 << 20)
        #expect(await scene.failure("file.readFile", ["path": "a.txt", "encoding": "latin1"])?.code == -32602)
        #expect(await scene.failure("file.readFile", ["path": "none"])?.code == FailureCode.notFound)
        #expect(await scene.failure("file.readFile", [:])?.code == -32602)
    }

    @Test("info and exists tell what is there, and that nothing is")
    func information() async throws {
        let scene = try FileScene()
        try scene.write("a", "12")
        let information = try await scene.call("file.getFileInfo", ["path": "a"])
        #expect(information["exists"] == true)
        #expect(information["file"]?["size"] == 2)
        #expect(
            try await scene.call("file.getFileInfo", ["path": "b"]) == [
                "success": true, "exists": false, "file": .null,
            ]
        )
        #expect(try await scene.call("file.exists", ["path": "b"]) == ["success": true, "exists": false])
        #expect(try await scene.call("file.exists", ["path": "~"])["isDirectory"] == true)
    }

    @Test("both path styles work, and a real backslash in a name stays reachable")
    func styles() async throws {
        let scene = try FileScene()
        try FileManager.default.createDirectory(atPath: scene.home + "/a", withIntermediateDirectories: true)
        try scene.write("a/b", "folder")
        try scene.write("a\\b", "backslash")
        #expect(try await scene.call("file.readFile", ["path": "a\\b"])["content"] == "folder")
        #expect(try await scene.call("file.readFile", ["path": "~\\a\\b"])["content"] == "folder")
        #expect(try await scene.call("file.readFile", ["path": "./a\\b"])["content"] == "backslash")
        #expect(
            try await scene.call("file.readFile", ["path": .string(scene.home + "/a\\b")])["content"] == "backslash"
        )
    }

    @Test("search finds by a part of the name or a pattern, in the tree below, up to its bound")
    func search() async throws {
        let scene = try FileScene()
        try FileManager.default.createDirectory(atPath: scene.home + "/x/y/z", withIntermediateDirectories: true)
        try scene.write("x/y/z/Report.PDF", "")
        try scene.write("x/report.txt", "")
        try scene.link("x/loop", to: "..")
        let found = try await scene.call("file.search", ["path": "~", "query": "report"])
        #expect(
            Set(found["results"]?.arrayValue?.compactMap { $0["path"]?.stringValue } ?? [])
                == [scene.home + "/x/y/z/Report.PDF", scene.home + "/x/report.txt"]
        )
        #expect(found["truncated"] == false)
        #expect(try await scene.call("file.search", ["path": "~", "pattern": "*.p?f"])["total"] == 1)
        let one = try await scene.call("file.search", ["path": "~", "pattern": "*", "maxResults": 1])
        #expect(one["total"] == 1)
        #expect(one["truncated"] == true)
        #expect(await scene.failure("file.search", ["path": "~"])?.code == -32602)
    }

    @Test("folders are made, names changed without replacing anything, unless that was said")
    func change() async throws {
        let scene = try FileScene()
        #expect(try await scene.call("file.createDirectory", ["path": "p/q/r"])["created"] == true)
        #expect(try await scene.call("file.createDirectory", ["path": "p/q/r"])["created"] == false)
        try scene.write("one", "1")
        try scene.write("two", "2")
        let failure = await scene.failure("file.rename", ["path": "one", "newPath": "two"])
        #expect(failure?.code == FailureCode.exists)
        #expect(try scene.read("two") == Array("2".utf8))
        _ = try await scene.call("file.move", ["source": "one", "destination": "p/q/one"])
        _ = try await scene.call("file.rename", ["oldPath": "p/q/one", "newPath": "two", "overwrite": true])
        #expect(try scene.read("two") == Array("1".utf8))
        for name in ["..", ".", "a/b", ""] {
            #expect(await scene.failure("file.rename", ["path": "two", "newName": .string(name)]) != nil)
        }
    }

    @Test(
        "what is deleted lies in the trash with a note of where it was; force is for good; a full folder needs recursive"
    )
    func delete() async throws {
        let scene = try FileScene()
        try FileManager.default.createDirectory(atPath: scene.home + "/full", withIntermediateDirectories: true)
        try scene.write("full/a ü", "kept")
        try scene.write("a", "first")
        #expect(try await scene.call("file.delete", ["path": "a"])["trashed"] == true)
        try scene.write("a", "second")
        _ = try await scene.call("file.delete", ["path": "a"])
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: scene.trash + "/files")) == ["a", "a.2"])
        #expect(try String(contentsOfFile: scene.trash + "/files/a.2", encoding: .utf8) == "second")
        let refused = await scene.failure("file.delete", ["path": "full"])
        #expect(refused?.message.contains("with something in it") == true)
        _ = try await scene.call("file.delete", ["path": "full/a ü"])
        let note = try String(contentsOfFile: scene.trash + "/info/a ü.trashinfo", encoding: .utf8)
        #expect(note.hasPrefix("[Trash Info]\nPath=\(scene.home)/full/a%20%C3%BC\nDeletionDate="))
        try scene.write("full/b", "")
        #expect(await scene.failure("file.delete", ["path": "full", "force": true]) != nil)
        _ = try await scene.call("file.delete", ["path": "full", "force": true, "recursive": true])
        #expect(!scene.isThere(scene.home + "/full"))
        #expect(await scene.failure("file.delete", ["path": "full"])?.code == FailureCode.notFound)
    }
}
