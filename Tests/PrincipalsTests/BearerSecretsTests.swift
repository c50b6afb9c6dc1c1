import Foundation
import Kernel
import KernelTesting
import Principals
import Testing

@Suite("Bearer secrets", .timeLimit(.minutes(1)))
struct BearerSecretsTests {
    private let clock = ManualClock()
    private let table = BearerTable()

    /// The secrets as a start of the program finds them.
    private func secrets(_ whenFull: BearerPolicy.WhenFull = .refuse) -> BearerSecrets<String> {
        let succession = BearerPolicy.Succession(age: .seconds(100), overlap: .seconds(10))
        return BearerSecrets(
            table.rows,
            store: table,
            policy: BearerPolicy(limit: 3, whenFull: whenFull, succession: succession)
        )
    }

    private static func hash(_ text: String) -> SecretHash { SecretHash(of: text) }

    private func add(_ text: String, to secrets: BearerSecrets<String>, lasting: Duration? = nil) async throws {
        try await secrets.add(Self.hash(text), id: text, holder: "Ada", lasting: lasting, now: clock.date)
    }

    private func match(_ text: String, in secrets: BearerSecrets<String>) -> String? {
        secrets.match(Self.hash(text), now: clock.date)?.id
    }

    @Test("a secret opens what it was made for, also after a restart; another text opens nothing")
    func opens() async throws {
        let secrets = secrets()
        try await add("a", to: secrets)
        for known in [secrets, self.secrets()] {
            #expect(match("a", in: known) == "a")
            #expect(known["a"]?.holder == "Ada")
            #expect(known.isOpen("a", now: clock.date))
            #expect(match("b", in: known) == nil)
            #expect(known["b"] == nil && !known.isOpen("b", now: clock.date))
        }
    }

    @Test("a secret with a life opens nothing from its end on; who waits for the end is told when it is dropped")
    func life() async throws {
        let secrets = secrets()
        try await add("a", to: secrets, lasting: .seconds(60))
        try await add("b", to: secrets)
        clock.advance(by: .seconds(59))
        #expect(match("a", in: secrets) == "a")
        clock.advance(by: .seconds(1))
        #expect(match("a", in: secrets) == nil)
        #expect(!secrets.isOpen("a", now: clock.date))
        #expect(match("b", in: secrets) == "b")
        async let ended: Void = secrets.ended("a")
        secrets.dropEnded(now: clock.date)
        await ended
        #expect(secrets.all.map(\.id) == ["b"])
    }

    @Test("where the policy says so one too many is refused, and another has its place once one is taken back")
    func refused() async throws {
        let secrets = secrets(.refuse)
        for text in ["a", "b", "c"] { try await add(text, to: secrets) }
        await #expect(throws: BearerError.full(limit: 3)) { try await add("d", to: secrets) }
        #expect(match("d", in: secrets) == nil)
        try await secrets.remove("b")
        try await add("d", to: secrets)
        #expect(secrets.all.map(\.id) == ["a", "c", "d"])
        #expect(table.rows.map(\.id) == ["a", "c", "d"])
    }

    @Test("where the policy says so the oldest gives way to one too many, and hears of it")
    func dropped() async throws {
        let secrets = secrets(.dropOldest)
        for text in ["c", "b", "a"] { try await add(text, to: secrets) }
        async let ended: Void = secrets.ended("c")
        try await add("d", to: secrets)
        await ended
        #expect(match("c", in: secrets) == nil)
        #expect(secrets.all.map(\.id) == ["a", "b", "d"])
        #expect(table.rows.map(\.id) == ["a", "b", "d"])
    }

    @Test("a secret that could not be written opens nothing, and displaces none")
    func unwritten() async throws {
        let secrets = secrets(.dropOldest)
        for text in ["a", "b", "c"] { try await add(text, to: secrets) }
        table.isBroken.set(true)
        await #expect(throws: BearerTable.Broken.self) { try await add("d", to: secrets) }
        #expect(secrets.all.map(\.id) == ["a", "b", "c"])
        #expect(match("d", in: secrets) == nil)
    }

    @Test("a secret that is taken back while it is written stays so, after a restart too", arguments: [false, true])
    func takenBack(withAll: Bool) async throws {
        let secrets = secrets()
        table.goesOn.set(false)
        async let adding: Void = add("a", to: secrets)
        for await begun in table.begun.values() where begun == 1 { break }
        #expect(match("a", in: secrets) == "a")
        if withAll {
            #expect(try await secrets.removeAll() == 1)
        } else {
            try await secrets.remove("a")
        }
        #expect(match("a", in: secrets) == nil)
        table.goesOn.set(true)
        try await adding
        #expect(match("a", in: secrets) == nil)
        #expect(secrets.all.isEmpty)
        #expect(table.rows.isEmpty)
    }

