import Clipboard
import ClipboardHost
import CommandServer
import Commands
import Control
import FeatureTesting
import Files
import FilesHost
import Foundation
import HomeTesting
import Kernel
import LinuxFiles
import Pairing
import Pictures
import Rights
import Screen
import ScreenHost
import SystemInfo
import SystemInfoHost
import TandemDesktop
import TandemPhone
import Terminal
import TerminalHost
import Testing

/// Each feature of the program, end to end: its client on a phone, its skill on a computer, and everything between them.
@Suite("Features in a home", .timeLimit(.minutes(4)))
struct WalkTests {
    @Test("the computer says how it is, to every phone that is paired")
    func system() async throws {
        try await Home.run(.init(host: [SystemSkill.maker(information: InMemorySystem())])) { home in
            let system = SystemClient(try await home.phone.peer(home.pair()))
            #expect(try await system.ping().version == "1")
            #expect(try await system.memory().total > 0)
            let refused = await #expect(throws: RemoteFailure.self) { try await system.logs() }
            #expect(refused?.code == FailureCode.notAllowed)
            try await home.allow([.systemLogs])
            _ = try await system.logs()
        }
    }

    @Test("what is copied at one end is read at the other, and told to a phone that watches")
    func clipboard() async throws {
        let board = InMemoryClipboard([])
        let pictures = InMemoryPictures()
        let maker = ClipboardSkill.maker(clipboard: board, pictures: pictures)
        try await Home.run(.init(host: [maker])) { home in
            let computer = try await home.pair(allowing: [.clipboard])
            let clipboard = ClipboardClient(try await home.phone.peer(computer))
            #expect(try await clipboard.text() == nil)
            try await clipboard.set(.text("Grüße"))
            #expect(try await clipboard.text() == "Grüße")
            try await home.deny([.clipboard])
            let refused = await #expect(throws: RemoteFailure.self) { try await clipboard.text() }
            #expect(refused?.code == FailureCode.notAllowed)
        }
    }

    @Test("the screen is pictured, and the owner sees that a phone takes pictures")
    func screen() async throws {
        let pictures = InMemoryPictures()
        let screen = InMemoryScreen(pictures.picture(width: 40, height: 20))
        try await Home.run(.init(host: [ScreenSkill.maker(screen: screen, pictures: pictures)])) { home in
            let computer = try await home.pair(allowing: [.display])
            let client = ScreenClient(try await home.phone.peer(computer))
            #expect(try await client.displays().count == 2)
            #expect(try await client.screenshot().dimensions.width == 40)
            let list = try await home.desktop.control.handle(.init(id: 1, method: "activity.list"))
            #expect(list["activities"]?.arrayValue?.map { $0["kind"] } == ["screen"])
        }
    }

    @Test("a file goes up and comes down, and a folder is listed")
    func files() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "hw-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }
        let (home, mine) = (root.appending(path: "home"), root.appending(path: "mine"))
        for folder in [home, mine] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try Data("Dear diary\n".utf8).write(to: mine.appending(path: "diary.txt"))
        let access = try LinuxFileAccess(home: home.path, trash: root.appending(path: "trash").path)
        try await Home.run(.init(host: [.files(access)])) { place in
            let computer = try await place.pair(allowing: [.fileRead, .fileWrite])
            let transfers = try await place.phone.part(FileTransferClient.self, of: computer)
            _ = try await transfers.upload(mine.appending(path: "diary.txt").path, to: "~")
            let files = FilesClient(try await place.phone.peer(computer))
            #expect(try await files.existence("~/diary.txt").exists)
            _ = try await transfers.download("~/diary.txt", to: mine.path, as: "again.txt")
            let again = try Data(contentsOf: mine.appending(path: "again.txt"))
            #expect(again == Data("Dear diary\n".utf8))
        }
    }

    @Test("a shell is typed into, and ends with its right")
    func terminal() async throws {
        let terminals = FakeTerminals()
        try await Home.run(.init(host: [TerminalSkill.maker(factory: terminals)])) { home in
            let computer = try await home.pair(allowing: [.terminal])
            let client = TerminalsClient(try await home.phone.peer(computer))
            let made = try await client.create(TerminalRequest())
            #expect(try await client.list().map(\.id) == [made.sessionID])
            try await home.deny([.terminal])
            #expect(try await home.desktop.control.handle(.init(id: 1, method: "activity.list"))["activities"] == [])
        }
    }

    @Test("a phone that is forgotten is told, and finds its way to nothing")
    func forgotten() async throws {
        try await Home.run(.init(host: [SystemSkill.maker(information: nil)])) { home in
            let computer = try await home.pair()
            try await home.connected(computer)
            let states = try await home.phone.paths(to: computer)
            try await home.desktop.forget(home.record().did)
            for await _ in states {}
            #expect(try await home.phone.pairedDesktops().isEmpty)
        }
    }
}
