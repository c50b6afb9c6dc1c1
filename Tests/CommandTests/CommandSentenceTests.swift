import ArgumentParser
import Control
import Foundation
import Kernel
import Testing

@testable import TandemCommands

@Suite("What commands say when the system refuses", .timeLimit(.minutes(4)))
struct CommandSentenceTests {
    @Test("clipboard set names the file that is not there")
    func clipboardInput() async throws {
        let file = "nope-\(UUID().uuidString)"
        let command = try Clipboard.Set.parse(["-i", file])
        let error = await #expect(throws: CommandError.self) { try await command.run() }
        #expect(error?.description == "\(file) could not be read: no such file or directory.")
    }

    @Test("screen names the place that it cannot write to")
    func screenOutput() async throws {
        try await PreparedRole.run({ _ in ["imageBase64": "aGk=", "format": "png"] }) { state, role in
            let file = state + "/no/x"
            let command = try Screen.Shot.parse(["-o", file, "--state", state])
            let error = await #expect(throws: CommandError.self) { try await command.run() }
            #expect(error?.description == "\(file) could not be written: no such file or directory.")
            #expect(role.requests.first?.params["method"] == "display.screenshot")
        }
    }

    @Test("errors of the system become words, without domains and codes")
    func reasons() {
        #expect(Reason.of(CocoaError(.fileReadNoSuchFile)) == "there is no such file or folder")
        #expect(Reason.of(CocoaError(.fileWriteNoPermission)) == "it is not yours to use")
        #expect(Reason.of(CocoaError(.fileWriteOutOfSpace)) == "the disk is full")
        #expect(Reason.of(CocoaError(.fileWriteVolumeReadOnly)) == "the disk is read-only")
        #expect(Reason.of(CocoaError(.fileReadTooLarge)) == "the system refused it")
        #expect(Reason.of(POSIXError(.EACCES)) == "permission denied")
    }

    /// Where `tandem files mv` with these arguments moves to, and what it asked the computer before.
    private func move(_ path: String, _ target: String, whereIsFolder isFolder: Bool) async throws -> (
        newPath: String?, asked: [JSONValue]
    ) {
        try await PreparedRole.run({ _ in ["exists": true, "isDirectory": .bool(isFolder)] }) { state, role in
            #expect(await TestConsole().run("files", "mv", path, target, "--state", state) == 0)
            let asked = role.requests.compactMap { $0.params["params"] }
            #expect(role.requests.last?.params["method"] == "file.rename")
            return (newPath: asked.last?["newPath"]?.stringValue, asked: asked.dropLast().compactMap { $0["path"] })
        }
    }

    @Test("mv into a folder keeps the name; a slash at the end says that it is one")
    func moveIntoFolder() async throws {
        let slash = try await move("docs/a.txt", "dir/", whereIsFolder: false)
        #expect(slash.newPath == "dir/a.txt")
        #expect(slash.asked == [])
        let folder = try await move("docs/a/", "dir", whereIsFolder: true)
        #expect(folder.newPath == "dir/a")
        #expect(folder.asked == ["dir"])
    }

    @Test("mv to anything else is a new name")
    func moveToName() async throws {
        #expect(try await move("docs/a.txt", "docs/b.txt", whereIsFolder: false).newPath == "docs/b.txt")
        #expect(try await move("docs", "docs", whereIsFolder: true).newPath == "docs")
    }
}