    @Test("a secret is taken back at once, also where its row stays; who waits for its end is told")
    func removed() async throws {
        let secrets = secrets()
        for text in ["a", "b"] { try await add(text, to: secrets) }
        async let ended: Void = secrets.ended("a")
        table.isBroken.set(true)
        await #expect(throws: BearerTable.Broken.self) { try await secrets.remove("a") }
        await ended
        #expect(match("a", in: secrets) == nil)
        await #expect(throws: BearerTable.Broken.self) { try await secrets.removeAll() }
        #expect(secrets.all.isEmpty)
    }

    @Test("an old secret has a successor, beside which it is good for a while, and which once shown is the secret")
    func succession() async throws {
        let secrets = secrets()
        try await add("a", to: secrets)
        clock.advance(by: .seconds(99))
        #expect(secrets.successor(of: "a", now: clock.date) == nil)
        clock.advance(by: .seconds(1))
        let lost = try #require(secrets.successor(of: "a", prefix: "tdb_", now: clock.date))
        #expect(lost.text.hasPrefix("tdb_"))
        clock.advance(by: .seconds(5))
        let told = try #require(secrets.successor(of: "a", now: clock.date))
        try await secrets.note("a", from: "192.0.2.7", now: clock.date)
        #expect(match(lost.text, in: secrets) == nil)
        for known in [secrets, self.secrets()] { #expect(match("a", in: known) == "a") }
        // The time of the first counts.
        clock.advance(by: .seconds(5))
        #expect(match("a", in: secrets) == "a")
        clock.advance(by: .seconds(1))
        #expect(match("a", in: secrets) == nil)
        #expect(match(told.text, in: secrets) == "a")
        #expect(secrets.successor(of: "a", now: clock.date) == nil)
        try await secrets.note("a", from: "192.0.2.7", now: clock.date)
        #expect(self.secrets()["a"]?.hash == told.hash())
        #expect(self.secrets()["a"]?.successor == nil)
    }

    @Test("a successor that could not be written opens nothing, and the secret before it stays good")
    func unwrittenSuccessor() async throws {
        let secrets = secrets()
        try await add("a", to: secrets)
        clock.advance(by: .seconds(100))
        let told = try #require(secrets.successor(of: "a", now: clock.date))
        try await secrets.note("a", from: nil, now: clock.date)
        table.isBroken.set(true)
        let untold = try #require(secrets.successor(of: "a", now: clock.date))
        await #expect(throws: BearerTable.Broken.self) { try await secrets.note("a", from: nil, now: clock.date) }
        #expect(match(untold.text, in: secrets) == nil)
        #expect(match("a", in: secrets) == "a")
        // The one that the table has is known again.
        #expect(match(told.text, in: secrets) == "a")
    }

    @Test("a secret that came as a successor stays good where the next successor could not be written")
    func unwrittenSuccessorOfSuccessor() async throws {
        let secrets = secrets()
        try await add("a", to: secrets)
        clock.advance(by: .seconds(100))
        let told = try #require(secrets.successor(of: "a", now: clock.date))
        try await secrets.note("a", from: nil, now: clock.date)
        clock.advance(by: .seconds(100))
        #expect(match(told.text, in: secrets) == "a")
        table.isBroken.set(true)
        #expect(secrets.successor(of: "a", now: clock.date) != nil)
        await #expect(throws: BearerTable.Broken.self) { try await secrets.note("a", from: nil, now: clock.date) }
        for _ in 0..<3 { #expect(match(told.text, in: secrets) == "a") }
    }

    @Test("visits are written once a minute, and those from elsewhere at once")
    func visits() async throws {
        let secrets = secrets()
        try await add("a", to: secrets)
        try await secrets.note("a", from: "192.0.2.7", now: clock.date)
        let first = clock.date.millisecondsSince1970
        clock.advance(by: .seconds(59))
        try await secrets.note("a", from: "192.0.2.7", now: clock.date)
        #expect(table.rows.first?.lastSeenAt == first)
        #expect(secrets["a"]?.lastSeenAt == clock.date.millisecondsSince1970)
        try await secrets.note("a", from: "192.0.2.8", now: clock.date)
        #expect(table.rows.first?.address == "192.0.2.8")
        try await secrets.remove("a")
        try await secrets.note("a", from: "192.0.2.7", now: clock.date)
        #expect(table.rows.isEmpty)
    }

    @Test("the list of those that are open is told with each change")
    func open() async throws {
        let secrets = secrets()
        var lists = secrets.open().makeAsyncIterator()
        var told = await lists.next()
        #expect(told == Set<String>())
        try await add("a", to: secrets)
        told = await lists.next()
        #expect(told == Set(["a"]))
        try await add("b", to: secrets)
        told = await lists.next()
        #expect(told == Set(["a", "b"]))
        #expect(try await secrets.removeAll() == 2)
        told = await lists.next()
        #expect(told == Set<String>())
    }
}
