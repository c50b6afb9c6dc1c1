import Commands
import Foundation
import Glibc
import Kernel
import Testing

@Suite("What a path may not reach", .timeLimit(.minutes(5)))
struct FileBoundaryTests {
    /// Every method that takes a path, with the path put in.
    static let calls: [(method: String, params: @Sendable (String) -> JSONValue)] = [
        ("file.listDirectory", { ["path": .string($0)] }),
        ("file.list", { ["path": .string($0)] }),
        ("file.readFile", { ["path": .string($0)] }),
        ("file.read", { ["path": .string($0), "encoding": "base64"] }),
        ("file.search", { ["path": .string($0), "pattern": "s"] }),
        ("file.createDirectory", { ["path": .string(below($0, "new"))] }),
        ("file.rename", { ["path": .string(below($0, "secret.txt")), "newName": "taken"] }),
        ("file.move", { ["path": "mine.txt", "newPath": .string(below($0, "stolen"))] }),
        ("file.delete", { ["path": .string(below($0, "secret.txt"))] }),
        ("file.delete", { ["path": .string(below($0, "secret.txt")), "force": true, "recursive": true] }),
        (
            "file.requestUpload",
            { ["fileName": "new", "fileSize": 1, "metadata": ["targetDir": .string($0)]] }
        ),
        ("file.requestDownload", { ["filePath": .string(below($0, "secret.txt"))] }),
        ("file.getFileInfo", { ["path": .string(below($0, "secret.txt"))] }),
        ("file.exists", { ["path": .string(below($0, "secret.txt"))] }),
    ]

    /// In the style of the path: beside a slash a backslash would be part of a name.
    private static func below(_ path: String, _ name: String) -> String {
        path + (path.contains("\\") ? "\\" : "/") + name
    }

