import Foundation
import Testing

@testable import Kernel

@Suite("State folder", .timeLimit(.minutes(4)))
struct StateFolderTests {
    private func temporary() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
    }

    private func mode(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test("the folder and its keys are their owner's only")
    func permissions() throws {
        let url = temporary()
        defer { try? FileManager.default.removeItem(at: url) }
        let folder = try StateFolder(url)
        try folder.writeKey("identity", [1, 2, 3])
        #expect(try mode(folder.url) == 0o700)
        #expect(try mode(folder.keysURL) == 0o700)
        #expect(try mode(folder.keysURL.appending(path: "identity")) == 0o600)
        #expect(try folder.readKey("identity") == [1, 2, 3])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.keysURL.path) == ["identity"])
    }

    @Test("what others could read of a folder that was there, they cannot any more")
    func tightened() throws {
        let url = temporary()
        let files = FileManager.default
        defer { try? files.removeItem(at: url) }
        let keys = url.appending(path: "keys")
        try files.createDirectory(at: keys, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let readable = [
            url.appending(path: "tandem.sqlite"), url.appending(path: "tandem.sqlite-wal"),
            keys.appending(path: "identity"),
        ]
        for file in readable {
            #expect(files.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o644]))
        }
        let elsewhere = temporary()
        defer { try? files.removeItem(at: elsewhere) }
        #expect(files.createFile(atPath: elsewhere.path, contents: nil, attributes: [.posixPermissions: 0o644]))
        try files.createSymbolicLink(at: url.appending(path: "config.json"), withDestinationURL: elsewhere)
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
        _ = try StateFolder(url)
        #expect(try mode(url) == 0o700)
        #expect(try mode(keys) == 0o700)
        #expect(try readable.map(mode) == [0o600, 0o600, 0o600])
        #expect(try mode(elsewhere) == 0o644)
    }

    @Test("a folder of other things that others use is refused and stays as it is")
    func foreign() throws {
        let url = temporary()
        let files = FileManager.default
        defer { try? files.removeItem(at: url) }
        try files.createDirectory(at: url, withIntermediateDirectories: true)
        #expect(files.createFile(atPath: url.appending(path: "holiday.jpg").path, contents: nil))
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
        #expect(throws: StateFolderError.notOurs(path: url.path)) { try StateFolder(url) }
        #expect(try mode(url) == 0o755)
        #expect(try files.contentsOfDirectory(atPath: url.path) == ["holiday.jpg"])
    }

    @Test("HOME is heeded, and none that is no path", arguments: [("/home/b", "/home/b"), ("", nil), ("b", nil)])
    func home(value: String, path: String?) {
        #expect(HomeFolder.path(environment: ["HOME": value]) == path)
        #expect(HomeFolder.expanding("~/x", environment: ["HOME": value]) == (path.map { $0 + "/x" } ?? "~/x"))
        #expect(HomeFolder.expanding("~other/x", environment: ["HOME": value]) == "~other/x")
        #expect(HomeFolder.path(environment: [:])?.hasPrefix("/") == true)
    }

    @Test("looking at a folder makes nothing")
    func located() {
        let url = temporary()
        let folder = StateFolder(at: url)
        #expect(folder.url.path == url.path)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("the device id is made once")
    func deviceID() throws {
        let url = temporary()
        defer { try? FileManager.default.removeItem(at: url) }
        let id = try StateFolder(url).deviceID()
        #expect(try StateFolder(url).deviceID() == id)
        #expect(UUID(uuidString: id) != nil)
    }

    @Test("a device id may be made from elsewhere, of 32 hexadecimal digits, and is kept like any other")
    func givenDeviceID() throws {
        let url = temporary()
        defer { try? FileManager.default.removeItem(at: url) }
        let digits = "00112233445566778899aabbccddeeff"
        #expect(try StateFolder(url).deviceID { digits } == digits)
        #expect(try StateFolder(url).deviceID() == digits)
    }

    @Test("a damaged device id is an error that names the file, not a new device")
    func damagedDeviceID() throws {
        let url = temporary()
        defer { try? FileManager.default.removeItem(at: url) }
        let folder = try StateFolder(url)
        try folder.writeKey("device-id", Array("half a uu".utf8))
        #expect(throws: StateFolderError.damagedKey(path: folder.keysURL.appending(path: "device-id").path)) {
            try folder.deviceID()
        }
    }

    @Test("a folder has one owner at a time")
    func lock() throws {
        let url = temporary()
        defer { try? FileManager.default.removeItem(at: url) }
        let folder = try StateFolder(url)
        do {
            let lock = try FolderLock(folder)
            #expect(throws: StateFolderError.inUse(path: folder.url.path)) { try FolderLock(folder) }
            withExtendedLifetime(lock) {}
        }
        _ = try FolderLock(folder)
    }

    @Test("a path that cannot be a folder is an error with its name")
    func notAFolder() {
        #expect(throws: StateFolderError.self) { try StateFolder(URL(fileURLWithPath: "/dev/null/state")) }
    }

    @Test("the default place follows XDG_STATE_HOME")
    func defaultPlace() {
        #expect(StateFolder.defaultURL(role: "hub", environment: ["XDG_STATE_HOME": "/s"]).path == "/s/tandem/hub")
        #expect(
            StateFolder.defaultURL(role: "phone", environment: ["HOME": "/home/a", "XDG_STATE_HOME": "relative"]).path
                == "/home/a/.local/state/tandem/phone"
        )
    }
}
