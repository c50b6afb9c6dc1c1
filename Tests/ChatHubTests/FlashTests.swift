import Accounts
import Chat
import ChatHub
import Foundation
import GRDB
import Testing

@Suite("View-once pictures", .timeLimit(.minutes(3)))
struct FlashTests {
    static let key = "chat/flash/2026/11/27/abcdefghijklmnopqrstuvwxyz.jpg"
    static let id = "flash-1"

    static func send(_ store: StoreUnderTest, key: String = key, id: String = id) async throws {
        try await store.upload(key, by: person(7), isViewOnce: true)
        let draft = try MessageDraft.make(
            #"{"type":"flash_image","objectKey":"\#(key)"}"#,
            .flash(key: key),
            id: id,
            from: 7,
            to: 8,
            shown: #"{"type":"flash_image"}"#
        )
        _ = try await store.log.append(draft, rules: .open, at: start)
    }

    static func open(
        _ store: StoreUnderTest,
        device: String,
        by reader: Int64 = 8,
        at now: Int64 = start
    ) async throws -> FlashLease {
        try await store.log.openFlash(
            .client(id: id, sender: person(7)),
            in: chat(7, 8),
            by: person(reader),
            device: device,
            leaseMilliseconds: 45_000,
            at: now
        )
    }

    static func opened(_ store: StoreUnderTest) async throws -> FlashLease {
        try await send(store)
        return try await open(store, device: "phone")
    }

    private func state(_ store: StoreUnderTest) async throws -> StoredMessage.State {
        try await store.log.message(.client(id: Self.id, sender: person(7)), in: chat(7, 8), for: person(8)).state
    }

