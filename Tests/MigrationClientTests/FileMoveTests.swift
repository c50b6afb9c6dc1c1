import Control
import Foundation
import HomeTesting
import Journal
import Kernel
import MigrationClient
import MigrationContainer
import MigrationRestore
import Pairing
import Sections
import TandemPhone
import Testing

@Suite("A phone moves by a file", .timeLimit(.minutes(4)))
struct FileMoveTests {
    private static let password = "correct horse battery"

    private static func export(_ old: MovingPhone, to file: URL, journalOnly: Bool = false) async throws {
        let asked = MigrationControl.Export(path: file.path, password: password, journalOnly: journalOnly)
        _ = try await old.control.call(MigrationControl.export, asked)
        _ = try await old.reaches { $0.step == .done }
    }

    private static func restore(_ new: MovingPhone, _ file: URL, password: String = password) async throws
        -> MigrationFlowState
    {
        _ = try await new.control.call(MigrationControl.restore, .init(path: file.path, password: password))
        return try await new.reaches { $0.step == .ready }
    }

    @Test("a file that cannot be made is refused before the phone rests for it")
    func noPlace() async throws {
        try await MoveFolders.with { folder, oldState, _ in
            try await Home.run(computers: [], phones: []) { home in
                try await MovingPhone.run("Old phone", in: oldState, of: home) { old in
                    let path = folder.appending(path: "none/move.enc").path
                    await #expect(throws: MigrationClientError.cannotWrite(path: path)) {
                        _ = try await old.control.call(
                            MigrationControl.export,
                            .init(path: path, password: Self.password)
                        )
                    }
                    let standing = try await old.phone.role.standing.value
                    #expect(standing == .active)
                }
            }
        }
    }

    @Test(
        "the journal, its media and a paired computer are on the new phone after its next start, and come back by undoing"
    )
    func wholeMove() async throws {
        try await MoveFolders.with { folder, oldState, newState in
            let (file, photo) = (folder.appending(path: "move.enc"), folder.appending(path: "photo.jpg"))
            let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try bytes.write(to: photo)
            try await Home.run(phones: []) { home in
                let computer = try #require(home.computers.first)
                try await MovingPhone.run("Old phone", in: oldState, of: home) { old in
                    let paired = try await home.pair(old.phone, with: computer)
                    try await old.phone.connected(to: paired)
                    let story = try await old.write("Rigi")
                    let medium = try await old.control.call(JournalControl.attach, .init(story.id, path: photo.path))
                    try await Self.export(old, to: file)
                    let standing = try await old.phone.role.standing.value
                    #expect(standing.rests)
                    await home.untilAway(old.phone)
                    let newDID = try await MovingPhone.run("New phone", in: newState, of: home) { new in
                        _ = try await new.write("My own")
                        await #expect(throws: ContainerError.wrongPassword) {
                            _ = try await Self.restore(new, file, password: "wrong horse battery")
                        }
                        let ready = try await Self.restore(new, file)
                        #expect(ready.report?.counts["stories"] == 1 && ready.report?.mediaFiles == 1)
                        #expect(ready.report?.lostCount == 0)
                        #expect(try await new.stories() == ["My own"], "nothing changes before the next start")
                        _ = try await new.control.call(MigrationControl.agree, .init())
                        return new.phone.did
                    }
                    try await MovingPhone.run("New phone", in: newState, of: home) { new in
                        #expect(new.phone.did == old.phone.did && new.phone.did != newDID)
                        let titles = try await new.stories()
                        #expect(titles == ["Rigi"])
                        let copy = folder.appending(path: "copy.jpg")
                        _ = try await new.control.call(JournalControl.save, .init(medium.id, path: copy.path))
                        #expect(try Data(contentsOf: copy) == bytes)
                        let computers = try await new.phone.role.pairedDesktops()
                        #expect(computers.map(\.pcPeerID) == [paired.pcPeerID])
                        try await new.phone.connected(to: paired)
                        let state = try await new.control.call(MigrationControl.state)
                        #expect(state.lastStart?.change == "restore" && state.lastStart?.failure == nil)
                        #expect(state.undo?.changes == 0)
                        _ = try await new.write("Since then")
                        _ = try await new.write("And this")
                        #expect(try await new.control.call(MigrationControl.state).undo?.changes == 2)
                        let back = try await new.control.call(MigrationControl.rollback)
                        #expect(back.step == .ready && back.undo?.changes == 2)
                    }
                    try await MovingPhone.run("New phone", in: newState, of: home) { new in
                        #expect(new.phone.did == newDID)
                        let titles = try await new.stories()
                        #expect(titles == ["My own"])
                        #expect(try await new.phone.role.pairedDesktops().isEmpty)
                        #expect(try await new.control.call(MigrationControl.state).lastStart?.change == "undo")
                    }
                }
            }
        }
    }

    @Test("a start without the person's word replaces nothing, and cancelling throws away what waits")
    func withoutAgreement() async throws {
        try await MoveFolders.with { folder, oldState, newState in
            let file = folder.appending(path: "move.enc")
            try await Home.run(computers: [], phones: []) { home in
                try await MovingPhone.run("Old phone", in: oldState, of: home) { old in
                    _ = try await old.write("Rigi")
                    try await Self.export(old, to: file)
                }
                for isAgreed in [false, true] {
                    try await MovingPhone.run("New phone", in: newState, of: home) { new in
                        _ = try await Self.restore(new, file)
                        guard isAgreed else { return }
                        _ = try await new.control.call(MigrationControl.agree, .init())
                        let end = try await new.control.call(MigrationControl.cancel)
                        #expect(end.step == .idle)
                        await #expect(throws: MigrationClientError.nothingReady) {
                            _ = try await new.control.call(MigrationControl.agree, .init())
                        }
                    }
                    try await MovingPhone.run("New phone", in: newState, of: home) { new in
                        let titles = try await new.stories()
                        #expect(titles.isEmpty)
                        #expect(try await new.control.call(MigrationControl.state).undo == nil)
                    }
                }
            }
        }
    }

    @Test("the journal alone is taken from a phone that goes on, and is all that changes on the other")
    func journalOnly() async throws {
        try await MoveFolders.with { folder, oldState, newState in
            let file = folder.appending(path: "journal.enc")
            try await Home.run(computers: [], phones: []) { home in
                try await MovingPhone.run("Old phone", in: oldState, of: home) { old in
                    _ = try await old.write("Rigi")
                    try await Self.export(old, to: file, journalOnly: true)
                    let standing = try await old.phone.role.standing.value
                    #expect(standing == .active)
                    await #expect(throws: MigrationClientError.fileExists(path: file.path)) {
                        try await Self.export(old, to: file, journalOnly: true)
                    }
                }
                let did = try await MovingPhone.run("New phone", in: newState, of: home) { new in
                    _ = try await Self.restore(new, file)
                    _ = try await new.control.call(MigrationControl.agree, .init())
                    return new.phone.did
                }
                try await MovingPhone.run("New phone", in: newState, of: home) { new in
                    #expect(new.phone.did == did)
                    let titles = try await new.stories()
                    #expect(titles == ["Rigi"])
                }
            }
        }
    }

    @Test("a medium that a disk damaged since it was saved is packed as it is, and the file can be restored")
    func damagedMedium() async throws {
        try await MoveFolders.with { folder, oldState, newState in
            let (file, video) = (folder.appending(path: "journal.enc"), folder.appending(path: "a.mp4"))
            try Data(repeating: 7, count: 300_000).write(to: video)
            try await Home.run(computers: [], phones: []) { home in
                try await MovingPhone.run("Old phone", in: oldState, of: home) { old in
                    let story = try await old.write("Rigi")
                    _ = try await old.control.call(JournalControl.attach, .init(story.id, path: video.path))
                    let names = try FileManager.default.subpathsOfDirectory(atPath: oldState.url.path)
                    let name = try #require(names.first { $0.hasSuffix(".mp4") })
                    let handle = try FileHandle(forUpdating: oldState.url.appending(path: name))
                    try handle.seek(toOffset: 100_000)
                    try handle.write(contentsOf: Data([1, 2, 3]))
                    try handle.close()
                    try await Self.export(old, to: file, journalOnly: true)
                }
                try await MovingPhone.run("New phone", in: newState, of: home) { new in
                    let ready = try await Self.restore(new, file)
                    #expect(ready.report?.mediaFiles == 1)
                }
            }
        }
    }

    @Test("a phone that rests still says how much going back would hide")
    func changesAtRest() async throws {
        try await MoveFolders.with { folder, oldState, newState in
            let (file, next) = (folder.appending(path: "journal.enc"), folder.appending(path: "next.enc"))
            try await Home.run(computers: [], phones: []) { home in
                try await MovingPhone.run("Old phone", in: oldState, of: home) { old in
                    _ = try await old.write("Rigi")
                    try await Self.export(old, to: file, journalOnly: true)
                }
                try await MovingPhone.run("New phone", in: newState, of: home) { new in
                    _ = try await Self.restore(new, file)
                    _ = try await new.control.call(MigrationControl.agree, .init())
                }
                try await MovingPhone.run("New phone", in: newState, of: home) { new in
                    _ = try await new.write("Since then")
                    try await Self.export(new, to: next)
                    let standing = try await new.phone.role.standing.value
                    #expect(standing.rests)
                    #expect(try await new.control.call(MigrationControl.state).undo?.changes == 1)
                }
            }
        }
    }

    @Test("a file that is cut or damaged is refused, and nothing waits for the next start")
    func damaged() async throws {
        try await MoveFolders.with { folder, oldState, newState in
            let (file, broken) = (folder.appending(path: "move.enc"), folder.appending(path: "broken.enc"))
            try await Home.run(computers: [], phones: []) { home in
                try await MovingPhone.run("Old phone", in: oldState, of: home) { old in
                    try await Self.export(old, to: file)
                }
                let whole = try Data(contentsOf: file)
                try await MovingPhone.run("New phone", in: newState, of: home) { new in
                    var flipped = whole
                    flipped[flipped.count / 2] ^= 1
                    for bytes in [whole.dropLast(1), flipped, whole.prefix(200)] {
                        try Data(bytes).write(to: broken)
                        await #expect(throws: ContainerError.self) { _ = try await Self.restore(new, broken) }
                        #expect(try await new.control.call(MigrationControl.state).step == .failed)
                    }
                    await #expect(throws: MigrationClientError.nothingReady) {
                        _ = try await new.control.call(MigrationControl.agree, .init())
                    }
                }
            }
        }
    }
}
