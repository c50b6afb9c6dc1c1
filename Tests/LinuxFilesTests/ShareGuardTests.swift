import CLinux
import Foundation
import Glibc
import Kernel
import Synchronization
import Testing

@testable import FilesHost
@testable import LinuxFiles
@testable import Transfers

@Suite("What a share leaves out", .timeLimit(.minutes(4)))
struct ShareGuardTests {
    /// A home with documents, secrets, programs and Tandem's state folder, as a person has it.
    private final class Home: Sendable {
        let base: URL
        let path: String
        let state: String

        init() throws {
            base = URL(fileURLWithPath: "/tmp/tandem-share-\(UUID().uuidString)")
            path = base.path + "/home"
            state = path + "/.local/state/tandem/desktop"
            for folder in [
                "Documents", "bin", ".ssh", ".config/autostart", ".mozilla/firefox", ".local/state/tandem/desktop/keys",
                ".local/share", "plain/inner",
            ] {
                try FileManager.default.createDirectory(
                    atPath: path + "/" + folder,
                    withIntermediateDirectories: true
                )
            }
            for (name, text) in [
                ("Documents/letter.txt", "Dear Bo"), (".bashrc", "# mine"), (".ssh/id_ed25519", "private"),
                (".mozilla/firefox/logins.json", "passwords"), (".config/notes.conf", "plain"),
                (".local/state/tandem/desktop/keys/identity", "key"),
                (".local/state/tandem/desktop/tandem.sqlite", "rights"), ("bin/tool", "#!/bin/sh"),
            ] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
            }
        }

        deinit {
            // What a test leaves behind is only a temporary folder.
            try? FileManager.default.removeItem(at: base)
        }

        func access(_ folders: [String] = [], sharesHidden: Bool = false, knowsState: Bool = true) throws
            -> LinuxFileAccess
        {
            try LinuxFileAccess(
                folders: folders.map { path + $0 },
                home: path,
                trash: base.path + "/trash",
                sharesHidden: sharesHidden,
                stateFolders: knowsState ? [state] : [],
                programFolders: [path + "/bin"]
            )
        }

