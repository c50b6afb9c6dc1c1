import CommandServer
import Commands
import FeatureTesting
import Foundation
import GRDB
import Kernel
import KernelTesting
import Rights
import Storage
import Testing

@testable import Notifications
@testable import NotificationsHost

@Suite("A phone's first catching up with a computer", .timeLimit(.minutes(1)))
struct FirstCatchingUpTests {
    /// A computer, and the store of Ada's phone.
    private struct Household {
        static let home = "home"

        let computer: Computer
        let store: NotificationStore

        init(computer: Computer, store: NotificationStore? = nil) throws {
            self.computer = computer
            self.store = try store ?? NotificationStore(StateDatabase.inMemory(schema: [NotificationStore.migrations]))
        }

        /// - Returns: The titles that the phone shows.
        @discardableResult
        func catchUp(limit: Int = 2) async throws -> [String] {
            var next = NotificationApplied.Next.ask
            while next == .ask {
                let asked = try await store.position(of: Self.home)
                let answer = try await computer.sync(epoch: asked.epoch, after: asked.after, limit: limit)
                next = try await store.apply(answer, asked: asked, from: Self.home).next
            }
            var titles: [String] = []
            while case let shown = try await store.beginShowing(), !shown.isEmpty {
                titles += shown.map(\.kept.notification.title)
                try await store.noteShown(shown)
            }
            return titles
        }

        func pair() {
            computer.outlet.pair([OutletDevice(id: Caller.ada.id, name: Caller.ada.name, keepsEvents: true)])
        }

        func list() async throws -> [String] {
            try await store.page(of: Self.home).items.map(\.notification.title)
        }
    }

    @Test("what was there before the pairing is in the list, unread, and not shown; what comes next is shown once")
    func historyIsQuiet() async throws {
        let household = try Household(computer: Computer())
        for number in 1...5 { try await household.computer.say("old\(number)") }
        household.pair()
        #expect(try await household.catchUp() == [])
        #expect(try await household.list() == ["old5", "old4", "old3", "old2", "old1"])
        #expect(try await household.store.unread() == [Household.home: 5])
        try await household.computer.say("new")
        #expect(try await household.catchUp() == ["new"])
        #expect(try await household.catchUp() == [])
    }

    @Test("a phone that is put back to an earlier state is told up to where it was, page by page")
    func putBack() async throws {
        let household = try Household(computer: Computer())
        household.pair()
        try await household.computer.say("first")
        #expect(try await household.catchUp() == ["first"])
        let copy = try DatabaseQueue()
        try household.store.database.backup(to: copy)
        for number in 1...5 { try await household.computer.say("n\(number)") }
        #expect(try await household.catchUp().count == 5)
        // It says that it has them.
        try await household.catchUp()
        let back = try Household(computer: household.computer, store: NotificationStore(copy))
        try await household.computer.say("new")
        // An answer that got lost changes nothing.
        let asked = try await back.store.position(of: Household.home)
        for _ in 1...3 {
            let answer = try await back.computer.sync(epoch: asked.epoch, after: asked.after, limit: 2)
            #expect(answer.history == 6)
        }
        #expect(try await back.catchUp() == ["new"])
        #expect(try await back.list().count == 7)
        #expect(try await back.catchUp() == [])
    }

    @Test("a phone whose right is taken and given back is shown what it missed")
    func allowedAgain() async throws {
        let household = try Household(computer: Computer())
        household.pair()
        for number in 1...3 { try await household.computer.say("before\(number)") }
        #expect(try await household.catchUp().count == 3)
        // It says that it has them.
        try await household.catchUp()
        household.computer.outlet.pair([])
        _ = try await household.computer.store.write(.forget(device: Caller.ada.id))
        for number in 1...3 { try await household.computer.say("meanwhile\(number)") }
        household.pair()
        try await household.computer.say("after")
        #expect(try await household.catchUp() == ["meanwhile1", "meanwhile2", "meanwhile3", "after"])
        #expect(try await household.catchUp() == [])
    }

    @Test("what comes between the pairing and the first catching up is shown, also across a restart of the computer")
    func awayAtOnce() async throws {
        let household = try Household(computer: Computer())
        for number in 1...3 { try await household.computer.say("old\(number)") }
        household.pair()
        for number in 1...3 { try await household.computer.say("new\(number)") }
        await household.computer.skill.close()
        let again = try Household(
            computer: Computer(time: household.computer.time, database: household.computer.database)
        )
        again.pair()
        try await again.computer.say("new4")
        #expect(try await again.catchUp() == ["new1", "new2", "new3", "new4"])
        #expect(try await again.list().count == 7)
    }

    @Test("a phone that lost its store is shown again what it had not confirmed, and nothing else")
    func lostStore() async throws {
        let household = try Household(computer: Computer())
        household.pair()
        for number in 1...3 { try await household.computer.say("n\(number)") }
        #expect(try await household.catchUp() == ["n1", "n2", "n3"])
        // Confirms what it has.
        try await household.catchUp()
        try await household.computer.say("n4")
        let empty = try Household(computer: household.computer)
        // An answer that got lost changes nothing.
        #expect(try await empty.computer.sync().history == 3)
        #expect(try await empty.computer.sync().history == 3)
        #expect(try await empty.catchUp() == ["n4"])
        #expect(try await empty.list() == ["n4", "n3", "n2", "n1"])
    }

    @Test("the history is named to a phone without a number of this epoch, or with one that was never given")
    func named() async throws {
        let computer = try Computer()
        for number in 1...3 { try await computer.say("n\(number)") }
        // Not among the paired phones: all that is there.
        let start = try await computer.sync()
        #expect(start.history == 3)
        #expect(try await computer.sync(epoch: start.epoch, after: 3).history == nil)
        #expect(try await computer.sync(epoch: "other", after: 3).history == 3)
        #expect(try await computer.sync(epoch: start.epoch, after: 4).history == 3)
        // With its right a phone's beginning is forgotten.
        try await computer.pair(catchesUp: false)
        try await computer.say("n4")
        #expect(try await computer.sync().history == 3)
        _ = try await computer.store.write(.forget(device: Caller.ada.id))
        try await computer.say("n5")
        #expect(try await computer.sync().history == 4)
    }

    @Test("a computer that is put back to an earlier state shows nothing again, and what it says from then on")
    func restored() async throws {
        let household = try Household(computer: Computer())
        household.pair()
        for number in 1...3 { try await household.computer.say("n\(number)") }
        try await household.catchUp()
        let copy = try StateDatabase.inMemory(schema: [NotificationTables.migrations])
        try household.computer.database.backup(to: copy)
        let rows = try await household.store.page(of: Household.home).items
        _ = try await household.computer.store.write(.delete([rows[0].notification.id], by: .owner))
        for number in 4...5 { try await household.computer.say("n\(number)") }
        #expect(try await household.catchUp() == ["n4", "n5"])
        await household.computer.skill.close()
        household.computer.time.advance(by: .seconds(1))
        let restored = try Household(
            computer: Computer(time: household.computer.time, database: copy),
            store: household.store
        )
        restored.pair()
        try await restored.computer.say("n6")
        #expect(try await restored.catchUp() == ["n6"])
        #expect(try await restored.list() == ["n6", "n3", "n2", "n1"])
    }
}
