import Foundation
import Testing

@testable import Kernel

@Suite("State folder")
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