    @Test("B12: sealed, opened, shown, destroyed, and no step back", arguments: StoreKind.allCases)
    func life(kind: StoreKind) async throws {
        let store = try kind.make()
        try await Self.send(store)
        #expect(try await state(store) == .kept)
        let lease = try await Self.open(store, device: "phone")
        #expect(lease.endsAt == start + 45_000)
        #expect(try await state(store) == .opened)
        let flash = try await store.log.flash(of: lease.secret, person: person(8), device: "phone", at: start + 1)
        #expect(flash.objectKey == Self.key)
        _ = store.told.take()
        try await store.log.destroyFlash(flash, at: start + 2)
        await #expect(throws: ChatHubError.alreadyViewed) { try await store.log.destroyFlash(flash, at: start + 3) }
        #expect(try await state(store) == .destroyed)
        let news = store.told.take()
        let change = ChatChange.destroyed(try chat(7, 8), seq: 1, clientMessageID: Self.id)
        #expect(Set(news.pushes.map(\.person.number)) == [7, 8])
        #expect(news.pushes.map(\.change) == [change, change])
        #expect(news.releasedObjects == [Self.key])
        #expect(try await store.references(to: Self.key) == 0)
        await #expect(throws: ChatHubError.alreadyViewed) {
            try await store.log.flash(of: lease.secret, person: person(8), device: "phone", at: start + 4)
        }
    }

    @Test("a lease is for one person on one device, until it ends", arguments: StoreKind.allCases)
    func lease(kind: StoreKind) async throws {
        let store = try kind.make()
        let lease = try await Self.opened(store)
        for (reader, device, now) in [
            (8, "tablet", start + 1), (7, "phone", start + 1), (8, "phone", start + 45_000),
        ] as [(Int64, String, Int64)] {
            await #expect(throws: ChatHubError.alreadyViewed) {
                try await store.log.flash(of: lease.secret, person: person(reader), device: device, at: now)
            }
        }
        await #expect(throws: ChatHubError.alreadyViewed) {
            try await store.log.flash(of: "guess", person: person(8), device: "phone", at: start + 1)
        }
        // A transfer that broke goes on under the same lease.
        for _ in 0..<2 {
            _ = try await store.log.flash(of: lease.secret, person: person(8), device: "phone", at: start + 44_999)
        }
    }

    @Test("its sender cannot open it, and a stranger learns nothing", arguments: StoreKind.allCases)
    func openers(kind: StoreKind) async throws {
        let store = try kind.make()
        try await Self.send(store)
        await #expect(throws: ChatHubError.viewOnce) { try await Self.open(store, device: "phone", by: 7) }
        await #expect(throws: ChatHubError.notMember) { try await Self.open(store, device: "phone", by: 9) }
        #expect(try await state(store) == .kept)
    }

    @Test("of a thousand that race to open it one wins, ten times over", arguments: StoreKind.allCases, 1...5)
    func races(kind: StoreKind, round: Int) async throws {
        let store = try kind.make()
        try await Self.send(store)
        let winners = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<1000 {
                group.addTask { (try? await Self.open(store, device: "device-\(number)")) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
    }

    @Test(
        "B13: nobody gets an address of it, its sender neither; and no answer holds its key",
        arguments: StoreKind.allCases
    )
    func access(kind: StoreKind) async throws {
        let store = try kind.make()
        try await Self.send(store)
        for reader: Int64 in [7, 8] {
            #expect(try await store.log.access(to: Self.key, of: person(reader)) == .viewOnce)
            for message in try await store.log.all(7, 8, for: reader) { #expect(!message.words.contains(Self.key)) }
        }
        for push in store.told.all.pushes { #expect(!"\(push)".contains(Self.key)) }
    }

    @Test("one picture goes with one message", arguments: StoreKind.allCases)
    func oneMessage(kind: StoreKind) async throws {
        let store = try kind.make()
        try await Self.send(store)
        let again = try MessageDraft.make(
            "{}",
            .flash(key: Self.key),
            id: "other",
            from: 7,
            to: 9,
            shown: "{}"
        )
        await #expect(throws: ChatHubError.unknownObject) {
            try await store.log.append(again, rules: .open, at: start)
        }
        #expect(try await store.references(to: Self.key) == 1)
    }

    @Test(
        "B15: that it was seen destroys it, and neither counts nor previews nor notifies",
        arguments: StoreKind.allCases
    )
    func viewed(kind: StoreKind) async throws {
        let store = try kind.make()
        try await Self.send(store)
        _ = store.told.take()
        let viewed = try MessageDraft.make("{}", .flashViewed(target: Self.id), id: "v", from: 8, to: 7)
        _ = try await store.log.append(viewed, rules: .open, at: start)
        #expect(try await state(store) == .destroyed)
        let news = store.told.take()
        #expect(news.notices.isEmpty)
        #expect(news.releasedObjects == [Self.key])
        #expect(try await store.log.unread(7, 8, for: 7) == 0)
        let summary = try await store.log.summary(of: chat(7, 8), for: person(7))
        #expect(summary.lastMessage?.seq == 1)
        // Retried until it is acknowledged (B15).
        #expect(try await store.log.append(viewed, rules: .open, at: start).isRepeat)
    }

    @Test("only its receiver says that it was seen", arguments: StoreKind.allCases)
    func viewers(kind: StoreKind) async throws {
        let store = try kind.make()
        try await Self.send(store)
        let bySender = try MessageDraft.make("{}", .flashViewed(target: Self.id), id: "v", from: 7, to: 8)
        await #expect(throws: ChatHubError.notFound) {
            try await store.log.append(bySender, rules: .open, at: start)
        }
        let unknown = try MessageDraft.make("{}", .flashViewed(target: "x"), id: "w", from: 8, to: 7)
        await #expect(throws: ChatHubError.notFound) {
            try await store.log.append(unknown, rules: .open, at: start)
        }
        #expect(try await state(store) == .kept)
        #expect(try await store.log.say("next", from: 8, to: 7).seq == 2)
    }

    @Test("the end of a lease, and two weeks unopened, destroy it", arguments: StoreKind.allCases, [true, false])
    func sweep(kind: StoreKind, isOpened: Bool) async throws {
        let store = try kind.make()
        try await Self.send(store)
        if isOpened { _ = try await Self.open(store, device: "phone") }
        let end = isOpened ? start + 45_000 : start + 14 * 86_400_000
        #expect(try await store.log.sweepFlashes(at: end - 1, limit: 10) == 0)
        #expect(try await store.log.sweepFlashes(at: end, limit: 10) == 1)
        #expect(try await state(store) == .destroyed)
        #expect(try await store.references(to: Self.key) == 0)
        // Due but not swept: nobody opens it any more.
        await #expect(throws: ChatHubError.alreadyViewed) {
            try await Self.open(store, device: "phone", at: end)
        }
    }

    @Test("taking it back destroys it", arguments: StoreKind.allCases)
    func recall(kind: StoreKind) async throws {
        let store = try kind.make()
        try await Self.send(store)
        _ = try await store.log.recall(.seq(1), in: chat(7, 8), by: person(7), window: nil, at: start)
        #expect(try await store.references(to: Self.key) == 0)
        await #expect(throws: ChatHubError.alreadyViewed) { try await Self.open(store, device: "phone") }
    }

    @Test("the key of a picture that was seen is gone from the files, journal and all")
    func bytes() async throws {
        let folder = try TemporaryFolder()
        let store = try StoreUnderTest(in: folder)
        let lease = try await Self.opened(store)
        try await store.database.write { try $0.execute(sql: "UPDATE test_object SET key = 'x'") }
        #expect(try folder.holds(Self.key))
        let flash = try await store.log.flash(of: lease.secret, person: person(8), device: "phone", at: start)
        try await store.log.destroyFlash(flash, at: start)
        #expect(try await store.log.scrub())
        try await store.database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        #expect(try !folder.holds(Self.key))
    }
}
