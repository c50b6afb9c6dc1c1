import Accounts
import Synchronization
import Testing

@testable import AccountsHub

@Suite("Who is told of the end of a session")
struct SessionEndingsTests {
    /// Counts what a watcher was told.
    private final class Count: Sendable {
        private let number = Mutex(0)

        var value: Int { number.withLock(\.self) }
        func add() { number.withLock { $0 += 1 } }
    }

    @Test("all that watch a session are told once, and those of other sessions are not")
    func once() {
        let endings = SessionEndings()
        let (first, second, other) = (Count(), Count(), Count())
        let watch = endings.watch("a") { first.add() }
        _ = endings.watch("a") { second.add() }
        _ = endings.watch("b") { other.add() }
        endings.tell("a")
        endings.tell("a")
        #expect([first.value, second.value, other.value] == [1, 1, 0])
        #expect(!watch.cancel())
    }

    @Test("a watch that is cancelled is not told, and says so once")
    func cancelled() {
        let endings = SessionEndings()
        let count = Count()
        let watch = endings.watch("a") { count.add() }
        #expect(watch.cancel())
        #expect(!watch.cancel())
        endings.tell("a")
        endings.finish()
        #expect(count.value == 0)
    }

    @Test("at the end everybody is told, and whoever comes later at once")
    func finished() {
        let endings = SessionEndings()
        let (before, after) = (Count(), Count())
        _ = endings.watch("a") { before.add() }
        endings.finish()
        let watch = endings.watch("b") { after.add() }
        #expect(before.value == 1)
        #expect(after.value == 1)
        #expect(!watch.cancel())
    }

    @Test("a session that has ended already is told at once")
    func late() async throws {
        let rig = try AccountsRig()
        let session = try await rig.register("ada")
        let asker = try await rig.asker(session)
        let count = Count()
        let watch = rig.accounts.watch(asker) { count.add() }
        #expect(count.value == 0)
        let reply = try await rig.post(
            .endDevice,
            EndDeviceRequest(device: session.device),
            token: session.accessToken
        )
        #expect(reply.status == 200)
        #expect(count.value == 1)
        #expect(!watch.cancel())
        _ = rig.accounts.watch(asker) { count.add() }
        #expect(count.value == 2)
    }
}