    @Test("no method reaches a place outside, by .., by an absolute path, by a link, by \\ or through /proc")
    func outside() async throws {
        let scene = try FileScene()
        try scene.write("mine.txt", "mine")
        try scene.link("way-out", to: scene.outside)
        try scene.link("far-out", to: "../outside")
        try FileManager.default.createDirectory(atPath: scene.home + "/a/b", withIntermediateDirectories: true)
        let ways = [
            "../outside", "a/../../outside", scene.outside, scene.home + "/../outside", "way-out", "~/way-out",
            "far-out", "..\\outside", "a\\..\\..\\outside", "/proc/self/root" + scene.outside,
            "/proc/self/cwd", "/etc", "/", "a/b/../../../outside/.",
        ]
        for way in ways {
            for call in Self.calls {
                let failure = await scene.failure(call.method, call.params(way))
                #expect(failure?.code == FailureCode.notAllowed, "\(call.method) \(way)")
                #expect(failure?.message.contains("is outside the shared folders") == true, "\(call.method) \(way)")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.outside) == ["secret.txt"])
        #expect(scene.isThere(scene.home + "/mine.txt"))
    }

    @Test(
        "magic links of /proc lead nowhere, even when the whole computer is shared, and its files are refused by kind"
    )
    func kernelFiles() async throws {
        let scene = try FileScene(folders: ["/"])
        let cases: [(method: String, params: JSONValue)] = [
            ("file.listDirectory", ["path": "/proc"]), ("file.readFile", ["path": "/proc/self/status"]),
            ("file.readFile", ["path": "/sys/kernel/uevent_seqnum"]),
            ("file.requestDownload", ["filePath": "/proc/self/environ"]), ("file.getFileInfo", ["path": "/proc/1"]),
            ("file.exists", ["path": "/proc/1"]), ("file.createDirectory", ["path": "/proc/new"]),
            ("file.search", ["path": "/proc", "pattern": "s"]),
            ("file.requestUpload", ["fileName": "x", "fileSize": 1, "metadata": ["targetDir": "/proc/self"]]),
        ]
        for call in cases {
            let failure = await scene.failure(call.method, call.params)
            #expect(failure?.message.contains("a file of the kernel") == true, "\(call.method) \(call.params)")
        }
        for path in ["/proc/self/exe", "/proc/self/fd/0", "/proc/self/root/etc/passwd"] {
            #expect(await scene.failure("file.readFile", ["path": .string(path)]) != nil, "\(path)")
        }
    }

    @Test("FIFOs, sockets and devices are refused by name of kind, at once, and can still be seen and removed")
    func kinds() async throws {
        let scene = try FileScene(folders: ["/"])
        #expect(mkfifo(scene.home + "/pipe", 0o600) == 0)
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array((scene.home + "/sock").utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        let kinds = [
            (scene.home + "/pipe", "a FIFO", "fifo"), (scene.home + "/sock", "a socket", "socket"),
            ("/dev/zero", "a device", "character-device"),
        ]
        for (path, words, kind) in kinds {
            for method in ["file.readFile", "file.listDirectory", "file.requestDownload", "file.search"] {
                let failure = await scene.failure(
                    method,
                    ["path": .string(path), "filePath": .string(path), "pattern": "x"]
                )
                #expect(
                    failure?.message == "\(path) is \(words), and only files and folders can be used here.",
                    "\(method)"
                )
            }
            let information = try await scene.call("file.getFileInfo", ["path": .string(path)])
            #expect(information["file"]?["kind"] == .string(kind))
            #expect(information["file"]?["type"] == "file")
        }
        #expect(
            try await scene.call("file.delete", ["path": .string(scene.home + "/pipe"), "force": true])["success"]
                == true
        )
        #expect(!scene.isThere(scene.home + "/pipe"))
    }

    @Test("links inside are followed; one that leads out is still seen, renamed and deleted as a link")
    func links() async throws {
        let scene = try FileScene()
        try FileManager.default.createDirectory(atPath: scene.home + "/real", withIntermediateDirectories: true)
        try scene.write("real/a.txt", "inside")
        try scene.link("soft", to: "real")
        try scene.link("out", to: scene.outside)
        #expect(try await scene.call("file.readFile", ["path": "soft/a.txt"])["content"] == "inside")
        let entries = try await scene.call("file.listDirectory", ["path": "~"])["entries"]?.arrayValue ?? []
        #expect(entries.map { $0["name"]?.stringValue } == ["real", "out", "soft"])
        #expect(entries.map { $0["type"]?.stringValue } == ["directory", "symlink", "symlink"])
        #expect(entries.map { $0["isDirectory"]?.boolValue } == [true, false, true])
        _ = try await scene.call("file.rename", ["path": "out", "newName": "away"])
        _ = try await scene.call("file.delete", ["path": "away", "force": true, "recursive": true])
        #expect(!scene.isThere(scene.home + "/away"))
        #expect(scene.isThere(scene.outside + "/secret.txt"))
    }

    @Test("while a folder and a link out of it change places all the time, no read ever gets what is outside")
    func race() async throws {
        let scene = try FileScene()
        try FileManager.default.createDirectory(atPath: scene.home + "/dir", withIntermediateDirectories: true)
        try scene.write("dir/secret.txt", "public")
        try scene.link("link", to: scene.outside)
        let swapping = Task.detached {
            while !Task.isCancelled {
                for (from, to) in [("dir", "spare"), ("link", "dir"), ("dir", "link"), ("spare", "dir")] {
                    rename(scene.home + "/" + from, scene.home + "/" + to)
                }
                await Task.yield()
            }
        }
        var right = 0
        for _ in 0..<2000 {
            guard let answer = try? await scene.call("file.readFile", ["path": "dir/secret.txt"]) else { continue }
            #expect(answer["content"] == "public")
            right += 1
        }
        swapping.cancel()
        await swapping.value
        #expect(right > 0)
    }

    @Test("the shared folder itself can be neither removed nor renamed")
    func root() async throws {
        let scene = try FileScene()
        for path in ["~", "", ".", scene.home, scene.home + "/.", "./"] {
            #expect(
                await scene.failure("file.delete", ["path": .string(path), "force": true, "recursive": true]) != nil
            )
            #expect(await scene.failure("file.rename", ["path": .string(path), "newName": "x"]) != nil)
        }
        #expect(scene.isThere(scene.home))
    }
}
