import Accounts
import Chat
import ChatHub
import Foundation
import Storage
import Testing

/// The rules that every store of messages keeps.
@Suite("The log of messages", .timeLimit(.minutes(2)))
struct MessageLogTests {
    @Test(
        "I1: seqs begin at 1 and go on without gaps in each conversation, whoever sends",
        arguments: StoreKind.allCases
    )
    func seqs(kind: StoreKind) async throws {
        let log = try kind.make().log
        var seqs: [Int64] = []
        for number in 0..<6 {
            let sender: Int64 = number.isMultiple(of: 2) ? 7 : 8
            seqs.append(try await log.say("\(number)", from: sender, to: 15 - sender).seq)
        }
        #expect(seqs == [1, 2, 3, 4, 5, 6])
        #expect(try await log.say("elsewhere", from: 7, to: 9).seq == 1)
    }

    @Test("I1: concurrent senders get every seq once", arguments: StoreKind.allCases)
    func concurrentSeqs(kind: StoreKind) async throws {
        let log = try kind.make().log
        let seqs = try await withThrowingTaskGroup(of: Int64.self) { group in
            for number in 0..<400 {
                let sender: Int64 = number.isMultiple(of: 2) ? 7 : 8
                group.addTask { try await log.say("\(number)", from: sender, to: 15 - sender).seq }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted()
        }
        #expect(seqs == Array(1...400))
    }

    @Test("I2: a repeat gets the first acknowledgement and is not stored again", arguments: StoreKind.allCases)
    func repeats(kind: StoreKind) async throws {
        let store = try kind.make()
        let first = try await store.log.say("hello", id: "a", from: 7, to: 8)
        _ = store.told.take()
        let second = try await store.log.say("hello", id: "a", from: 7, to: 8, at: start + 5000)
        #expect(second.isRepeat)
        #expect(second.seq == first.seq)
        #expect(second.serverMessageID == first.serverMessageID)
        #expect(second.sendTime == first.sendTime)
        #expect(try await store.log.all(7, 8, for: 8).count == 1)
        #expect(store.told.take().pushes.isEmpty)
    }

    @Test("I2: another content, or another conversation, under a used id is refused", arguments: StoreKind.allCases)
    func otherContent(kind: StoreKind) async throws {
        let log = try kind.make().log
        try await log.say("hello", id: "a", from: 7, to: 8)
        await #expect(throws: ChatHubError.duplicateID) { try await log.say("bye", id: "a", from: 7, to: 8) }
        await #expect(throws: ChatHubError.duplicateID) { try await log.say("hello", id: "a", from: 7, to: 9) }
        // The id is the sender's: another person may use it.
        try await log.say("hello", id: "a", from: 8, to: 7)
    }

    @Test("I2: the words of the notification are no part of the message", arguments: StoreKind.allCases)
    func pushTextIsNoContent(kind: StoreKind) async throws {
        let log = try kind.make().log
        let one = try MessageDraft.text("hello", id: "a", from: 7, to: 8, pushText: "hello")
        let other = try MessageDraft.text("hello", id: "a", from: 7, to: 8, pushText: "something")
        _ = try await log.append(one, rules: .open, at: start)
        #expect(try await log.append(other, rules: .open, at: start).isRepeat)
    }

    @Test(
        "R4: ids come back exactly as they were sent",
        arguments: StoreKind.allCases,
        [
            "5D0E7B1A-93C4-4A5E-8F3B-0123456789AB", "5d0e7b1a-93c4-4a5e-8f3b-0123456789ab",
            "5d0e7b1a93c44a5e8f3b0123456789ab", "5D0E7B1A93C44A5E8F3B0123456789AB",
            "5d0e7B1a-93c4-4a5e-8f3b-0123456789ab",
            "sq-5d0e7b1a", "x", "------------------------------------",
        ]
    )
    func ids(kind: StoreKind, id: String) async throws {
        let log = try kind.make().log
        #expect(try await log.say("hello", id: id, from: 7, to: 8).clientMessageID == id)
        #expect(try await log.all(7, 8, for: 8).map(\.clientMessageID) == [id])
        let found = try await log.message(.client(id: id, sender: person(7)), in: chat(7, 8), for: person(8))
        #expect(found.seq == 1)
    }

    @Test(
        "I3: what is pushed is found at once, and nothing is pushed of what was refused",
        arguments: StoreKind.allCases
    )
    func pushes(kind: StoreKind) async throws {
        let store = try kind.make()
        let ack = try await store.log.say("hello", id: "a", from: 7, to: 8)
        let pushes = store.told.take().pushes
        let message = try await store.log.message(.seq(ack.seq), in: chat(7, 8), for: person(8))
        #expect(
            try pushes == [
                ChatPush(person: person(8), change: .message(message)),
                ChatPush(person: person(7), change: .message(message), origin: "device-7"),
            ]
        )
        await #expect(throws: ChatHubError.duplicateID) { try await store.log.say("bye", id: "a", from: 7, to: 8) }
        #expect(store.told.take().pushes.isEmpty)
    }

