import FilesHost
import Foundation
import LinuxFiles
import Testing
import Transfers

@Suite("What the computer says about files", .timeLimit(.minutes(4)))
struct FileSentenceTests {
    /// A shared folder with the folder `a`, in which is a file, and the file `b`.
    private func withShare(_ body: (LinuxFileAccess) throws -> Void) throws {
        let base = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: base) }
        let home = base.path + "/home"
        try FileManager.default.createDirectory(atPath: home + "/a", withIntermediateDirectories: true)
        for name in ["a/inside", "b"] { try Data().write(to: URL(fileURLWithPath: home + "/" + name)) }
        try body(try LinuxFileAccess(home: home, trash: base.path + "/trash", sharesHidden: true))
    }

    @Test("a folder is not moved into itself")
    func intoItself() throws {
        try withShare { access in
            let target = try access.roots.location(of: "a/deeper")
            let error = #expect(throws: FileError.self) {
                try access.move(try access.roots.location(of: "a"), to: target, replacing: false)
            }
            #expect(
                error?.description == access.roots.text(of: target)
                    + " is inside the folder that is to be moved there. Choose a place outside of it."
            )
        }
    }

    @Test("the shared folder itself is not removed, also not with -r", arguments: ["", "~", "."])
    func shared(path: String) throws {
        try withShare { access in
            let error = #expect(throws: FileError.self) {
                try access.remove(try access.roots.location(of: path), recursively: true)
            }
            #expect(
                error?.description
                    == "That is a shared folder itself, which is not moved or removed from here. Name something in it."
            )
            let inside = try access.roots.location(of: "a/inside")
            #expect(try access.status(of: inside, followingLink: false).kind == .file)
        }
    }

    @Test("a folder with something in it asks for -r")
    func recursively() throws {
        try withShare { access in
            let folder = try access.roots.location(of: "a")
            let error = #expect(throws: FileError.self) { try access.remove(folder, recursively: false) }
            #expect(
                error?.description == access.roots.text(of: folder)
                    + " is a folder with something in it. Say that its content may go too (-r)."
            )
            try access.remove(folder, recursively: true)
        }
    }

    @Test("a name that is taken asks for --replace")
    func replace() throws {
        try withShare { access in
            let (file, taken) = (try access.roots.location(of: "b"), try access.roots.location(of: "a/inside"))
            let error = #expect(throws: FileError.self) { try access.move(file, to: taken, replacing: false) }
            #expect(
                error?.description == access.roots.text(of: taken)
                    + " is there already. Choose another name, or say that it may be replaced (--replace)."
            )
            try access.move(file, to: taken, replacing: true)
        }
    }
}