        func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }
    }

    private func names(_ access: LinuxFileAccess, _ path: String) throws -> Set<String> {
        let folder = try access.openFolder(access.roots.location(of: path))
        return Set(try folder.names(limit: 1000).map { FileNameText.text($0.bytes) })
    }

    /// What each way of reaching a place is answered.
    private func refusals(_ access: LinuxFileAccess, _ path: String) throws -> [FileError?] {
        let location = try access.roots.location(of: path)
        let elsewhere = try access.roots.location(of: "~/Documents/taken")
        func refusal(_ body: () throws(FileError) -> Void) -> FileError? {
            do {
                try body()
                return nil
            } catch {
                return error
            }
        }
        return [
            refusal { () throws(FileError) in _ = try access.status(of: location, followingLink: true) },
            refusal { () throws(FileError) in _ = try access.openFolder(location) },
            refusal { () throws(FileError) in _ = try access.openFile(location) },
            refusal { () throws(FileError) in try access.move(location, to: elsewhere, replacing: true) },
            refusal { () throws(FileError) in try access.trash(location) },
            refusal { () throws(FileError) in try access.remove(location, recursively: true) },
            refusal { () throws(FileError) in try access.checkTarget(location) },
            refusal { () throws(FileError) in
                _ = try access.makeFolder(location.appending(Array("x".utf8)), withParents: false, permissions: nil)
            },
            refusal { () throws(FileError) in
                _ = try access.makePart(Array("part".utf8), in: location, size: 1, holes: ByteRanges())
            },
        ]
    }

    @Test("a home is shared without what begins with a dot: not listed, not read, not changed, there or not")
    func dots() throws {
        let home = try Home()
        let access = try home.access()
        #expect(try names(access, "~") == ["Documents", "bin", "plain"])
        for path in [
            "~/.ssh", "~/.ssh/id_ed25519", "~/.bashrc", "~/.config", "~/.new", "Documents/../.ssh",
            "plain/inner/../../.ssh",
        ] {
            for refusal in try refusals(access, path) {
                guard case .outside? = refusal else {
                    Issue.record("\(path): \(String(describing: refusal))")
                    continue
                }
            }
        }
        #expect(home.isThere(".ssh/id_ed25519"))
        #expect(home.isThere(".bashrc"))
    }

    @Test("a link inside the home leads to nothing that its name would not")
    func links() throws {
        let home = try Home()
        try FileManager.default.createSymbolicLink(atPath: home.path + "/Documents/way", withDestinationPath: "../.ssh")
        try FileManager.default.createSymbolicLink(
            atPath: home.path + "/Documents/key",
            withDestinationPath: "../.local/state/tandem/desktop/keys/identity"
        )
        for sharesHidden in [false, true] {
            let access = try home.access(sharesHidden: sharesHidden)
            for path in ["Documents/way/id_ed25519", "Documents/key"] {
                #expect(throws: FileError.self) { try access.openFile(access.roots.location(of: path)) }
            }
            #expect(throws: FileError.self) { try access.openFolder(access.roots.location(of: "Documents/way")) }
        }
    }

    @Test(
        "a state folder is never part of a share: by its own path, by what is above it, and where only what is in it says so",
        arguments: [true, false]
    )
    func stateFolders(knowsState: Bool) throws {
        let home = try Home()
        let access = try home.access(sharesHidden: true, knowsState: knowsState)
        for path in ["~/.local/state/tandem/desktop", "~/.local/state/tandem/desktop/keys"] {
            for refusal in try refusals(access, path) { #expect(refusal != nil, "\(path)") }
        }
        for path in ["~/.local/state/tandem/desktop/keys/identity", "~/.local/state/tandem/desktop/tandem.sqlite"] {
            for refusal in try refusals(access, path) { #expect(refusal != nil, "\(path)") }
        }
        #expect(home.isThere(".local/state/tandem/desktop/keys/identity"))
        for share in ["/.local/state/tandem/desktop", "/.local/state/tandem/desktop/keys"] {
            #expect(throws: FileError.stateFolder(home.path + share)) {
                try home.access([share], knowsState: knowsState)
            }
        }
    }

    @Test("what lies above a state folder is not moved, put into the trash or removed")
    func aboveState() throws {
        let home = try Home()
        let access = try home.access(["/.local"], sharesHidden: true)
        let state = try access.roots.location(of: home.path + "/.local/state")
        let away = try access.roots.location(of: home.path + "/.local/away")
        #expect(throws: FileError.self) { try access.move(state, to: away, replacing: false) }
        #expect(throws: FileError.self) { try access.trash(state) }
        #expect(throws: FileError.self) { try access.remove(state, recursively: true) }
        #expect(home.isThere(".local/state/tandem/desktop/tandem.sqlite"))
        #expect(try names(access, home.path + "/.local/state/tandem") == [])
    }

    @Test("with what begins with a dot shared, secrets stay out and what starts programs is only read")
    func hidden() throws {
        let home = try Home()
        let access = try home.access(sharesHidden: true)
        #expect(try names(access, "~").isSuperset(of: [".bashrc", ".config", "Documents"]))
        #expect(try names(access, "~").isDisjoint(with: [".ssh", ".mozilla"]))
        for path in ["~/.ssh/id_ed25519", "~/.mozilla/firefox/logins.json"] {
            for refusal in try refusals(access, path) { #expect(refusal != nil, "\(path)") }
        }
        #expect(try access.openFile(access.roots.location(of: "~/.config/notes.conf")).read(at: 0, count: 5).count == 5)
        #expect(try access.openFile(access.roots.location(of: "~/.bashrc")).read(at: 0, count: 6).count == 6)
        for path in ["~/.bashrc", "~/.profile", "~/.config/autostart/evil.desktop", "~/bin/tool", "~/bin/new"] {
            let location = try access.roots.location(of: path)
            #expect(throws: FileError.self, "\(path)") { try access.checkTarget(location) }
            let source = try access.roots.location(of: "Documents/letter.txt")
            #expect(throws: FileError.self, "\(path)") { try access.move(source, to: location, replacing: true) }
        }
    }

    @Test("a folder on the way to a start file is not moved away, and none is moved into its place")
    func waypoints() throws {
        let home = try Home()
        let access = try home.access(sharesHidden: true)
        func location(_ path: String) throws -> FileLocation { try access.roots.location(of: path) }
        #expect(throws: FileError.self) {
            try access.move(location("~/.config"), to: location("~/c"), replacing: false)
        }
        #expect(throws: FileError.self) {
            try access.move(location("~/plain"), to: location("~/.cargo"), replacing: false)
        }
        #expect(throws: FileError.self) { try access.remove(location("~/.config"), recursively: true) }
        #expect(home.isThere(".config/autostart"))
        try access.move(location("~/plain"), to: location("~/Documents/plain"), replacing: false)
    }

    @Test("what is shared by name is shared, though it begins with a dot or holds secrets")
    func named() throws {
        let home = try Home()
        let access = try home.access(["/.ssh", "/bin"])
        #expect(try names(access, home.path + "/.ssh") == ["id_ed25519"])
        let key = try access.roots.location(of: home.path + "/.ssh/id_ed25519")
        #expect(try access.openFile(key).read(at: 0, count: 7) == Array("private".utf8))
        try access.checkTarget(access.roots.location(of: home.path + "/bin/new"))
    }

    @Test("the trash follows no link that came after the program started")
    func trash() throws {
        let home = try Home()
        let trash = home.base.path + "/trash"
        let access = try home.access()
        let outside = home.base.path + "/outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: trash, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: trash + "/files", withDestinationPath: outside)
        let letter = try access.roots.location(of: "Documents/letter.txt")
        #expect(throws: FileError.self) { try access.trash(letter) }
        #expect(home.isThere("Documents/letter.txt"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == [])
        try FileManager.default.removeItem(atPath: trash + "/files")
        try access.trash(letter)
        #expect(try FileManager.default.contentsOfDirectory(atPath: trash + "/files") == ["letter.txt"])
    }

    @Test("a search keeps one folder open for each level, however many lie side by side")
    func searchDescriptors() throws {
        let home = try Home()
        for index in 0..<300 {
            try FileManager.default.createDirectory(
                atPath: home.path + "/plain/f\(index)/g",
                withIntermediateDirectories: true
            )
        }
        let access = try home.access()
        let counting = CountingFolder(try access.openFolder(access.roots.location(of: "~")), open: OpenCount())
        let search = FolderSearch(pattern: NamePattern("g"), showsHidden: false, depth: 10, limit: 1000)
        let found = try search.run(in: counting, path: home.path)
        #expect(found.isWhole)
        #expect(found.entries.count == 300)
        #expect(counting.open.most <= 4)
    }

    @Test("while the places of secrets cannot be looked up, nothing is shared; afterwards all is as before")
    func unknownPlaces() throws {
        let home = try Home()
        let failure = Mutex<Int32>(0)
        let access = try LinuxFileAccess(
            folders: [home.path],
            home: home.path,
            trash: home.base.path + "/trash",
            sharesHidden: true,
            stateFolders: [home.state],
            programFolders: [],
            lookup: PlaceLookup { folder, path in
                let errno = failure.withLock(\.self)
                return errno == 0 ? path.withCString { tandem_look(folder, $0, 0) } : -errno
            }
        )
        let letter = try access.roots.location(of: home.path + "/Documents/letter.txt")
        let copy = try access.roots.location(of: home.path + "/Documents/copy.txt")
        let key = try access.roots.location(of: home.path + "/.ssh/id_ed25519")
        for errno in [EMFILE, ENFILE, ENOMEM, EIO] {
            failure.withLock { $0 = errno }
            #expect(throws: FileError.self) { try access.move(letter, to: copy, replacing: false) }
            #expect(throws: FileError.self) { try access.move(key, to: copy, replacing: false) }
        }
        #expect(home.isThere("Documents/letter.txt") && home.isThere(".ssh/id_ed25519"))
        failure.withLock { $0 = 0 }
        #expect(throws: FileError.outside(home.path + "/.ssh")) {
            try access.move(key, to: copy, replacing: false)
        }
        try access.move(letter, to: copy, replacing: false)
        #expect(home.isThere("Documents/copy.txt"))
    }
}
