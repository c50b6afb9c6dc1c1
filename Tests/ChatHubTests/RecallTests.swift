import Accounts
import Chat
import ChatHub
import Foundation
import Testing

@Suite("Taking back", .timeLimit(.minutes(1)))
struct RecallTests {
    @Test(
        "R5: a message is taken back by the sender's id at once after its acknowledgement",
        arguments: StoreKind.allCases
    )
    func recall(kind: StoreKind) async throws {
        let store = try kind.make()
        let log = store.log
        let ack = try await log.say("oh no", id: "a", from: 7, to: 8)
        _ = store.told.take()
        let target = MessageTarget.client(id: "a", sender: try person(7))
        let message = try await log.recall(target, in: chat(7, 8), by: person(7), window: 120_000, at: start + 1)
        #expect(message.state == .recalled(at: start + 1))
        #expect(message.content.isEmpty)
        #expect(message.seq == ack.seq)
        let change = ChatChange.recalled(
            try chat(7, 8),
            seq: 1,
            clientMessageID: "a",
            by: try person(7),
            at: start + 1
        )
        #expect(store.told.take().pushes.map(\.change) == [change, change])
        #expect(try await log.all(7, 8, for: 8).map(\.state) == [.recalled(at: start + 1)])
        // The place stays, and the next message gets the next seq (I1).
        #expect(try await log.say("better", from: 7, to: 8).seq == 2)
    }

    @Test("B19: only the sender, within the window, and once", arguments: StoreKind.allCases)
    func rules(kind: StoreKind) async throws {
        let log = try kind.make().log
        try await log.say("one", id: "a", from: 7, to: 8)
        func recall(_ target: MessageTarget, by number: Int64, at now: Int64 = start) async throws {
            _ = try await log.recall(target, in: chat(7, 8), by: person(number), window: 120_000, at: now)
        }
        await #expect(throws: ChatHubError.notYours) { try await recall(.seq(1), by: 8) }
        await #expect(throws: ChatHubError.notFound) { try await recall(.seq(2), by: 7) }
        await #expect(throws: ChatHubError.notFound) {
            try await recall(.client(id: "b", sender: person(7)), by: 7)
        }
        await #expect(throws: ChatHubError.recallWindowOver(120)) {
            try await recall(.seq(1), by: 7, at: start + 120_001)
        }
        try await recall(.seq(1), by: 7, at: start + 120_000)
        await #expect(throws: ChatHubError.alreadyRecalled) { try await recall(.seq(1), by: 7) }
    }

    @Test(
        "I7: what was taken back unread is not unread any more, and read ones leave the count as it is",
        arguments: StoreKind.allCases
    )
    func counts(kind: StoreKind) async throws {
        let log = try kind.make().log
        for number in 1...4 { try await log.say("\(number)", from: 7, to: 8) }
        _ = try await log.read(chat(7, 8), by: person(8), upTo: 2, tellsPeer: false, origin: nil, at: start)
        for seq: Int64 in [1, 3] {
            _ = try await log.recall(.seq(seq), in: chat(7, 8), by: person(7), window: nil, at: start)
        }
        #expect(try await log.unread(7, 8, for: 8) == 1)
        _ = try await log.read(chat(7, 8), by: person(8), upTo: 3, tellsPeer: false, origin: nil, at: start)
        #expect(try await log.unread(7, 8, for: 8) == 1)
        _ = try await log.read(chat(7, 8), by: person(8), upTo: 4, tellsPeer: false, origin: nil, at: start)
        #expect(try await log.unread(7, 8, for: 8) == 0)
    }

    @Test(
        "a repeat of a message that was taken back gets its acknowledgement and brings nothing back",
        arguments: StoreKind.allCases
    )
    func repeats(kind: StoreKind) async throws {
        let log = try kind.make().log
        let first = try await log.say("oh no", id: "a", from: 7, to: 8)
        _ = try await log.recall(.seq(1), in: chat(7, 8), by: person(7), window: nil, at: start)
        let second = try await log.say("oh no", id: "a", from: 7, to: 8)
        #expect(second.isRepeat)
        #expect(second.seq == first.seq)
        #expect(try await log.all(7, 8, for: 8).map(\.isRecalled) == [true])
    }

    @Test("the objects of a message that was taken back are released after the commit", arguments: StoreKind.allCases)
    func objects(kind: StoreKind) async throws {
        let store = try kind.make()
        try await store.upload("chat/image/a.jpg", by: person(7))
        let image = try MessageDraft.make("{}", .image, id: "a", from: 7, to: 8, keys: ["chat/image/a.jpg"])
        _ = try await store.log.append(image, rules: .open, at: start)
        #expect(try await store.references(to: "chat/image/a.jpg") == 1)
        #expect(try await store.log.access(to: "chat/image/a.jpg", of: person(8)) == .allowed)
        #expect(try await store.log.access(to: "chat/image/a.jpg", of: person(9)) == .unreferenced)
        _ = try await store.log.recall(.seq(1), in: chat(7, 8), by: person(7), window: nil, at: start)
        #expect(try await store.references(to: "chat/image/a.jpg") == 0)
        #expect(store.told.take().releasedObjects == ["chat/image/a.jpg"])
        #expect(try await store.log.access(to: "chat/image/a.jpg", of: person(8)) == .unreferenced)
    }

    @Test("an object of another person is refused, and nothing of the message is kept", arguments: StoreKind.allCases)
    func foreignObjects(kind: StoreKind) async throws {
        let store = try kind.make()
        try await store.upload("mine", by: person(7))
        try await store.upload("theirs", by: person(9))
        let image = try MessageDraft.make("{}", .image, id: "a", from: 7, to: 8, keys: ["mine", "theirs"])
        await #expect(throws: ChatHubError.unknownObject) {
            try await store.log.append(image, rules: .open, at: start)
        }
        #expect(try await store.references(to: "mine") == 0)
        #expect(store.told.take().pushes.isEmpty)
        #expect(try await store.log.say("first", from: 7, to: 8).seq == 1)
    }

    @Test("words that were taken back are gone from the files, journal and all")
    func bytes() async throws {
        let folder = try TemporaryFolder()
        let store = try StoreUnderTest(in: folder)
        let long = "SECRET-WORDS " + String(repeating: "and more ", count: 2000)
        try await store.log.say(long, id: "a", from: 7, to: 8)
        try await store.log.say("SECRET-SHORT", id: "b", from: 7, to: 8)
        _ = try await store.log.change(
            SettingsChange(draft: "SECRET-DRAFT"),
            of: chat(7, 8),
            for: person(7),
            origin: nil,
            at: start
        )
        #expect(try folder.holds("SECRET-WORDS"))
        for seq: Int64 in [1, 2] {
            _ = try await store.log.recall(.seq(seq), in: chat(7, 8), by: person(7), window: nil, at: start)
        }
        _ = try await store.log.change(
            SettingsChange(draft: ""),
            of: chat(7, 8),
            for: person(7),
            origin: nil,
            at: start
        )
        #expect(try await store.log.scrub())
        #expect(try !folder.holds("SECRET"))
        #expect(try !folder.holds("and more"))
    }
}
