import Capabilities
import Control
import Foundation
import Generations
import HomeTesting
import Journal
import Kernel
import MigrationClient
import Sections
import TandemPhone
import Testing

@Suite("What a start of the program puts into place", .timeLimit(.minutes(4)))
struct StartTests {
    private static let password = "correct horse battery"

    /// Exports a phone with a story, and restores it on another that agrees, whose program has ended then.
    private static func restored(_ folder: URL, _ old: StateFolder, _ new: StateFolder, of home: Home) async throws
        -> String
    {
        let file = folder.appending(path: "move.enc")
        let did = try await MovingPhone.run("Old phone", in: old, of: home) { old in
            _ = try await old.write("Rigi")
            _ = try await old.control.call(MigrationControl.export, .init(path: file.path, password: password))
            _ = try await old.reaches { $0.step == .done }
            return old.phone.did
        }
        try await MovingPhone.run("New phone", in: new, of: home) { new in
            _ = try await new.write("My own")
            _ = try await new.control.call(MigrationControl.restore, .init(path: file.path, password: password))
            _ = try await new.reaches { $0.step == .ready }
            _ = try await new.control.call(MigrationControl.agree, .init())
        }
        return "\(did)"
    }

    @Test(
        "a start that ended between the pointer and the last rename is gone on with by the next, before anything is opened"
    )
    func endedBehindTheCommit() async throws {
        try await MoveFolders.with { folder, oldState, newState in
            try await Home.run(computers: [], phones: []) { home in
                let did = try await Self.restored(folder, oldState, newState, of: home)
                do {
                    let files = try SystemFileSystem(newState.url)
                    let store = try GenerationStore(files: files, keys: FileKeyStore(files))
                    let (staged, current) = (try #require(store.staged), try #require(try store.current()))
                    let swap = StateSwap(
                        state: newState.url,
                        incoming: store.url(of: staged.generation.folder).appending(path: "State"),
                        outgoing: store.url(of: current.folder).appending(path: "State")
                    )
                    try swap.prepare()
                    _ = try store.commit()
                }
                try await MovingPhone.run("New phone", in: newState, of: home) { new in
                    let titles = try await new.stories()
                    #expect(titles == ["Rigi"] && "\(new.phone.did)" == did)
                    let start = try await new.control.call(MigrationControl.state).lastStart
                    #expect(start?.change == "restore" && start?.failure == nil)
                }
            }
        }
    }

    @Test("a word about another generation changes nothing, and status and doctor say so")
    func otherGeneration() async throws {
        try await MoveFolders.with { folder, oldState, newState in
            try await Home.run(computers: [], phones: []) { home in
                _ = try await Self.restored(folder, oldState, newState, of: home)
                let intent = newState.url.appending(path: "features/migrate/intent.json")
                try Data(#"{"change":"restore","generation":"gen-0000000000000000"}"#.utf8).write(to: intent)
                try await MovingPhone.run("New phone", in: newState, of: home) { new in
                    let titles = try await new.stories()
                    #expect(titles == ["My own"])
                    let failure = try await new.control.call(MigrationControl.state).lastStart?.failure
                    #expect(failure == MigrationClientError.nothingReady.description)
                    let checks = try await new.phone.role.feature(MigrationFeature.self)?.checks()
                    #expect(checks?.map(\.works) == [false])
                }
                #expect(!FileManager.default.fileExists(atPath: intent.path))
            }
        }
    }

    /// Restores the file of a phone with one story on a new one with two of its own, for which the person has not agreed yet.
    private static func offered(
        _ folder: URL,
        _ old: StateFolder,
        _ new: StateFolder,
        of home: Home,
        startingAgain startAgain: StartAgain,
        _ body: @Sendable (MovingPhone, MigrationFlowState) async throws -> Void
    ) async throws {
        let file = folder.appending(path: "move.enc")
        try await MovingPhone.run("Old phone", in: old, of: home) { old in
            _ = try await old.write("Rigi")
            _ = try await old.control.call(MigrationControl.export, .init(path: file.path, password: password))
            let end = try await old.reaches { $0.step == .done }
            #expect(!end.canStartAgain, "a phone in a test is started by the test")
            await #expect(throws: MigrationClientError.cannotStartAgain) {
                try await old.control.call(MigrationControl.restart)
            }
        }
        try await MovingPhone.run("New phone", in: new, of: home, startingAgain: startAgain) { new in
            for title in ["My own", "Mine, too"] { _ = try await new.write(title) }
            await #expect(throws: MigrationClientError.nothingToStart) {
                try await new.control.call(MigrationControl.restart)
            }
            _ = try await new.control.call(MigrationControl.restore, .init(path: file.path, password: password))
            try await body(new, try await new.reaches { $0.step == .ready })
        }
    }

