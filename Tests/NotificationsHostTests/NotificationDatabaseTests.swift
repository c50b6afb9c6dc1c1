import CommandServer
import Commands
import FeatureTesting
import Foundation
import GRDB
import Kernel
import KernelTesting
import Notifications
import Storage
import Testing

@testable import NotificationsHost

@Suite("Notifications: the history of a computer", .timeLimit(.minutes(1)))
struct NotificationDatabaseTests {
    @Test("the newest come first, with totals and unread counts that are kept rather than counted")
    func pages() async throws {
        let computer = try Computer()
        for number in 1...5 { try await computer.say("n\(number)", by: "p\(number)") }
        let page = try await computer.history(.init(limit: 2, offset: 1))
        #expect(page.notifications.map(\.title) == ["n4", "n3"])
        #expect(page.total == 5)
        #expect(page.unreadCount == 5)
        #expect(page.upTo == 5)
        #expect(try await computer.history(.init(text: "---")).upTo == 5)
        let first = try #require(page.notifications.first)
        _ = try await computer.store.write(.read([first.id], by: .device(Caller.ada.id)))
        #expect(try await computer.titles(.init(isUnreadOnly: true)) == ["n5", "n3", "n2", "n1"])
        #expect(try await computer.history(.init(isUnreadOnly: true)).total == 4)
        #expect(try await computer.titles(.init(program: "p2")) == ["n2"])
        #expect(try await computer.history(.init(program: "p2")).total == 1)
        #expect(try await computer.titles(.init(limit: 2, offset: 3)) == ["n2", "n1"])
        #expect(try await computer.titles(.init(limit: 9, offset: 4)) == ["n1"])
        #expect(try await computer.titles(.init(limit: 1, offset: 3)) == ["n2"])
        #expect(try await computer.titles(.init(offset: 5)) == [])
        // What comes meanwhile does not move the next page.
        try await computer.say("n6")
        #expect(try await computer.titles(.init(limit: 2, before: first.id)) == ["n3", "n2"])
        await #expect(throws: NotificationsError.unknown(id: "none")) {
            try await computer.store.history(.init(before: "none"), for: .owner)
        }
    }

    @Test(
        "one of the same key and program replaces the earlier one under its id; low ones and progress do not alert again"
    )
    func keys() async throws {
        let computer = try Computer()
        let first = try #require(await computer.say("10 %", by: "copy", key: "k", progress: 10))
        try await computer.say("other", by: "copy")
        let second = try #require(await computer.say("20 %", by: "copy", key: "k", progress: 20))
        #expect(second.notification.id == first.notification.id)
        #expect(second.alert == first.alert)
        #expect(second.sequence > first.sequence)
        #expect(try await computer.titles() == ["other", "20 %"])
        _ = try await computer.store.write(.read([first.notification.id], by: .owner))
        let quiet = try #require(await computer.say("30 %", by: "copy", key: "k", progress: 30))
        #expect(quiet.notification.isRead)
        // Done: it wants to be noticed again, comes first, and is unread.
        let done = try #require(await computer.say("done", by: "copy", key: "k"))
        #expect(done.notification.id == first.notification.id)
        #expect(done.alert == done.sequence)
        #expect(!done.notification.isRead)
        #expect(try await computer.titles() == ["done", "other"])
        #expect(try await computer.history().unreadCount == 2)
        #expect(try await computer.history().total == 2)
        // The same key of another program is another one.
        #expect(try await computer.say("mine", by: "paste", key: "k")?.notification.id != first.notification.id)
        let low = try #require(await computer.say("low", by: "copy", key: "l", priority: .low))
        #expect(try await computer.say("lower", by: "copy", key: "l", priority: .low)?.alert == low.alert)
    }

    @Test("words of title, body and program are found, the last one by its beginning, also in scripts without spaces")
    func search() async throws {
        let computer = try Computer()
        try await computer.say("Build finished", by: "make", body: "all tests passed")
        try await computer.say("Nachricht", by: "Müller", body: "später")
        try await computer.say("会议开始", by: "calendar")
        #expect(try await computer.titles(.init(text: "tests bui")) == ["Build finished"])
        #expect(try await computer.titles(.init(text: "muller")) == ["Nachricht"])
        #expect(try await computer.titles(.init(text: "会议")) == ["会议开始"])
        #expect(try await computer.titles(.init(text: "make OR calendar")) == [])
        #expect(try await computer.titles(.init(text: "\" NEAR(a *")) == [])
        #expect(try await computer.titles(.init(text: "---")) == [])
        let found = try await computer.history(.init(text: "passed"))
        #expect(found.total == 1)
        // What is deleted or says something else is not found any more.
        _ = try await computer.store.write(.delete([found.notifications[0].id], by: .owner))
        #expect(try await computer.titles(.init(text: "passed")) == [])
        try await computer.say("first words", by: "x", key: "k")
        try await computer.say("second words", by: "x", key: "k")
        #expect(try await computer.titles(.init(text: "first")) == [])
        #expect(try await computer.titles(.init(text: "words")) == ["second words"])
        try await computer.database.write {
            try $0.execute(sql: "INSERT INTO notification_words (notification_words) VALUES ('integrity-check')")
        }
    }

    @Test("new rows of one transaction are found, also where others of it are replaced, deleted or removed")
    func searchedTogether() async throws {
        let computer = try Computer()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    let key = number % 3 == 0 ? "k\(number % 4)" : nil
                    try await computer.say("title \(number)", by: "p\(number % 7)", key: key)
                    let row = try await computer.history(.init(limit: 1)).notifications.first
                    guard number % 5 == 0, let row else { return }
                    _ = try await computer.store.write(.delete([row.id], by: .owner))
                }
            }
            try await group.waitForAll()
        }
        let titles = try await computer.titles(.init(limit: 100))
        #expect(titles.count > 10)
        #expect(try await computer.titles(.init(limit: 100, text: "tit")) == titles)
        #expect(try await computer.history(.init(text: "title")).total == titles.count)
        #expect(try await computer.history().total == titles.count)
        try await computer.database.write {
            try $0.execute(sql: "INSERT INTO notification_words (notification_words) VALUES ('integrity-check')")
        }
    }

    @Test("a page by its number is the same part of every list, whatever numbers its rows have")
    func pagesByNumber() async throws {
        let computer = try Computer()
        for number in 1...40 {
            // Numbers far apart.
            if number % 10 == 0 {
                try await computer.database.write {
                    try $0.execute(
                        sql: "UPDATE notification_state SET sequence = sequence + ?",
                        arguments: [(number == 20 ? 2 : 1) << 15]
                    )
                }
            }
            let circumstances = Computer.Circumstances(
                device: number % 6 == 0 ? Caller.bo.id : number % 7 == 0 ? Caller.ada.id : ""
            )
            try await computer.say("n\(number)", by: "p\(number % 3)", key: "k\(number)", circumstances)
        }
        // One becomes the newest, and one of the oldest is read and one deleted.
        try await computer.say("n3", by: "p0", key: "k3")
        let ids = try await computer.history(.init(limit: 50), as: NotificationOwner.caller).notifications.map(\.id)
        _ = try await computer.store.write(.read([ids[37]], by: .owner))
        _ = try await computer.store.write(.delete([ids[38]], by: .owner))
        for caller in [NotificationOwner.caller, .ada, .bo] {
            for query in [NotificationHistoryQuery(), .init(isUnreadOnly: true), .init(program: "p1")] {
                var whole = query
                whole.limit = 100
                let all = try await computer.history(whole, as: caller)
                #expect(all.total == all.notifications.count)
                #expect(all.total > 5)
                for offset in 0...all.total + 1 {
                    var page = query
                    (page.limit, page.offset) = (4, offset)
                    let found = try await computer.history(page, as: caller).notifications
                    #expect(found.map(\.id) == all.notifications.map(\.id).dropFirst(offset).prefix(4).map(\.self))
                }
            }
        }
    }

    @Test("a search knows its whole number behind its last page, and narrows by program, reader and what is unread")
    func narrowedSearch() async throws {
        let computer = try Computer()
        for number in 1...9 {
            let device = number == 4 ? Caller.bo.id : ""
            try await computer.say("word n\(number)", by: number % 2 == 0 ? "even" : "odd, even", .init(device: device))
        }
        let page = try await computer.history(.init(limit: 2, offset: 3, text: "wor"))
        #expect(page.notifications.map(\.title) == ["word n6", "word n5"])
        #expect(page.total == 8)
        #expect(try await computer.history(.init(offset: 5000, text: "wor")).total == 8)
        #expect(try await computer.titles(.init(text: "word", program: "even")) == ["word n8", "word n6", "word n2"])
        #expect(try await computer.history(.init(text: "wor", program: "even"), as: .bo).total == 4)
        #expect(try await computer.titles(.init(text: "word", program: "---")) == [])
        for row in try await computer.history(.init(text: "n7 word")).notifications {
            _ = try await computer.store.write(.read([row.id], by: .owner))
        }
        #expect(try await computer.titles(.init(isUnreadOnly: true, text: "word", program: "odd, even")).count == 4)
        _ = try await computer.store.write(.readAll(upTo: .max, by: .owner, from: .min))
        #expect(try await computer.titles(.init(isUnreadOnly: true, text: "word")) == [])
    }

    @Test("the tables of an earlier version are counted and indexed anew, with everything they held")
    func migration() async throws {
        let earlier = try DatabaseQueue()
        let now = ManualClock().date.millisecondsSince1970
        try Schema("earlier", [[NotificationTables.migrations[0]]]).apply(to: earlier)
        try await earlier.write { database in
            // What the first version had besides, and later ones dropped.
            try database.execute(
                sql: """
                    CREATE INDEX notification_everyones ON notification (alert) WHERE state = 0;
                    CREATE INDEX notification_unread ON notification (device, alert) WHERE isRead = 0 AND state < 2;
                    CREATE TABLE notification_count (
                        device TEXT NOT NULL, program TEXT NOT NULL, total INTEGER NOT NULL, unread INTEGER NOT NULL,
                        lastAt INTEGER NOT NULL, PRIMARY KEY (device, program)
                    ) WITHOUT ROWID;
                    CREATE TRIGGER notification_counted AFTER INSERT ON notification WHEN new.state = 0 BEGIN
                        INSERT INTO notification_count VALUES (new.device, new.program, 1, new.isRead = 0, new.createdAt)
                            ON CONFLICT DO UPDATE SET total = total + 1;
                    END;
                    CREATE VIRTUAL TABLE notification_words USING fts5 (
                        words, content = 'notification', content_rowid = 'alert', columnsize = 0, prefix = '2 3',
                        tokenize = "unicode61 remove_diacritics 2"
                    );
                    CREATE TRIGGER notification_indexed AFTER INSERT ON notification WHEN new.state = 0 BEGIN
                        INSERT INTO notification_words (rowid, words) VALUES (new.alert, new.words);
                    END;
                    """
            )
            for number in 1...30 {
                try database.execute(
                    sql: """
                        INSERT INTO notification (alert, id, sequence, state, device, program, title, body, priority, isRead, origin,
                            createdAt, changedAt, words)
                        VALUES (?, ?, ?, ?, ?, ?, ?, '', 'normal', ?, 'pc', ?, ?, ?)
                        """,
                    arguments: [
                        number << 13, "id\(number)", number << 13, number == 1 ? 1 : 0,
                        number % 5 == 0 ? Caller.bo.id : "", "p\(number % 2)", "title \(number)", number % 3 == 0,
                        now, now, "title \(number) p\(number % 2)",
                    ]
                )
            }
            try database.execute(sql: "UPDATE notification_state SET sequence = 30 << 13")
        }
        try Schema("now", [NotificationTables.migrations]).apply(to: earlier)
        let computer = try Computer(database: earlier)
        let all = try await computer.history(.init(limit: 50))
        #expect(all.notifications.count == 23)
        #expect(all.total == 23)
        #expect(all.unreadCount == 15)
        #expect(try await computer.history(.init(program: "p1")).total == 11)
        #expect(try await computer.titles(.init(limit: 2, offset: 20)) == ["title 4", "title 3"])
        #expect(try await computer.history(.init(text: "titl")).total == 23)
        #expect(try await computer.history(.init(text: "title"), as: NotificationOwner.caller).total == 29)
        // What is below the lists is not found, and rows change as they did.
        #expect(try await computer.titles(.init(text: "1")).contains("title 1") == false)
        _ = try await computer.store.write(.delete(["id30", "id29"], by: .owner))
        try await computer.say("title new", by: "p1")
        #expect(try await computer.history(.init(text: "title")).total == 23)
        #expect(try await computer.history().total == 23)
        #expect(try await computer.titles(.init(limit: 2, text: "title")) == ["title new", "title 28"])
    }

    @Test("a search sorts nothing, and reads rows only for what the full text does not know")
    func searchPlans() async throws {
        let computer = try Computer()
        let words = try #require(SearchWords("some wor"))
        for (query, reader, readsRows) in [
            (NotificationHistoryQuery(), NotificationReader.owner, false), (.init(), .device("d"), true),
            (.init(isUnreadOnly: true), .owner, true), (.init(program: "p"), .owner, true),
        ] {
            let found = NotificationLists.found(words, query, reader: reader, before: nil)
            let plan = try await computer.database.read { database in
                try database.rows("EXPLAIN QUERY PLAN \(found) LIMIT 50").map { $0["detail"] as String }
            }
            #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
            #expect(plan.first?.contains("notification_words VIRTUAL TABLE") == true, "\(plan)")
            #expect(plan.contains { $0.hasPrefix("SEARCH notification USING INTEGER PRIMARY KEY") } == readsRows)
        }
    }

    @Test("what is for one phone alone is seen by it and the owner, marked by no other, and leaves gaps for the others")
    func targets() async throws {
        let computer = try Computer()
        let ada = NotificationReader.device(Caller.ada.id)
        let bo = NotificationReader.device(Caller.bo.id)
        let row = try #require(await computer.say("for Bo", .init(device: Caller.bo.id)))
        try await computer.say("for all")
        #expect(try await computer.titles() == ["for all"])
        #expect(try await computer.titles(as: .bo) == ["for all", "for Bo"])
        #expect(try await computer.titles(as: NotificationOwner.caller) == ["for all", "for Bo"])
        #expect(try await computer.store.unreadCount(for: ada) == 1)
        #expect(try await computer.store.unreadCount(for: bo) == 2)
        let changes = try await computer.sync(.ada)
        #expect(changes.changes.map(\.title) == ["for all"])
        #expect(changes.reached == 2)
        #expect(try await computer.store.write(.read([row.notification.id], by: ada)).known == 0)
        #expect(try await computer.store.write(.delete([row.notification.id], by: ada)).known == 0)
        #expect(try await computer.store.write(.readAll(upTo: .max, by: ada, from: .min)).changes.count == 1)
        #expect(try await computer.store.unreadCount(for: bo) == 1)
        #expect(try await computer.store.row(row.notification.id, for: ada) == nil)
    }

    @Test("a mark by id leaves a text that came later and counts it as known; one that was only read is reached")
    func marksUpTo() async throws {
        let computer = try Computer()
        let ada = NotificationReader.device(Caller.ada.id)
        let row = try #require(await computer.say("hi", by: "Chat", key: "alice"))
        let id = row.notification.id
        try await computer.say("something else", by: "Chat", key: "alice")
        let peer = ScriptedPeer(computer.skill, as: .ada)
        for method in [NotificationMethods.markAsRead, NotificationMethods.delete] {
            #expect(try await peer.call(method, NotificationIDs([id], upTo: 1)) == NotificationCount(0))
        }
        #expect(try await computer.titles() == ["something else"])
        #expect(try await computer.store.unreadCount(for: ada) == 1)
        _ = try await computer.store.write(.read([id], by: .owner))
        #expect(try await peer.call(NotificationMethods.delete, NotificationIDs([id], upTo: 2)) == NotificationCount(1))
        #expect(try await computer.titles() == [])
    }

    @Test("a phone catches up in pages, and its call is the acknowledgement")
    func catchingUp() async throws {
        let computer = try Computer()
        for number in 1...7 { try await computer.say("n\(number)", by: "p\(number)") }
        let first = try await computer.sync(limit: 3)
        #expect(first.isFromStart)
        #expect(first.hasMore)
        #expect(first.changes.map(\.title) == ["n1", "n2", "n3"])
        let second = try await computer.sync(epoch: first.epoch, after: first.reached, limit: 10)
        #expect(!second.isFromStart)
        #expect(!second.hasMore)
        #expect(second.changes.map(\.title) == ["n4", "n5", "n6", "n7"])
        #expect(second.reached == 7)
        #expect(second.unreadCount == 7)
        _ = try await computer.sync(epoch: first.epoch, after: 7)
        let cursor = try #require(await computer.store.cursors().first)
        #expect(
            cursor
                == .init(
                    device: Caller.ada.id,
                    sequence: 7,
                    seenAt: computer.time.date.millisecondsSince1970,
                    waiting: 0
                )
        )
        // Another database, a number of the future: from the start.
        #expect(try await computer.sync(epoch: "other", after: 7).changes.count == 7)
        #expect(try await computer.sync(epoch: first.epoch, after: 8).isFromStart)
    }

    @Test("of ten thousand tombstones the oldest go")
    func manyTombstones() async throws {
        let computer = try Computer()
        try await computer.pair()
        let limit = NotificationTidying.leftLimit
        let now = computer.time.date.millisecondsSince1970
        try await computer.database.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                    INSERT INTO notification (alert, id, sequence, state, title, body, priority, origin, createdAt, changedAt, words)
                    SELECT i, 'old ' || i, i, 2, '', '', 'normal', 'pc', ?, ?, '' FROM n
                    """,
                arguments: [limit + 50, now, now]
            )
            try database.execute(sql: "UPDATE notification_state SET sequence = ?", arguments: [limit + 50])
        }
        func tombstones() async throws -> Int {
            try await computer.database.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM notification WHERE state = 2") ?? 0
            }
        }
        for number in 0...2 { try await computer.say("\(number)", by: "program \(number)") }
        #expect(try await tombstones() == limit)
        // They are the newest, and a phone that was behind begins anew.
        #expect(try await computer.sync().isFromStart)
        try await computer.database.write {
            try $0.execute(sql: "UPDATE notification SET state = 2, changedAt = ? WHERE state = 0", arguments: [now])
        }
        try await computer.store.tidy()
        #expect(try await tombstones() == limit)
    }

    @Test("a deleted row is a tombstone for a phone that has not passed it, and deleting it again is known")
    func tombstones() async throws {
        let computer = try Computer()
        let row = try #require(await computer.say("secret", by: "p", .init(image: [1, 2, 3])))
        let start = try await computer.sync()
        _ = try await computer.store.write(.delete([row.notification.id], by: .owner))
        #expect(try await computer.store.write(.delete([row.notification.id], by: .owner)).known == 1)
        let page = try await computer.sync(epoch: start.epoch, after: start.reached)
        #expect(page.changes == [.deleted(id: row.notification.id, sequence: 2)])
        #expect(try await computer.store.image(row.notification.id) == nil)
        let left = try await computer.database.read {
            try String.fetchAll($0, sql: "SELECT title || body || words FROM notification")
        }
        #expect(left == [""])
        // It stays a day for a second device's delete, and until the phone has passed it.
        _ = try await computer.sync(epoch: start.epoch, after: page.reached)
        computer.time.advance(by: .seconds(86_401))
        _ = try await computer.store.write(.tidy)
        #expect(try await computer.store.write(.delete([row.notification.id], by: .owner)).known == 0)
        #expect(!(try await computer.sync(epoch: start.epoch, after: page.reached).isFromStart))
        // A phone that never passed it begins from the start.
        #expect(try await computer.sync(.bo, epoch: start.epoch, after: 1).isFromStart)
    }

    @Test("without a phone that catches up, what goes beyond rows or days is gone")
    func limits() async throws {
        let computer = try Computer()
        try await computer.set { $0.historyRows = 10 }
        for number in 1...12 { try await computer.say("n\(number)", by: "p\(number)") }
        #expect(try await computer.history().total == 10)
        #expect(try await computer.rows() == 10)
        computer.time.advance(by: .seconds(8 * 86_400))
        try await computer.say("new")
        #expect(try await computer.titles() == ["new"])
        #expect(try await computer.rows() == 1)
    }

    @Test(
        "what goes beyond the rows leaves the list; a phone is told of it all the same, and its marks reach the others"
    )
    func belowTheList() async throws {
        let computer = try Computer()
        try await computer.set { $0.historyRows = 10 }
        let start = try await computer.sync()
        _ = try await computer.sync(.bo)
        for number in 1...20 { try await computer.say("n\(number)", by: "p\(number)") }
        #expect(try await computer.titles(.init(limit: 1, offset: 9)) == ["n11"])
        #expect(try await computer.titles(.init(limit: 1, offset: 10)) == [])
        #expect(try await computer.titles(.init(text: "n3")) == [])
        #expect(try await computer.history().unreadCount == 10)
        let page = try await computer.sync(epoch: start.epoch, after: start.reached)
        #expect(page.changes.map(\.title) == (1...20).map { "n\($0)" })
        guard case .kept(let third) = page.changes[2] else { Issue.record("no row"); return }
        // Both phones have it still.
        _ = try await computer.store.write(.read([third.id], by: .device(Caller.ada.id)))
        let bos = try await computer.sync(.bo, epoch: start.epoch, after: page.reached)
        #expect(bos.changes.map(\.title) == ["n3"])
        // Days are over for all of it, once both have passed it.
        computer.time.advance(by: .seconds(8 * 86_400))
        for phone in [Caller.ada, .bo] { _ = try await computer.sync(phone, epoch: start.epoch, after: bos.reached) }
        #expect(try await computer.titles() == [])
        #expect(try await computer.rows() == 0)
        // A phone that was away for a month holds nothing up, and begins from the start.
        try await computer.say("missed")
        computer.time.advance(by: .seconds(31 * 86_400))
        try await computer.say("newer")
        #expect(try await computer.rows() == 1)
        #expect(try await computer.sync(epoch: start.epoch, after: bos.reached).isFromStart)
    }

    @Test("a phone that misses what the limits removed begins from the start once, and goes on from there")
    func fromStart() async throws {
        let computer = try Computer()
        try await computer.set { $0.historyRows = 10 }
        let start = try await computer.sync()
        for number in 1...30 { try await computer.say("n\(number)", by: "p\(number)") }
        computer.time.advance(by: .seconds(31 * 86_400))
        for number in 31...40 { try await computer.say("n\(number)", by: "p\(number)") }
        var page = try await computer.sync(epoch: start.epoch, after: start.reached, limit: 4)
        #expect(page.isFromStart)
        var titles = page.changes.map(\.title)
        while page.hasMore {
            page = try await computer.sync(epoch: page.epoch, after: page.reached, limit: 4)
            #expect(!page.isFromStart)
            titles += page.changes.map(\.title)
        }
        #expect(titles == (31...40).map { "n\($0)" })
    }

    @Test(
        "a phone that begins from the start gets the newest notifications, however many older ones changed after they came",
        arguments: [("deleted", 2, ""), ("read", 0, ""), ("read, by another phone alone", 0, "did:key:other")]
    )
    func startBehindManyChanges(what: String, state: Int, audience: String) async throws {
        let computer = try Computer()
        try await computer.set { $0.historyRows = 20_000 }
        let count = NotificationCursors.startLimit + 50
        try await computer.database.write {
            try $0.execute(sql: "UPDATE notification_state SET sequence = ?", arguments: [count])
        }
        for number in 1...3 { try await computer.say("n\(number)", by: "p\(number)") }
        let now = computer.time.date.millisecondsSince1970
        try await computer.database.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :count)
                    INSERT INTO notification (alert, id, sequence, state, device, title, body, priority, isRead, origin, createdAt,
                        changedAt, words)
                    SELECT i, 'old ' || i, :count + 3 + i, :state, :audience, '', '', 'normal', 1, 'pc', :now, :now, '' FROM n
                    """,
                arguments: ["count": count, "state": state, "audience": audience, "now": now]
            )
            try database.execute(
                sql: """
                    INSERT INTO notification_words (rowid, words)
                    SELECT alert, words FROM notification WHERE alert <= ?
                    """,
                arguments: [count]
            )
            try database.execute(sql: "UPDATE notification_state SET sequence = 2 * ? + 3", arguments: [count])
        }
        let page = try await computer.sync(limit: 3)
        #expect(page.isFromStart)
        #expect(page.changes.map(\.title) == ["n1", "n2", "n3"])
    }

    @Test("marking all ends at the number that the person had seen, also in more parts than one")
    func upTo() async throws {
        let computer = try Computer()
        try await computer.set { $0.historyRows = 5000 }
        for number in 1...(NotificationWriting.part * 2 + 5) {
            _ = try await computer.store.write(.add(NewNotificationRow(title: "n\(number)", body: "")))
        }
        let count = NotificationWriting.part + 3
        let client = ScriptedPeer(computer.skill)
        let marked = try await client.call(NotificationMethods.markAllAsRead, AllNotifications(upTo: Int64(count)))
        #expect(marked.count == count)
        #expect(try await computer.history().unreadCount == NotificationWriting.part + 2)
        let cleared = try await client.call(NotificationMethods.clearAll, AllNotifications(upTo: Int64(count + 1)))
        // What was only read since says what the person saw.
        #expect(cleared.count == count + 1)
        #expect(try await client.call(NotificationMethods.clearAll, AllNotifications()).count == count - 2)
        #expect(try await computer.history().total == 0)
    }

    @Test("which phone got what and when")
    func deliveries() async throws {
        let computer = try Computer()
        let start = try await computer.sync()
        let row = try #require(await computer.say("n"))
        #expect(
            try await computer.store.deliveries(of: row.notification.id) == [
                .init(device: Caller.ada.id, at: nil, isAcknowledged: false)
            ]
        )
        computer.time.advance(by: .seconds(5))
        _ = try await computer.sync(epoch: start.epoch, after: row.sequence)
        let at = computer.time.date.millisecondsSince1970
        computer.time.advance(by: .seconds(5))
        try await computer.say("later")
        _ = try await computer.sync(epoch: start.epoch, after: row.sequence + 1)
        #expect(
            try await computer.store.deliveries(of: row.notification.id) == [
                .init(device: Caller.ada.id, at: at, isAcknowledged: true)
            ]
        )
    }

    @Test("everything is there after a restart, and is the same database's")
    func restart() async throws {
        let computer = try Computer()
        let row = try #require(await computer.say("n", by: "p"))
        let start = try await computer.sync()
        try await computer.set { $0.historyRows = 77 }
        _ = try await computer.store.write(.allow(program: "loud", false))
        await computer.skill.close()
        let again = try Computer(time: computer.time, database: computer.database)
        #expect(again.store.settings.historyRows == 77)
        #expect(!again.store.isAllowed("loud"))
        #expect(again.store.syncingDevices == [Caller.ada.id])
        let page = try await again.sync(epoch: start.epoch, after: start.reached)
        #expect(!page.isFromStart)
        #expect(page.changes.isEmpty)
        #expect(try await again.history().notifications == [row.notification])
        await #expect(throws: StorageError.busy) { try await computer.say("closed") }
    }

    /// A copy of the database as it is now, as a backup keeps it.
    private func copy(_ computer: Computer) throws -> DatabaseQueue {
        let copy = try DatabaseQueue()
        try computer.database.backup(to: copy)
        return copy
    }

    @Test("after a backup was restored, a phone that was further on begins anew and gets what came since")
    func restored() async throws {
        let computer = try Computer()
        let kept = try #require(await computer.say("kept", by: "p"))
        let start = try await computer.sync()
        let early = try await computer.sync(.bo)
        let backup = try copy(computer)
        for number in 1...5 { try await computer.say("lost \(number)", by: "p") }
        let ahead = try await computer.sync(epoch: start.epoch, after: start.reached)
        #expect(ahead.changes.count == 5)
        await computer.skill.close()

        computer.time.advance(by: .seconds(60))
        let again = try Computer(time: computer.time, database: backup)
        #expect(try again.store.epoch() == start.epoch)
        // More than was lost, before the phone comes: by their numbers alone it would have missed them.
        for number in 1...9 { try await again.say("new \(number)", by: "q\(number)") }
        var page = try await again.sync(epoch: start.epoch, after: ahead.reached)
        #expect(page.isFromStart)
        #expect(page.changes.map(\.title) == ["kept"] + (1...9).map { "new \($0)" })
        // What is new has a number above all that the phone has dealt with, so it is shown.
        for case .kept(let notification) in page.changes where notification.id != kept.notification.id {
            #expect(notification.alert ?? 0 > ahead.reached)
        }
        page = try await again.sync(epoch: page.epoch, after: page.reached)
        #expect(!page.isFromStart && page.changes.isEmpty)
        // A phone that was no further than the backup misses nothing and keeps what it has.
        let bos = try await again.sync(.bo, epoch: early.epoch, after: early.reached)
        #expect(!bos.isFromStart)
        #expect(bos.changes.map(\.title) == (1...9).map { "new \($0)" })
        // The person at the computer follows by the same numbers.
        let owner = try await again.store.changes(.init(epoch: start.epoch, after: ahead.reached))
        #expect(owner.isFromStart)
        await again.skill.close()
    }

    @Test("a backup from before the first notification gives no number again either, and a new database counts from 1")
    func restoredEmpty() async throws {
        let computer = try Computer()
        let backup = try copy(computer)
        for number in 1...3 { try await computer.say("lost \(number)", by: "p") }
        let ahead = try await computer.sync()
        #expect(ahead.reached == 3)
        await computer.skill.close()

        computer.time.advance(by: .seconds(60))
        let again = try Computer(time: computer.time, database: backup)
        for number in 1...5 { try await again.say("new \(number)", by: "p") }
        let page = try await again.sync(epoch: ahead.epoch, after: ahead.reached)
        #expect(page.isFromStart)
        #expect(page.changes.map(\.title) == (1...5).map { "new \($0)" })
        await again.skill.close()
    }

    @Test("a phone that was told something by each of several programs goes on, whichever was the last")
    func severalPrograms() async throws {
        var computer = try Computer()
        try await computer.say("n", by: "p")
        let first = try await computer.sync()
        var reached = [first.reached]
        for _ in 1...3 {
            await computer.skill.close()
            computer = try Computer(time: computer.time, database: computer.database)
            // Nothing new: what it is told here is the number that this program began with.
            reached.append(try await computer.sync(epoch: first.epoch, after: reached.last ?? 0).reached)
        }
        #expect(reached == reached.sorted() && Set(reached).count == reached.count)
        for number in reached {
            #expect(try await computer.sync(.bo, epoch: first.epoch, after: number).isFromStart == false)
            #expect(try await computer.sync(.bo, epoch: first.epoch, after: number + 1).isFromStart)
        }
        await computer.skill.close()
    }

    @Test(
        "a page of any list, a search and a phone's catching up use an index and sort nothing",
        arguments: [
            NotificationHistoryQuery(), .init(isUnreadOnly: true), .init(program: "p"),
            .init(isUnreadOnly: true, program: "p"),
        ],
        [NotificationReader.owner, .device("d"), .limited("d", since: 5)]
    )
    func plans(query: NotificationHistoryQuery, reader: NotificationReader) async throws {
        let computer = try Computer()
        let page = NotificationLists.page(query, reader: reader, before: nil, offset: 0)
        let lines = try await computer.database.read { database in
            try database.rows("EXPLAIN QUERY PLAN \(page)").map { $0["detail"] as String }
        }
        #expect(!lines.isEmpty)
        for line in lines {
            #expect(!line.contains("TEMP B-TREE"), "\(lines)")
            #expect(!line.hasPrefix("SCAN") || line.contains("INDEX"), "\(lines)")
        }
        let plan = try await computer.database.read { database in
            try Row.fetchAll(
                database,
                sql: "EXPLAIN QUERY PLAN SELECT * FROM notification WHERE sequence > 5 ORDER BY sequence"
            ).map { $0["detail"] as String }
        }
        #expect(plan.count == 1)
        #expect(plan[0].hasPrefix("SEARCH"))
    }

    @Test("an offset beyond all numbers is a page behind the last one", arguments: ["", "text"])
    func farOffset(words: String) async throws {
        let computer = try Computer()
        try await computer.say("n1", by: "p")
        let page = try await computer.history(.init(limit: 500, offset: .max, text: words))
        #expect(page.notifications.isEmpty)
        #expect(page.hasMore == false)
        #expect(page.total == 1)
    }

    @Test("an answer is never larger than one may be, however long the texts are")
    func size() async throws {
        let computer = try Computer()
        let body = String(repeating: "\"quoted\\\" ", count: 1600)
        for number in 0..<120 { try await computer.say("n\(number)", by: "p\(number)", body: body) }
        let page = try await computer.history(.init(limit: 500))
        #expect(AnswerSize.fits(page.wire))
        #expect(page.total == 120)
        #expect(page.notifications.count > 5)
        #expect(page.hasMore == true)
        var changes = try await computer.sync(limit: 500)
        var count = changes.changes.count
        while changes.hasMore {
            #expect(AnswerSize.fits(changes.wire))
            changes = try await computer.sync(epoch: changes.epoch, after: changes.reached, limit: 500)
            count += changes.changes.count
        }
        #expect(count == 120)
    }
}

extension Computer {
    /// All that the table holds.
    func rows() async throws -> Int {
        try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM notification") ?? 0 }
    }
}
