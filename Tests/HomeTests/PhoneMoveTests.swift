import Capabilities
import CommandClient
import Commands
import Control
import Foundation
import GRDB
import HomeTesting
import Kernel
import Pairing
import Sections
import Storage
import Testing

@testable import TandemPhone

@Suite("A phone's data moves to another phone", .timeLimit(.minutes(4)))
struct PhoneMoveTests {
    private static let handover = Handover(transferID: "t1", newPhone: "New phone", begunAt: 0)

    private static func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-move-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // what is left is in a temporary folder
        try await body(folder)
    }

    /// Moves every section of a phone that rests into the state below `folder`, as a package would.
    private static func move(_ old: Phone, below folder: URL) throws -> StateFolder {
        let catalogue = try old.sections
        let incoming = folder.appending(path: "gen-b")
        let staged = try StagedState(incoming, catalogue: catalogue)
        for snapshot in try SectionExport(catalogue).freeze(old.sectionSource) {
            let receiver = try staged.begin(snapshot.header)
            try snapshot.readRows { try receiver.take(rows: $0) }
            for file in snapshot.files {
                let handle = try FileHandle(forWritingTo: receiver.place(forFile: file.path, size: file.size))
                try snapshot.readFile(file) { try handle.write(contentsOf: Data($0)) }
                try handle.close()
            }
            try receiver.finish()
        }
        _ = try staged.seal(keeping: nil)
        let state = try StateFolder(folder.appending(path: "phone"))
        let swap = StateSwap(state: state.url, incoming: incoming, outgoing: folder.appending(path: "gen-a"))
        #expect(try swap.perform())
        #expect(try !swap.perform())
        return state
    }

    @Test("a computer that knew the old phone answers the new one, and the old one rests and says why")
    func computerKnowsNewPhone() async throws {
        try await Self.withFolder { folder in
            try await Home.run { home in
                try await home.pairOwners()
                let old = try #require(home.phones.first)
                let role = try await old.role
                let known = await role.pairedDesktops()
                try await role.standing.change { try $0.beginning(Self.handover) }
                await home.untilAway(old)
                let state = try Self.move(role, below: folder)
                let now = Date().millisecondsSince1970
                try await role.standing.change { try $0.retiring("t1", at: now) }

                try await home.withPhone(PhonePlan("New phone"), in: state) { new in
                    #expect(new.did == old.did)
                    let computers = try await new.role.pairedDesktops()
                    #expect(computers.map(\.pcPeerID) == known.map(\.pcPeerID))
                    let computer = try #require(computers.first)
                    try await new.connected(to: computer)
                    let peer = try await new.role.peer(computer)
                    let list = try await peer.call(MethodDeclaration.registryList.name, [:], timeout: .seconds(30))
                    #expect(list["skills"]?.arrayValue?.isEmpty == false)
                }

                let refusal = await #expect(throws: PhoneStandingError.self) { try await role.peer(named: nil) }
                #expect(refusal?.description.contains("This phone is retired") == true)
                #expect(role.standingChecks.map(\.works) == [false])
                let kept = await role.pairedDesktops().map(\.pcPeerID)
                #expect(kept == known.map(\.pcPeerID), "nothing of the old phone was deleted")

                // Taken back within its time, it says that its program has to begin again.
                for await hasRested in role.hasRested.values() where hasRested { break }
                let answer = try await role.control.call(.phoneKeep)
                #expect(answer.state == "kept" && answer.isResting && answer.newPhone == "New phone")
                await #expect(throws: PhoneStandingError.startAgain) { try await role.peer(named: nil) }
                #expect(role.standingChecks.map(\.works) == [false])
            }
        }
    }

    @Test(
        "of a phone that rests, the features end and refuse, but for the one that moves the data, which goes on and answers"
    )
    func restingFeatures() async throws {
        let (usual, moving) = (LatestValue(RestingFeature.Life.made), LatestValue(RestingFeature.Life.made))
        let plan = PhonePlan(
            features: [
                RestingFeature.maker("usual", worksAtRest: false, life: usual),
                RestingFeature.maker("moving", worksAtRest: true, life: moving),
            ]
        )
        try await Home.run(phones: [plan]) { home in
            let role = try await home.phone(named: plan.name).role
            for life in [usual, moving] { for await state in life.values() where state == .runs { break } }
            #expect(try await role.control.call(RestingFeature.ask("usual")) == .runs)
            try await role.standing.change { try $0.beginning(Self.handover) }
            for await hasRested in role.hasRested.values() where hasRested { break }
            #expect(usual.value == .closed)
            let refusal = PhoneStandingError.handingOver(newPhone: "New phone")
            await #expect(throws: refusal) { try await role.control.call(RestingFeature.ask("usual")) }
            #expect(try await role.control.call(RestingFeature.ask("moving")) == .runs)
        }
        #expect(moving.value == .closed)
    }

    @Test("a phone that starts retired looks for no computer")
    func startsRetired() async throws {
        try await Self.withFolder { folder in
            try await Home.run { home in
                try await home.pairOwners()
                let old = try #require(home.phones.first)
                try await old.role.standing.change { try $0.beginning(Self.handover) }
                await home.untilAway(old)
                let state = try Self.move(try await old.role, below: folder)
                let keeper = try StandingKeeper(state)
                try await keeper.change { try $0.beginning(Self.handover) }
                try await keeper.change { try $0.retiring("t1", at: 0) }
                try await home.withPhone(PhonePlan("New phone"), in: state) { new in
                    let role = try await new.role
                    #expect(await role.servers().isEmpty)
                    await #expect(throws: PhoneStandingError.self) { try await role.showCode() }
                }
            }
        }
    }
}
