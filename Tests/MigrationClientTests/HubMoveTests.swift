import Capabilities
import Control
import Foundation
import HomeTesting
import Journal
import Kernel
import MigrationClient
import MigrationRestore
import MigrationTransfer
import Sections
import Signaling
import TandemHub
import TandemPhone
import Testing

@Suite("A phone moves to another one through a hub", .timeLimit(.minutes(4)))
struct HubMoveTests {
    private static let password = "correct horse battery"

    /// A hub runs as a program where it has a feature; this one brings nothing.
    private struct NoFeature: ServedFeature {
        static let maker = ServedFeatureMaker(FeatureManifest("nothing")) { _ in NoFeature() }
    }

    enum Side: String, CaseIterable, Sendable { case old, new }

    /// Two phones that know one hub, and whose package is under way: the new phone's person has to agree. The old phone's sockets break as told.
    private struct Move {
        let home: Home
        let signaling: (access: SignalAccess, hub: URL)
        let newState: StateFolder
        let old: PhoneRun
        var new: PhoneRun
        /// The room, as it was shown.
        let place: String

        func phone(_ side: Side) async throws -> MovingPhone { try await side == .old ? old.phone : new.phone }

        func agree() async throws {
            _ = try await new.phone.control.call(MigrationControl.agree, .init(password: HubMoveTests.password))
        }

        func end() async {
            await new.end()
            await old.end()
        }
    }

    private static func withMove(
        _ faults: [(after: Int, fault: MeteredSockets.Fault)],
        _ body: @Sendable (inout Move, MeteredSockets, Data) async throws -> Void
    ) async throws {
        var plan = HubPlan(features: [NoFeature.maker])
        plan.keepsPort = true
        let plans = [plan]
        try await MoveFolders.with { folder, oldState, newState in
            let (photo, sockets) = (folder.appending(path: "photo.jpg"), MeteredSockets(faults))
            let bytes = Data((0..<12_000_000).map { UInt8(truncatingIfNeeded: ($0 &* 0x9E37_79B9) >> 9) })
            try bytes.write(to: photo)
            try await Home.run(hubs: plans, computers: [], phones: []) { home in
                let hub = try await home.hub(named: "hub").url("/", scheme: "ws")
                let plain = (access: MeteredSockets().access, hub: hub)
                let new = try await PhoneRun.start("New phone", in: newState, of: home, signaling: plain)
                _ = try await new.phone.write("My own")
                _ = try await new.phone.control.call(MigrationControl.receive, .init(host: "127.0.0.1", port: 0))
                let shown = try await new.phone.reaches { $0.pin != nil }
                let place = try #require(shown.addresses.last { $0.contains("#") })
                let old = try await PhoneRun.start(
                    "Old phone",
                    in: oldState,
                    of: home,
                    signaling: (sockets.access, hub)
                )
                let story = try await old.phone.write("Rigi")
                _ = try await old.phone.control.call(JournalControl.attach, .init(story.id, path: photo.path))
                _ = try await old.phone.control.call(
                    MigrationControl.send,
                    .init(addresses: [place], password: password)
                )
                _ = try await old.phone.reaches { $0.step == .entering }
                _ = try await old.phone.control.call(MigrationControl.enter, .init(pin: shown.pin))
                _ = try await new.phone.reaches { $0.step == .agreeing }
                var move = Move(home: home, signaling: plain, newState: newState, old: old, new: new, place: place)
                let result: Result<Void, any Error>
                do { result = .success(try await body(&move, sockets, bytes)) } catch { result = .failure(error) }
                await move.end()
                try result.get()
            }
        }
    }

    @Test(
        "by PIN, with the hub's socket cut twice in the middle and the hub started again: it goes on by itself, and the old phone hears the end there"
    )
    func wholeMove() async throws {
        try await Self.withMove([(2_000_000, .cut), (3_000_000, .cut)]) { move, sockets, bytes in
            // The hub is gone while the person is asked.
            let hub = try move.home.hub(named: "hub")
            await hub.stop()
            try await hub.start()
            _ = try await move.new.phone.reaches { $0.step == .agreeing && $0.isLinked }
            try await move.agree()
            let ready = try await move.new.phone.reaches { $0.step == .ready }
            #expect(ready.report?.counts["stories"] == 1 && ready.report?.mediaFiles == 1)
            #expect(ready.report?.mediaBytes ?? 0 >= UInt64(bytes.count))
            #expect(sockets.cuts == 2)
            await move.new.end()
            move.new = try await PhoneRun.start(
                "New phone",
                in: move.newState,
                of: move.home,
                signaling: move.signaling
            )
            let titles = try await move.new.phone.stories()
            #expect(titles == ["Rigi"])
            try await move.old.phone.stands { if case .retired = $0 { true } else { false } }
            let end = try await move.old.phone.reaches { $0.step == .done }
            #expect(end.failure == nil)
        }
    }

    @Test("a pause of either phone is seen on the other one, and ends with that phone's word", arguments: Side.allCases)
    func pauses(side: Side) async throws {
        try await Self.withMove([(3_000_000, .hold)]) { move, sockets, _ in
            try await move.agree()
            await sockets.untilHolding()
            let (one, other) = (try await move.phone(side), try await move.phone(side == .old ? .new : .old))
            _ = try await one.control.call(MigrationControl.pause)
            _ = try await one.reaches { $0.pausedHere == "user" }
            sockets.release()
            let told = try await other.reaches { $0.pausedThere == "user" }
            #expect(told.pausedHere == nil && told.doneBytes < told.totalBytes)
            _ = try await one.control.call(MigrationControl.resume)
            let ready = try await move.new.phone.reaches { $0.step == .ready }
            #expect(ready.pausedHere == nil && ready.report?.mediaFiles == 1)
        }
    }

    @Test(
        "either phone cancels in the middle: both keep what they had, and nothing of the package stays",
        arguments: Side.allCases
    )
    func cancels(side: Side) async throws {
        try await Self.withMove([(3_000_000, .hold)]) { move, sockets, _ in
            try await move.agree()
            await sockets.untilHolding()
            let (one, other) = (try await move.phone(side), try await move.phone(side == .old ? .new : .old))
            let control = try await one.control
            async let cancelled = control.call(MigrationControl.cancel)
            // What the old phone says waits behind what it was at.
            sockets.release()
            let end = try await cancelled
            #expect(end.step == .failed && end.failure?.reason == "cancelled")
            await #expect(throws: MigrationTransferError.cancelled(byPeer: true)) {
                _ = try await other.reaches { $0.step == .done }
            }
            let titles = try await move.new.phone.stories()
            #expect(titles == ["My own"])
            try await move.old.phone.stands { if case .kept = $0 { true } else { false } }
            let incoming = move.newState.url.appending(path: "features/migrate/incoming")
            #expect(!FileManager.default.fileExists(atPath: incoming.path))
        }
    }
}
