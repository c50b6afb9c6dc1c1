import Foundation
import Kernel
import Testing

@testable import Generations

@Suite("Generations on this machine's disk", .timeLimit(.minutes(4)))
struct SystemFileSystemTests {
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "gen-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }  // a test's leftovers harm nobody
        try body(root)
    }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test("a first generation, a restored one and the way back, each found again by the next start")
    func wholeLife() throws {
        try withFolder { root in
            let scene = StoreScene()
            func open() throws -> GenerationStore {
                let files = try SystemFileSystem(root)
                return try GenerationStore(files: files, keys: FileKeyStore(files), time: scene.clock)
            }
            let store = try open()
            try scene.makeOldData(store)
            let old = try scene.visible(store)
            try scene.stageNewData(store)
            let commit = try store.commit()
            #expect(commit.cleanupFailure == nil)
            let next = try open()
            #expect(try scene.visible(next) == VisibleData(files: StoreScene.new, key: StoreScene.key.bytes))
            #expect(try next.facts(of: commit.current)?.restoredFrom == "00ff")
            #expect(try mode(next.url(of: commit.current.database)) == 0o600)
            #expect(try mode(next.url(of: commit.current.folder)) == 0o700)
            #expect(try mode(root.appending(path: "keys/MyStory.MasterKey.\(commit.current.id)")) == 0o600)
            _ = try next.rollback()
            #expect(try scene.visible(open()) == old)
        }
    }

    @Test("a link in the way is not followed")
    func links() throws {
        try withFolder { root in
            let files = try SystemFileSystem(root)
            try Data("secret".utf8).write(to: root.appending(path: "target"))
            try FileManager.default.createSymbolicLink(
                at: root.appending(path: "link"),
                withDestinationURL: root.appending(path: "target")
            )
            #expect(try files.status(of: "link")?.kind == .other)
            #expect(throws: GenerationsError.self) { try files.open("link", .read) }
            try files.removeTree("link")
            #expect(try files.status(of: "target")?.kind == .file)
        }
    }

    @Test("what the system says of a disk is told by its own error")
    func errors() throws {
        try withFolder { root in
            let files = try SystemFileSystem(root)
            #expect(throws: GenerationsError.notFound(path: "none")) { try files.open("none", .read) }
            try files.makeFolder("folder")
            #expect(throws: GenerationsError.exists(path: "folder")) { try files.makeFolder("folder") }
            _ = try files.open("folder/file", .create)
            #expect(throws: GenerationsError.exists(path: "folder/file")) { try files.open("folder/file", .create) }
            #expect(throws: GenerationsError.notEmpty(path: "folder")) { try files.removeFolder("folder") }
            let room = try files.room()
            #expect(room.free > 0 && room.free <= room.total)
        }
    }

    @Test(
        "hostile paths never lead out of the root",
        arguments: [
            "", "/etc/passwd", "..", "a/../b", "./a", "a//b", "a/", "a\\b", "a\0b", String(repeating: "x", count: 256),
            String(repeating: "x/", count: 600) + "x",
        ]
    )
    func hostilePaths(text: String) {
        #expect(throws: GenerationsError.badPath(String(text.prefix(200)))) { try StorePath(text) }
    }

    @Test("CRC-32C of the standard's text")
    func checksum() {
        #expect(CRC32C.checksum("123456789".utf8) == 0xE306_9283)
    }
}
