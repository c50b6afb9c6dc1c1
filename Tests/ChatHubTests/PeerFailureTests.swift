import Accounts
import Chat
import ChatHub
import Foundation
import GRDB
import Testing

/// What users of other servers report, tried here. Each names the reports that it follows.
@Suite("Failures that others have", .timeLimit(.minutes(2)))
struct PeerFailureTests {
    /// open-im-server #1512, #450, #128: a broker, a cache and two databases for a few people.
    @Test("1: one file is all that has to run and to be saved")
    func oneFile() async throws {
        let folder = try TemporaryFolder()
        let before = try StoreUnderTest(in: folder)
        try await before.log.say("hello", id: "a", from: 7, to: 8)
        await before.log.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names.allSatisfy { $0.hasPrefix("chat.sqlite") })
        let after = try StoreUnderTest(in: folder)
        #expect(try await after.log.all(7, 8, for: 8).map(\.words) == ["hello"])
        #expect(try await after.log.say("hello", id: "a", from: 7, to: 8).isRepeat)
    }

    /// openim-sdk-core #15, #865, #294; open-im-server #2377; zulip #31219.
    @Test(
        "2: a message that is sent again and again over a weak network is stored, counted and told once",
        arguments: StoreKind.allCases
    )
    func duplicates(kind: StoreKind) async throws {
        let store = try kind.make()
        let acks = try await withThrowingTaskGroup(of: MessageAck.self) { group in
            for _ in 0..<50 { group.addTask { try await store.log.say("once", id: "a", from: 7, to: 8) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(acks.map(\.serverMessageID)).count == 1)
        #expect(acks.count { !$0.isRepeat } == 1)
        #expect(try await store.log.all(7, 8, for: 8).count == 1)
        #expect(try await store.log.unread(7, 8, for: 8) == 1)
        #expect(store.told.take().pushes.count == 2)
    }

    /// open-im-server #3068, #2807, #2260, #906; element-web #25984.
    @Test(
        "3: the peer's reading leaves my count, own messages never count, and no count is stuck",
        arguments: StoreKind.allCases
    )
    func unread(kind: StoreKind) async throws {
        let log = try kind.make().log
        for number in 0..<3 { try await log.say("\(number)", from: 7, to: 8) }
        for number in 0..<2 { try await log.say("\(number)", from: 8, to: 7) }
        _ = try await log.read(chat(7, 8), by: person(7), upTo: 5, tellsPeer: true, origin: nil, at: start)
        #expect(try await log.unread(7, 8, for: 8) == 3)
        #expect(try await log.seqs(of: person(8)).map(\.readSeq) == [0])
        _ = try await log.read(chat(7, 8), by: person(8), upTo: 5, tellsPeer: true, origin: nil, at: start)
        #expect(try await log.unread(7, 8, for: 8) == 0)
        try await log.say("again", from: 8, to: 7)
        #expect(try await log.unread(7, 8, for: 8) == 0)
        #expect(try await log.unread(7, 8, for: 7) == 1)
        // The last unread one is taken back: nothing is left to count.
        _ = try await log.recall(.seq(6), in: chat(7, 8), by: person(8), window: nil, at: start)
        #expect(try await log.unread(7, 8, for: 7) == 0)
    }

    /// openim-sdk-core #376, #1064, #1012, #845; Conversations #2745.
    @Test("4: equal times and a clock that goes back neither reorder nor skip", arguments: StoreKind.allCases)
    func order(kind: StoreKind) async throws {
        let log = try kind.make().log
        for number in 1...50 {
            try await log.say("\(number)", from: 7, to: 8, at: number < 25 ? start : start - 86_400_000)
        }
        var paged: [Int64] = []
        var before = Int64.max
        while paged.count < 100 {
            let page = try await log.messages(
                in: chat(7, 8),
                for: person(8),
                range: 1...(before - 1),
                newestFirst: true,
                limit: PageLimit(count: 7)
            )
            paged += page.messages.map(\.seq)
            guard let last = page.messages.last, !page.isEnd else { break }
            before = last.seq
        }
        #expect(paged == Array((1...50).reversed()))
        #expect(try await log.all(7, 8, for: 8).map(\.words) == (1...50).map(String.init))
    }

    /// open-im-server #3252, #3241, PR #3257; wildfirechat #243; tinode #569.
    @Test(
        "5: what was acknowledged is taken back without its seq, for both, while the window lasts",
        arguments: StoreKind.allCases
    )
    func recall(kind: StoreKind) async throws {
        let store = try kind.make()
        try await store.log.say("delivered", id: "a", from: 7, to: 8)
        // Whatever was told is stored: nothing delivered is unknown to a recall.
        for push in store.told.take().pushes {
            guard case .message(let message) = push.change else { continue }
            _ = try await store.log.message(.seq(message.seq), in: chat(7, 8), for: person(8))
        }
        let target = MessageTarget.client(id: "a", sender: try person(7))
        _ = try await store.log.recall(target, in: chat(7, 8), by: person(7), window: 1000, at: start + 1000)
        for reader: Int64 in [7, 8] {
            #expect(try await store.log.all(7, 8, for: reader).map(\.isRecalled) == [true])
        }
    }

    /// open-im-server #2627, #13; openim-sdk-core #448, #749; tinode #356; Rocket.Chat #1591.
    @Test(
        "6: a page full of burnt pictures does not hide what is older, and the server keeps none of them",
        arguments: StoreKind.allCases
    )
    func burnt(kind: StoreKind) async throws {
        let store = try kind.make()
        try await store.log.say("old", from: 7, to: 8)
        for number in 0..<20 {
            let key = "chat/flash/\(number)"
            try await store.upload(key, by: person(7), isViewOnce: true)
            let draft = try MessageDraft.make("{\(key)}", .flash(key: key), id: key, from: 7, to: 8, shown: "{}")
            _ = try await store.log.append(draft, rules: .open, at: start)
        }
        #expect(try await store.log.sweepFlashes(at: start + 14 * 86_400_000, limit: 100) == 20)
        let page = try await store.log.messages(
            in: chat(7, 8),
            for: person(8),
            range: 1...Int64.max,
            newestFirst: true,
            limit: PageLimit(count: 20)
        )
        #expect(page.messages.map(\.state) == Array(repeating: .destroyed, count: 20))
        #expect(!page.isEnd)
        let older = try await store.log.messages(
            in: chat(7, 8),
            for: person(8),
            range: 1...1,
            newestFirst: true,
            limit: PageLimit(count: 20)
        )
        #expect(older.messages.map(\.words) == ["old"])
        #expect(older.isEnd)
        for number in 0..<20 { #expect(try await store.references(to: "chat/flash/\(number)") == 0) }
    }

    /// synapse #1263, #8638, #3211, #2369; element-meta #398.
    @Test(
        "7: with a message its file goes, after the commit, and not while another message needs it",
        arguments: StoreKind.allCases
    )
    func files(kind: StoreKind) async throws {
        let store = try kind.make()
        try await store.upload("picture", by: person(7))
        for (id, peer) in [("a", 8), ("b", 9)] as [(String, Int64)] {
            let draft = try MessageDraft.make("{}", .image, id: id, from: 7, to: peer, keys: ["picture"])
            _ = try await store.log.append(draft, rules: .open, at: start)
        }
        _ = try await store.log.recall(.seq(1), in: chat(7, 8), by: person(7), window: nil, at: start)
        #expect(try await store.references(to: "picture") == 1)
        #expect(try await store.log.access(to: "picture", of: person(8)) == .unreferenced)
        #expect(try await store.log.access(to: "picture", of: person(9)) == .allowed)
        _ = try await store.log.recall(.seq(1), in: chat(7, 9), by: person(7), window: nil, at: start)
        #expect(try await store.references(to: "picture") == 0)
        #expect(store.told.take().releasedObjects == ["picture", "picture"])
    }

    /// synapse #7781, #7772, #18912, #11611, #10786.
    @Test(
        "8: a device that comes back asks once where it stands, and gets what is new alone",
        arguments: StoreKind.allCases
    )
    func sync(kind: StoreKind) async throws {
        let store = try kind.make()
        let log = store.log
        try await withThrowingTaskGroup(of: Void.self) { group in
            for peer in Int64(100)..<300 {
                group.addTask { for number in 0..<5 { try await log.say("\(number)", from: peer, to: 7) } }
            }
            try await group.waitForAll()
        }
        let known = try await Dictionary(
            uniqueKeysWithValues: log.seqs(of: person(7)).map { ($0.conversation, $0.maxSeq) }
        )
        #expect(known.count == 200)
        for peer in Int64(100)..<110 { try await log.say("new", from: peer, to: 7) }
        let changed = try await log.seqs(of: person(7)).filter { $0.maxSeq > known[$0.conversation] ?? 0 }
        #expect(changed.count == 10)
        for seqs in changed {
            let page = try await log.messages(
                in: seqs.conversation,
                for: person(7),
                range: (known[seqs.conversation] ?? 0) + 1...seqs.maxSeq,
                newestFirst: false,
                limit: PageLimit()
            )
            #expect(page.messages.map(\.words) == ["new"])
            #expect(page.isEnd)
        }
    }

    /// element-web #14921, #28132, #30432; element-meta #2811, #2423.
    @Test(
        "9: what the hub cannot read comes back byte for byte, and is neither searched nor shown",
        arguments: StoreKind.allCases
    )
    func sealed(kind: StoreKind) async throws {
        let store = try kind.make()
        let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) } + Array("findme".utf8)
        let draft = MessageDraft(
            conversation: try chat(7, 8),
            sender: try person(7),
            device: "phone",
            clientMessageID: "a",
            contentType: 110,
            content: bytes,
            facts: MessageFacts(.sealed)
        )
        _ = try await store.log.append(draft, rules: .open, at: start)
        #expect(try await store.log.append(draft, rules: .open, at: start).isRepeat)
        for reader: Int64 in [7, 8] {
            #expect(try await store.log.all(7, 8, for: reader).map(\.content) == [bytes])
            let words = try #require(SearchQuery("findme"))
            let found = try await store.log.search(words, in: nil, for: person(reader), from: nil, limit: SearchLimit())
            #expect(found.hits.isEmpty)
        }
        #expect(store.told.take().notices.isEmpty)
    }

    /// open-im-server #2932; minio #11011, #6547.
    @Test(
        "10: a picture is shown years later: messages hold keys, and no address that ends",
        arguments: StoreKind.allCases
    )
    func addresses(kind: StoreKind) async throws {
        let store = try kind.make()
        try await store.upload("chat/image/2026/a.jpg", by: person(7))
        let draft = try MessageDraft.make(
            #"{"type":"image","objectKey":"chat/image/2026/a.jpg","url":"","expireAt":0}"#,
            .image,
            id: "a",
            from: 7,
            to: 8,
            keys: ["chat/image/2026/a.jpg"]
        )
        _ = try await store.log.append(draft, rules: .open, at: start)
        _ = try await store.log.sweepFlashes(at: start + 10 * 365 * 86_400_000, limit: 100)
        #expect(try await store.log.access(to: "chat/image/2026/a.jpg", of: person(8)) == .allowed)
        #expect(try await store.references(to: "chat/image/2026/a.jpg") == 1)
        #expect(try await store.log.all(7, 8, for: 8).map(\.content) == [draft.content])
    }
}