    @Test(
        "a program that can start itself again is asked to once its person agreed, and that start puts the data into place"
    )
    func startsItself() async throws {
        try await MoveFolders.with { folder, oldState, newState in
            try await Home.run(computers: [], phones: []) { home in
                let asked = LatestValue(0)
                let startAgain = StartAgain(after: .milliseconds(1)) { asked.update { $0 += 1 } }
                try await Self.offered(folder, oldState, newState, of: home, startingAgain: startAgain) {
                    new,
                    offered in
                    #expect(offered.canStartAgain && !offered.isAgreed && asked.value == 0)
                    #expect(offered.own?.counts["stories"] == 2 && offered.own?.computers == 0)
                    let agreed = try await new.control.call(MigrationControl.agree, .init())
                    #expect(agreed.isAgreed && agreed.canStartAgain)
                    for await count in asked.values() where count > 0 { break }
                    // A person who does not want to wait changes nothing about it.
                    _ = try await new.control.call(MigrationControl.restart)
                    #expect(asked.value == 1)
                }
                try await MovingPhone.run("New phone", in: newState, of: home, startingAgain: startAgain) { new in
                    let titles = try await new.stories()
                    #expect(titles == ["Rigi"])
                    _ = try await new.control.call(MigrationControl.rollback)
                    for await count in asked.values() where count > 1 { break }
                }
                try await MovingPhone.run("New phone", in: newState, of: home) { new in
                    let titles = try await new.stories()
                    #expect(titles.count == 2)
                }
            }
        }
    }

    @Test("a person who takes their word back keeps the program from starting again")
    func takenBack() async throws {
        try await MoveFolders.with { folder, oldState, newState in
            try await Home.run(computers: [], phones: []) { home in
                let asked = LatestValue(0)
                let startAgain = StartAgain(after: .seconds(3600)) { asked.update { $0 += 1 } }
                try await Self.offered(folder, oldState, newState, of: home, startingAgain: startAgain) { new, _ in
                    _ = try await new.control.call(MigrationControl.agree, .init())
                    let state = try await new.control.call(MigrationControl.cancel)
                    #expect(state.step == .idle && state.canStartAgain && !state.isAgreed)
                    await #expect(throws: MigrationClientError.nothingToStart) {
                        try await new.control.call(MigrationControl.restart)
                    }
                }
                #expect(asked.value == 0)
                try await MovingPhone.run("New phone", in: newState, of: home) { new in
                    let titles = try await new.stories()
                    #expect(titles.count == 2)
                }
            }
        }
    }

    @Test("a folder that another program has is left alone")
    func inUse() async throws {
        try await MoveFolders.with { folder, oldState, newState in
            try await Home.run(computers: [], phones: []) { home in
                _ = try await Self.restored(folder, oldState, newState, of: home)
                try await MovingPhone.run("Old phone", in: oldState, of: home) { _ in
                    let refusal = #expect(throws: StateFolderError.self) { try MigrationStart.settle(oldState) }
                    guard case .inUse? = refusal else {
                        Issue.record("\(String(describing: refusal))")
                        return
                    }
                }
            }
        }
    }
}
