import Accounts
import Chat
import ChatHub
import Foundation
import GRDB
import KernelTesting
import Storage
import Testing

/// Rows of the crash matrix that are the store's: the files are copied while it writes, as a crash would leave them, and the copy is opened.
@Suite("Crashes of the store", .timeLimit(.minutes(4)))
struct CrashTests {
    private struct Acked: Sendable {
        let id: String
        let seq: Int64
    }

    /// Copies database and log as they are. The index beside them is not copied: it does not survive a crash of the machine, and is made anew.
    ///
    /// The log is copied first: a page that a checkpoint moved meanwhile is then in both, as it is after a crash in between.
    private func copy(_ folder: TemporaryFolder, cut: Int = 0) throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        let log = try Data(contentsOf: URL(filePath: folder.database.path + "-wal"))
        try Data(contentsOf: folder.database).write(to: copy.database)
        try log.dropLast(cut).write(to: URL(filePath: copy.database.path + "-wal"))
        return copy
    }

    private func check(_ store: StoreUnderTest, holds acked: [String: Int64]) async throws {
        var stored: [String: Int64] = [:]
        for other: Int64 in 8...11 {
            let messages = try await store.log.all(7, other, for: 7)
            // I1: no gap, whatever was under way.
            #expect(messages.map(\.seq) == Array(1..<(Int64(messages.count) + 1)))
            for message in messages { stored[message.clientMessageID] = message.seq }
            guard !messages.isEmpty else { continue }
            let summary = try await store.log.summary(of: chat(7, other), for: person(other))
            #expect(summary.seqs.maxSeq == Int64(messages.count))
            #expect(summary.unread == messages.count)
        }
        for (id, seq) in acked { #expect(stored[id] == seq) }
    }

    @Test("I3: whatever was acknowledged before a crash is there after it", arguments: 0..<12)
    func killed(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let store = try StoreUnderTest(in: folder)
        let sent = Recorded<Acked>()
        let pauses = (0..<3).map { _ in Int.random(in: 1...120, using: &random) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<60 {
                        let id = "\(writer)-\(number)"
                        let words = String(repeating: "words ", count: number * 7)
                        let ack = try await store.log.say(words, id: id, from: 7, to: Int64(8 + writer))
                        sent.add(Acked(id: id, seq: ack.seq))
                    }
                }
            }
            for pause in pauses {
                let before = await sent.wait(for: pause)
                let acked = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0.seq) })
                let copied = try StoreUnderTest(in: copy(folder))
                try await check(copied, holds: acked)
                // After a restart a repeat gets what it got, and a new message the next seq.
                for (id, seq) in acked.prefix(3) {
                    let writer = Int64(id.prefix(1)) ?? 0
                    let words = String(repeating: "words ", count: (Int(id.dropFirst(2)) ?? 0) * 7)
                    let again = try await copied.log.say(words, id: id, from: 7, to: 8 + writer)
                    #expect(again.isRepeat)
                    #expect(again.seq == seq)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("a torn end of the log loses nothing that was acknowledged before it", arguments: 0..<40)
    func torn(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let store = try StoreUnderTest(in: folder)
        var acked: [String: Int64] = [:]
        for number in 0..<20 {
            acked["a-\(number)"] = try await store.log.say("words", id: "a-\(number)", from: 7, to: 8).seq
        }
        let before = try Data(contentsOf: URL(filePath: folder.database.path + "-wal")).count
        for number in 0..<5 { try await store.log.say("more", id: "b-\(number)", from: 7, to: 8) }
        let after = try Data(contentsOf: URL(filePath: folder.database.path + "-wal")).count
        try #require(after > before)
        let torn = try StoreUnderTest(in: copy(folder, cut: Int.random(in: 1...(after - before), using: &random)))
        try await check(torn, holds: acked)
        // What was cut off is sent again and stored once.
        for number in 0..<5 { try await torn.log.say("more", id: "b-\(number)", from: 7, to: 8) }
        #expect(try await torn.log.all(7, 8, for: 8).map(\.clientMessageID).suffix(5) == (0..<5).map { "b-\($0)" })
        #expect(try await torn.log.all(7, 8, for: 8).count == 25)
    }

    @Test("after a crash a recall, its event and the counts are there together")
    func recall() async throws {
        let folder = try TemporaryFolder()
        let store = try StoreUnderTest(in: folder)
        try await store.log.say("one", from: 7, to: 8)
        try await store.log.say("two", from: 7, to: 8)
        _ = try await store.log.recall(.seq(1), in: chat(7, 8), by: person(7), window: nil, at: start)
        let copied = try StoreUnderTest(in: copy(folder))
        #expect(try await copied.log.all(7, 8, for: 8).map(\.isRecalled) == [true, false])
        #expect(try await copied.log.unread(7, 8, for: 8) == 1)
        let events = try await copied.log.events(of: person(8), after: 0, limit: 9)
        #expect(events.entries.map(\.number) == [1])
    }

    @Test("after a crash an opened picture stays opened: its lease goes on, and nobody opens it again")
    func flash() async throws {
        let folder = try TemporaryFolder()
        let store = try StoreUnderTest(in: folder)
        let lease = try await FlashTests.opened(store)
        let copied = try StoreUnderTest(in: copy(folder))
        let found = try await copied.log.flash(of: lease.secret, person: person(8), device: "phone", at: start + 1)
        #expect(found.objectKey == FlashTests.key)
        await #expect(throws: ChatHubError.alreadyViewed) { try await FlashTests.open(copied, device: "phone") }
        try await store.log.destroyFlash(found, at: start + 2)
        // The commit is there, and the object was released in it: the sweep at the start finds it.
        let destroyed = try StoreUnderTest(in: copy(folder))
        #expect(try await destroyed.references(to: FlashTests.key) == 0)
        #expect(try await destroyed.log.all(7, 8, for: 8).map(\.state) == [.destroyed])
    }

    @Test("a full disk refuses what is sent and nothing else; with room the same message is stored once")
    func fullDisk() async throws {
        let store = try StoreKind.file.make()
        try await store.log.say("before", id: "a", from: 7, to: 8)
        let pages = try await store.database.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        try await setLimit(pages + 2, of: store)
        let long = String(repeating: "long ", count: 10_000)
        await #expect(throws: StorageError.diskFull) { try await store.log.say(long, id: "b", from: 7, to: 8) }
        #expect(try await store.log.all(7, 8, for: 8).map(\.words) == ["before"])
        try await setLimit(1_000_000, of: store)
        #expect(try await store.log.say(long, id: "b", from: 7, to: 8).seq == 2)
        #expect(store.told.take().pushes.count == 4)
    }

    private func setLimit(_ pages: Int, of store: StoreUnderTest) async throws {
        try await store.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(pages)") }
    }
}