    @Test(
        "I7: unread counts the peer's messages behind the cursor, and own and control messages never",
        arguments: StoreKind.allCases
    )
    func unread(kind: StoreKind) async throws {
        let log = try kind.make().log
        for number in 0..<3 { try await log.say("\(number)", from: 7, to: 8) }
        _ = try await log.append(.make("{}", .control, id: "c", from: 7, to: 8), rules: .open, at: start)
        try await log.say("mine", from: 8, to: 7)
        #expect(try await log.unread(7, 8, for: 8) == 3)
        #expect(try await log.unread(7, 8, for: 7) == 1)
        let cursor = try await log.read(chat(7, 8), by: person(8), upTo: 2, tellsPeer: true, origin: nil, at: start)
        #expect(cursor == 2)
        #expect(try await log.unread(7, 8, for: 8) == 1)
        // Back, and beyond the end.
        #expect(try await log.read(chat(7, 8), by: person(8), upTo: 1, tellsPeer: true, origin: nil, at: start) == 2)
        #expect(try await log.read(chat(7, 8), by: person(8), upTo: 99, tellsPeer: true, origin: nil, at: start) == 5)
        #expect(try await log.unread(7, 8, for: 8) == 0)
    }

    @Test(
        "I7: an own message moves the own cursor only where nothing before it is unread",
        arguments: StoreKind.allCases
    )
    func ownCursor(kind: StoreKind) async throws {
        let log = try kind.make().log
        try await log.say("1", from: 7, to: 8)
        #expect(try await log.summary(of: chat(7, 8), for: person(7)).seqs.readSeq == 1)
        try await log.say("2", from: 8, to: 7)
        try await log.say("3", from: 7, to: 8)
        #expect(try await log.summary(of: chat(7, 8), for: person(7)).seqs.readSeq == 1)
        #expect(try await log.unread(7, 8, for: 7) == 1)
    }

    @Test("I8: times of a conversation never go back, whatever the clock does", arguments: StoreKind.allCases)
    func times(kind: StoreKind) async throws {
        let log = try kind.make().log
        var times: [Int64] = []
        for offset: Int64 in [0, 500, -90_000, 400, 501] {
            times.append(try await log.say("x", from: 7, to: 8, at: start + offset).sendTime - start)
        }
        #expect(times == [0, 500, 500, 500, 501])
    }

    @Test("I9: clearing hides history from one person alone", arguments: StoreKind.allCases)
    func clearing(kind: StoreKind) async throws {
        let log = try kind.make().log
        for number in 0..<3 { try await log.say("\(number)", from: 7, to: 8) }
        #expect(try await log.clear(chat(7, 8), for: person(8), at: start) == 4)
        try await log.say("after", from: 7, to: 8)
        #expect(try await log.all(7, 8, for: 8).map(\.words) == ["after"])
        #expect(try await log.all(7, 8, for: 7).count == 4)
        #expect(try await log.unread(7, 8, for: 8) == 1)
        await #expect(throws: ChatHubError.notFound) {
            try await log.message(.seq(2), in: chat(7, 8), for: person(8))
        }
    }

    @Test("I10: nobody but the two people reads or changes anything", arguments: StoreKind.allCases)
    func strangers(kind: StoreKind) async throws {
        let store = try kind.make()
        let log = store.log
        try await log.say("secret", id: "a", from: 7, to: 8)
        let (there, spy) = (try chat(7, 8), try person(9))
        _ = store.told.take()
        await #expect(throws: ChatHubError.notMember) {
            try await log.messages(in: there, for: spy, range: 1...9, newestFirst: true, limit: PageLimit())
        }
        await #expect(throws: ChatHubError.notMember) { try await log.message(.seq(1), in: there, for: spy) }
        await #expect(throws: ChatHubError.notMember) { try await log.summary(of: there, for: spy) }
        await #expect(throws: ChatHubError.notMember) {
            try await log.recall(.seq(1), in: there, by: spy, window: nil, at: start)
        }
        await #expect(throws: ChatHubError.notMember) {
            try await log.read(there, by: spy, upTo: 1, tellsPeer: true, origin: nil, at: start)
        }
        await #expect(throws: ChatHubError.notMember) { try await log.clear(there, for: spy, at: start) }
        await #expect(throws: ChatHubError.notMember) { try await log.hide(there, for: spy, at: start) }
        await #expect(throws: ChatHubError.notMember) { try await log.delete([1], in: there, for: spy, at: start) }
        await #expect(throws: ChatHubError.notMember) {
            try await log.change(SettingsChange(isPinned: true), of: there, for: spy, origin: nil, at: start)
        }
        let words = try #require(SearchQuery("secret"))
        await #expect(throws: ChatHubError.notMember) {
            try await log.search(words, in: there, for: spy, from: nil, limit: SearchLimit())
        }
        #expect(try await log.search(words, in: nil, for: spy, from: nil, limit: SearchLimit()).hits.isEmpty)
        #expect(store.told.take().pushes.isEmpty)
    }

    @Test(
        "I10: a blocked sender is told so, nothing is stored, and a repeat of what was stored stays good",
        arguments: StoreKind.allCases
    )
    func blocks(kind: StoreKind) async throws {
        let log = try kind.make().log
        try await log.say("before", id: "a", from: 7, to: 8)
        try await log.block(person(7), by: person(8), limit: 10, at: start)
        await #expect(throws: ChatHubError.blockedByPeer) { try await log.say("after", id: "b", from: 7, to: 8) }
        #expect(try await log.say("before", id: "a", from: 7, to: 8).isRepeat)
        #expect(try await log.all(7, 8, for: 8).map(\.words) == ["before"])
        try await log.unblock(person(7), by: person(8), at: start)
        #expect(try await log.say("after", id: "b", from: 7, to: 8).seq == 2)
    }

    @Test(
        "a page is contiguous in both directions, bounded by number and bytes, and says when it is the end (B10)",
        arguments: StoreKind.allCases
    )
    func pages(kind: StoreKind) async throws {
        let log = try kind.make().log
        for number in 1...9 { try await log.say("\(number)", from: 7, to: 8) }
        try await log.delete([4, 5, 40], in: chat(7, 8), for: person(8), at: start)
        func page(_ range: ClosedRange<Int64>, newestFirst: Bool, _ limit: PageLimit) async throws -> ([Int64], Bool) {
            let page = try await log.messages(
                in: chat(7, 8),
                for: person(8),
                range: range,
                newestFirst: newestFirst,
                limit: limit
            )
            return (page.messages.map(\.seq), page.isEnd)
        }
        #expect(try await page(1...Int64.max, newestFirst: true, PageLimit(count: 4)) == ([9, 8, 7, 6], false))
        #expect(try await page(1...5, newestFirst: true, PageLimit(count: 5)) == ([5, 4, 3, 2, 1], true))
        #expect(try await page(3...6, newestFirst: false, PageLimit(count: 3)) == ([3, 4, 5], false))
        #expect(try await page(3...6, newestFirst: false, PageLimit(count: 4)) == ([3, 4, 5, 6], true))
        #expect(try await page(10...20, newestFirst: false, PageLimit()) == ([], true))
        // Two bytes hold two messages of one; a page has one in any case.
        #expect(try await page(1...3, newestFirst: false, PageLimit(count: 9, bytes: 2)) == ([1, 2], false))
        #expect(try await page(1...3, newestFirst: false, PageLimit(count: 9, bytes: 0)) == ([1], false))
        let deleted = try await log.all(7, 8, for: 8).filter { $0.state == .deleted }
        #expect(deleted.map(\.seq) == [4, 5])
        #expect(deleted.map(\.words) == ["", ""])
        #expect(try await log.all(7, 8, for: 7).allSatisfy { $0.state == .kept })
    }

    @Test(
        "the list has pinned conversations first, then the newest, then the smaller id (L1)",
        arguments: StoreKind.allCases
    )
    func list(kind: StoreKind) async throws {
        let log = try kind.make().log
        for (peer, offset) in [(8, 10), (9, 30), (10, 20), (11, 20)] as [(Int64, Int64)] {
            try await log.say("to \(peer)", from: peer, to: 7, at: start + offset)
        }
        _ = try await log.change(SettingsChange(isPinned: true), of: chat(7, 8), for: person(7), origin: nil, at: start)
        let list = try await log.conversations(of: person(7), page: ListPage())
        #expect(list.conversations.map(\.peer.number) == [8, 9, 10, 11])
        #expect(list.conversations.map { $0.lastMessage?.words } == ["to 8", "to 9", "to 10", "to 11"])
        #expect(list.total == 4)
        #expect(list.unreadTotal == 4)
        let part = try await log.conversations(of: person(7), page: ListPage(offset: 1, count: 2))
        #expect(part.conversations.map(\.peer.number) == [9, 10])
    }

    @Test(
        "a hidden conversation comes back with the next message, and a control message does not bring it back",
        arguments: StoreKind.allCases
    )
    func hiding(kind: StoreKind) async throws {
        let log = try kind.make().log
        try await log.say("one", from: 7, to: 8)
        try await log.hide(chat(7, 8), for: person(8), at: start)
        #expect(try await log.conversations(of: person(8), page: ListPage()).conversations.isEmpty)
        #expect(try await log.unread(7, 8, for: 8) == 0)
        _ = try await log.append(.make("{}", .control, id: "c", from: 7, to: 8), rules: .open, at: start)
        #expect(try await log.conversations(of: person(8), page: ListPage()).total == 0)
        try await log.say("two", from: 7, to: 8)
        let list = try await log.conversations(of: person(8), page: ListPage())
        #expect(list.conversations.map(\.unread) == [1])
        #expect(try await log.all(7, 8, for: 8).count == 3)
    }

    @Test(
        "settings and drafts reach the person's other devices by the log of events, and nobody else",
        arguments: StoreKind.allCases
    )
    func settings(kind: StoreKind) async throws {
        let store = try kind.make()
        let change = SettingsChange(isPinned: true, receiveOption: .silent, draft: "half a tho")
        let settings = try await store.log.change(change, of: chat(7, 8), for: person(7), origin: "phone", at: start)
        #expect(settings == MemberSettings(isPinned: true, receiveOption: .silent, draft: "half a tho"))
        let expected = ChatChange.settings(try chat(7, 8), settings)
        #expect(
            try store.told.take().pushes == [ChatPush(person: person(7), number: 1, change: expected, origin: "phone")]
        )
        #expect(try await store.log.events(of: person(7), after: 0, limit: 9).entries.map(\.change) == [expected])
        #expect(try await store.log.events(of: person(8), after: 0, limit: 9).entries.isEmpty)
        // A draft alone shows a conversation; a blank one removes it.
        #expect(try await store.log.conversations(of: person(7), page: ListPage()).total == 1)
        let blank = SettingsChange(draft: " \n")
        #expect(
            try await store.log.change(blank, of: chat(7, 8), for: person(7), origin: nil, at: start).draft == nil
        )
        #expect(try await store.log.conversations(of: person(7), page: ListPage()).total == 0)
    }

    @Test("events are numbered without gaps, and who is too far behind loads anew", arguments: StoreKind.allCases)
    func events(kind: StoreKind) async throws {
        let log = try kind.make().log
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...2100 {
                group.addTask {
                    let change = SettingsChange(draft: "draft \(number)")
                    _ = try await log.change(change, of: chat(7, 8), for: person(8), origin: nil, at: start)
                }
            }
            try await group.waitForAll()
        }
        let page = try await log.events(of: person(8), after: 2095, limit: 3)
        #expect(page.entries.map(\.number) == [2096, 2097, 2098])
        #expect(page.newest == 2100)
        #expect(!page.needsResync)
        #expect(try await !log.events(of: person(8), after: 100, limit: 1).needsResync)
        #expect(try await log.events(of: person(8), after: 99, limit: 1).needsResync)
        #expect(try await log.events(of: person(8), after: 2101, limit: 1).needsResync)
        #expect(try await !log.events(of: person(9), after: 0, limit: 1).needsResync)
    }

    @Test(
        "receipts tell the peer how far was read, only forward, and where they are wanted",
        arguments: StoreKind.allCases
    )
    func receipts(kind: StoreKind) async throws {
        let store = try kind.make()
        let (log, here) = (store.log, try chat(7, 8))
        for number in 0..<3 { try await log.say("\(number)", from: 7, to: 8) }
        _ = store.told.take()
        _ = try await log.read(here, by: person(8), upTo: 1, tellsPeer: false, origin: "d", at: start)
        #expect(store.told.take().pushes.map(\.change) == [.read(here, upTo: 1)])
        #expect(try await log.summary(of: here, for: person(7)).peerReadSeq == 0)
        _ = try await log.read(here, by: person(8), upTo: 2, tellsPeer: true, origin: "d", at: start)
        #expect(store.told.take().pushes.map(\.change) == [.read(here, upTo: 2), .peerRead(here, upTo: 2)])
        #expect(try await log.summary(of: here, for: person(7)).peerReadSeq == 2)
        _ = try await log.read(here, by: person(8), upTo: 2, tellsPeer: true, origin: "d", at: start)
        #expect(store.told.take().pushes.isEmpty)
        #expect(try await log.receive(here, by: person(8), upTo: 9, tellsPeer: true) == 3)
        #expect(store.told.take().pushes.map(\.change) == [.peerReceived(here, upTo: 3)])
    }

    @Test(
        "a search finds all words in any case, newest first, in bounded steps, and not what is gone",
        arguments: StoreKind.allCases
    )
    func search(kind: StoreKind) async throws {
        let log = try kind.make().log
        for (number, text) in ["Café at NOON", "noon", "cafe noon", "今天中午见", "nothing"].enumerated() {
            try await log.say(text, id: "\(number)", from: 7, to: 8)
        }
        func found(_ text: String, from place: SearchPlace? = nil, _ limit: SearchLimit = SearchLimit()) async throws
            -> SearchPage
        {
            try await log.search(#require(SearchQuery(text)), in: nil, for: person(8), from: place, limit: limit)
        }
        #expect(try await found("CAFE noon").hits.map(\.seq) == [3, 1])
        #expect(try await found("中午").hits.map(\.seq) == [4])
        let first = try await found("noon", SearchLimit(hits: 2, scanned: 3))
        #expect(first.hits.map(\.seq) == [3])
        let second = try await found("noon", from: first.next, SearchLimit(hits: 2, scanned: 3))
        #expect(second.hits.map(\.seq) == [2, 1])
        #expect(second.next == nil)
        _ = try await log.recall(.seq(3), in: chat(7, 8), by: person(7), window: nil, at: start)
        try await log.delete([1], in: chat(7, 8), for: person(8), at: start)
        #expect(try await found("noon").hits.map(\.seq) == [2])
        #expect(SearchQuery(" \n") == nil)
        #expect(SearchQuery(String(repeating: "x", count: 513)) == nil)
    }

    @Test("a report keeps the message as it was, and is closed once", arguments: StoreKind.allCases)
    func reports(kind: StoreKind) async throws {
        let log = try kind.make().log
        try await log.say("rude", id: "a", from: 7, to: 8)
        let target = MessageTarget.client(id: "a", sender: try person(7))
        let id = try await log.report(target, in: chat(7, 8), by: person(8), reason: "rude", limit: 1, at: start)
        _ = try await log.recall(target, in: chat(7, 8), by: person(7), window: nil, at: start)
        let open = try await log.reports(before: nil, onlyOpen: true, limit: 10)
        #expect(open.map(\.id) == [id])
        #expect(open.map { String(decoding: $0.content, as: UTF8.self) } == ["rude"])
        #expect(try open.map(\.reported) == [person(7)])
        await #expect(throws: ChatHubError.limitReached(1)) {
            try await log.report(nil, in: chat(7, 8), by: person(8), reason: "again", limit: 1, at: start)
        }
        try await log.closeReport(id, at: start)
        await #expect(throws: ChatHubError.notFound) { try await log.closeReport(id, at: start) }
        let later = try await log.report(nil, in: chat(7, 8), by: person(8), reason: "again", limit: 1, at: start)
        #expect(try await log.reports(before: nil, onlyOpen: true, limit: 10).map(\.id) == [later])
        let all = try await log.reports(before: nil, onlyOpen: false, limit: 10)
        #expect(all.map(\.id) == [later, id])
        #expect(all.map(\.closedAt) == [nil, start])
        #expect(try await log.reports(before: nil, onlyOpen: false, limit: 1).map(\.id) == [later])
        #expect(try await log.reports(before: later, onlyOpen: false, limit: 10).map(\.id) == [id])
    }
}
