import Accounts
import Chat
import ChatHub
import Foundation
import GRDB
import Kernel
import KernelTesting
import Storage
import Testing

@Suite("The service of conversations", .timeLimit(.minutes(2)))
struct ChatServiceTests {
    private func send(
        _ rig: ChatRig,
        _ facts: MessageFacts,
        content: [UInt8] = [0x7B, 0x7D],
        id: String = "id",
        to receiver: Int64 = 8
    ) async throws -> MessageAck {
        try await rig.service.send(
            facts,
            contentType: 110,
            content: content,
            clientMessageID: id,
            to: chat(7, receiver),
            by: asker(7)
        )
    }

    @Test("what is out of bounds is refused before anything is stored")
    func bounds() async throws {
        let rig = try ChatRig()
        for id in ["", "with space", "ümlaut", String(repeating: "x", count: 129), "a\u{0}"] {
            await #expect(throws: ChatHubError.malformed("clientMsgId")) {
                try await send(rig, MessageFacts(.other), id: id)
            }
        }
        let large = [UInt8](repeating: 0x61, count: (64 << 10) + 1)
        await #expect(throws: ChatHubError.tooLarge(limit: 64 << 10)) {
            try await send(rig, MessageFacts(.text), content: large)
        }
        _ = try await send(rig, MessageFacts(.sealed), content: large, id: "sealed")
        await #expect(throws: ChatHubError.tooLarge(limit: 192 << 10)) {
            try await send(rig, MessageFacts(.sealed), content: [UInt8](repeating: 0x61, count: 10 << 20))
        }
        let keys = (0..<21).map { "key-\($0)" }
        await #expect(throws: ChatHubError.malformed("objectKey")) {
            try await send(rig, MessageFacts(.image, objectKeys: keys))
        }
        await #expect(throws: ChatHubError.malformed("objectKey")) {
            try await send(rig, MessageFacts(.image, objectKeys: [String(repeating: "k", count: 201)]))
        }
        await #expect(throws: ChatHubError.personUnknown) { try await send(rig, MessageFacts(.text), to: 100) }
        await #expect(throws: ChatHubError.notMember) {
            try await rig.service.send(
                MessageFacts(.text),
                contentType: 101,
                content: [],
                clientMessageID: "id",
                to: chat(8, 9),
                by: asker(7)
            )
        }
        #expect(try await rig.service.seqs(for: asker(7)).count == 1)
    }

    @Test("B13: a view-once picture whose key readers would see is refused")
    func flashKey() async throws {
        let rig = try ChatRig()
        let leaking = Array(#"{"objectKey":"secret-key"}"#.utf8)
        for shown in [nil, leaking] {
            await #expect(throws: ChatHubError.malformed("content")) {
                try await send(rig, MessageFacts(.flash(key: "secret-key"), shownContent: shown), content: leaking)
            }
        }
    }

    @Test("a sender who is too fast is told how long to wait, and nobody else is held up")
    func rates() async throws {
        var settings = ChatHubSettings.open
        settings.messageBurst = 3
        settings.messagesPerSecond = 2
        let rig = try ChatRig(settings)
        for number in 0..<3 { try await rig.say("\(number)", from: 7, to: 8) }
        await #expect(throws: ChatHubError.tooFast(milliseconds: 501)) { try await rig.say("4", from: 7, to: 8) }
        try await rig.say("5", from: 8, to: 7)
        rig.clock.advance(by: .milliseconds(501))
        try await rig.say("6", from: 7, to: 8)
        #expect(ChatHubError.tooFast(milliseconds: 501).retryAfter == 1)
    }

    @Test("a sender begins so many conversations with strangers, and more after a while")
    func strangers() async throws {
        var settings = ChatHubSettings.open
        settings.strangersAsk = true
        settings.strangerBurst = 2
        settings.strangersPerHour = 1
        let rig = try ChatRig(settings)
        for peer: Int64 in [8, 9] { #expect(try await rig.say("hello", from: 7, to: peer).isRequest) }
        await #expect(throws: ChatHubError.tooManyStrangers) { try await rig.say("hello", from: 7, to: 10) }
        // Who answers is no stranger.
        try await rig.say("hi", from: 8, to: 7)
        try await rig.say("how are you?", from: 7, to: 8)
        rig.clock.advance(by: .seconds(3600))
        #expect(try await rig.say("hello", from: 7, to: 10).isRequest)
    }

    @Test("B6: a message reaches the peer and the sender's other devices, and the sending one has its answer")
    func fanOut() async throws {
        let rig = try ChatRig()
        let (_, peer) = try rig.connect(8)
        let (_, tablet) = try rig.connect(7, "tablet")
        let (_, phone) = try rig.connect(7, "phone")
        let (_, stranger) = try rig.connect(9)
        for number in 1...5 { try await rig.say("\(number)", from: 7, to: 8, device: "phone") }
        #expect(await peer.wait(for: 5).compactMap(\.message).map(\.seq) == [1, 2, 3, 4, 5])
        #expect(await tablet.wait(for: 5).compactMap(\.message).map(\.words) == ["1", "2", "3", "4", "5"])
        await rig.service.close()
        #expect(phone.all.isEmpty)
        #expect(stranger.all.isEmpty)
    }

    @Test("a connection that reads nothing gets one hint in place of all it missed, and holds up nobody")
    func slowReader() async throws {
        let rig = try ChatRig()
        let (stuck, release) = AsyncStream.makeStream(of: Void.self)
        let received = Recorded<ChatDelivery>()
        _ = try rig.service.connections.connect(asker(8, "slow")) { items in
            for item in items { received.add(item) }
            for await _ in stuck { break }
            return true
        }
        let (_, other) = try rig.connect(8, "quick")
        try await rig.say("first", from: 7, to: 8)
        _ = await received.wait(for: 1)
        for number in 0..<600 { try await rig.say("\(number)", from: 7, to: 8) }
        #expect(await other.wait(for: 601).compactMap(\.message).count == 601)
        release.finish()
        let all = await received.wait(for: 2)
        #expect(all.first?.message?.words == "first")
        #expect(all.dropFirst().contains(.resync))
        #expect(all.filter { $0 == .resync }.count == 1)
        #expect(all.count < 600)
    }

    @Test("a person has so many connections, and one that ends makes room")
    func connections() async throws {
        let rig = try ChatRig()
        var ids: [UInt64] = []
        for number in 0..<16 { ids.append(try rig.connect(7, "device-\(number)").0) }
        #expect(throws: ChatHubError.limitReached(16)) { try rig.connect(7, "one more") }
        rig.service.connections.disconnect(try #require(ids.first))
        _ = try rig.connect(7, "one more")
        #expect(rig.service.connections.count == 16)
    }

    @Test("presence is told to those who ask and talk with the person, once for all devices")
    func presence() async throws {
        let rig = try ChatRig()
        try await rig.say("hello", from: 7, to: 8)
        let (watcher, received) = try rig.connect(7)
        let (_, stranger) = try rig.connect(9)
        #expect(try await rig.service.watchPresence(of: [person(8), person(9)], on: watcher, for: asker(7)).isEmpty)
        let (first, _) = try rig.connect(8, "phone")
        let (second, _) = try rig.connect(8, "tablet")
        #expect(try await rig.service.online([person(8)], for: asker(7)) == [person(8)])
        #expect(try await rig.service.online([person(8)], for: asker(9)).isEmpty)
        rig.service.connections.disconnect(first)
        rig.service.connections.disconnect(second)
        let changes = await received.wait(for: 2).compactMap(\.change)
        #expect(try changes == [.presence(person(8), isOnline: true), .presence(person(8), isOnline: false)])
        try await rig.service.block(person(7), by: asker(8))
        _ = try rig.connect(8)
        #expect(try await rig.service.online([person(8)], for: asker(7)).isEmpty)
        await rig.service.close()
        #expect(stranger.all.isEmpty)
    }

    @Test("typing reaches a peer who is there, a few times in ten seconds, and is not kept")
    func typing() async throws {
        let rig = try ChatRig()
        try await rig.say("hello", from: 7, to: 8)
        let (_, received) = try rig.connect(8)
        for _ in 0..<20 { try await rig.service.type(in: chat(7, 8), by: asker(7)) }
        await #expect(throws: ChatHubError.notMember) { try await rig.service.type(in: chat(7, 8), by: asker(9)) }
        await rig.service.close()
        #expect(try received.all.map(\.change) == Array(repeating: .typing(chat(7, 8)), count: 5))
        #expect(try await rig.service.events(after: 0, for: asker(8)).newest == 0)
    }

    @Test("notifications follow the person's settings, are cut, and never come of control messages (B15)")
    func notices() async throws {
        let rig = try ChatRig()
        try await rig.say("loud", from: 7, to: 8)
        _ = try await rig.service.change(SettingsChange(receiveOption: .silent), of: chat(7, 8), by: asker(8))
        try await rig.say("silent", from: 7, to: 8)
        _ = try await rig.service.change(
            SettingsChange(receiveOption: ReceiveOption.reject),
            of: chat(7, 8),
            by: asker(8)
        )
        try await rig.say("none", from: 7, to: 8)
        _ = try await rig.service.change(SettingsChange(receiveOption: .receive), of: chat(7, 8), by: asker(8))
        _ = try await send(rig, MessageFacts(.control, pushText: "never"), id: "control")
        _ = try await send(rig, MessageFacts(.image), id: "image")
        try await rig.say(String(repeating: "长", count: 1000), from: 7, to: 8)
        let told = rig.notices.all
        #expect(told.prefix(2).map(\.text) == ["loud", "silent"])
        #expect(told.map(\.isSilent) == [false, true, false])
        #expect((500...512).contains(told.last?.text.utf8.count ?? 0))
        #expect(told.map(\.person.number) == [8, 8, 8])
    }

    @Test("receipts can be switched off for the whole hub")
    func receiptsOff() async throws {
        var settings = ChatHubSettings.open
        settings.hasReceipts = false
        let rig = try ChatRig(settings)
        try await rig.say("hello", from: 7, to: 8)
        let (_, sender) = try rig.connect(7)
        #expect(try await rig.service.markRead(chat(7, 8), upTo: 1, by: asker(8)) == 1)
        #expect(try await rig.service.markReceived(chat(7, 8), upTo: 1, by: asker(8)) == 1)
        await rig.service.close()
        #expect(sender.all.isEmpty)
        #expect(try await rig.service.conversation(chat(7, 8), for: asker(7)).peerReadSeq == 0)
    }

    @Test("one answer holds so many bytes, and says what it had no room for")
    func pulling() async throws {
        let rig = try ChatRig()
        let long = String(repeating: "x", count: 60_000)
        for _ in 0..<80 { try await rig.say(long, from: 7, to: 8) }
        try await rig.say("short", from: 7, to: 9)
        let ranges = try [
            ChatService.PullRange(chat(7, 8), begin: 1, end: 80), ChatService.PullRange(chat(7, 9), begin: 1, end: 9),
            ChatService.PullRange(chat(7, 9), begin: 5, end: 2),
        ]
        let pages = try await rig.service.pull(ranges, newestFirst: false, for: asker(7))
        #expect(pages.map(\.messages.count) == [69, 1, 0])
        #expect(pages.map(\.isEnd) == [false, true, true])
        let rest = try await rig.service.pull(
            [ChatService.PullRange(chat(7, 8), begin: 70, end: 80)],
            newestFirst: true,
            for: asker(7)
        )
        #expect(rest.map { $0.messages.map(\.seq) } == [Array((70...80).reversed())])
        #expect(rest.map(\.isEnd) == [true])
    }

    @Test("a picture is sent whole once: a transfer takes over from one that broke or still runs")
    func fetching() async throws {
        let rig = try ChatRig()
        try await rig.database.write { database in
            try database.execute(sql: "INSERT INTO test_object VALUES ('chat/flash/a.jpg', 7, 1, 0)")
        }
        let facts = MessageFacts(.flash(key: "chat/flash/a.jpg"), shownContent: [0x7B, 0x7D])
        _ = try await send(rig, facts, id: "flash")
        #expect(try await !rig.service.maySign("chat/flash/a.jpg", for: person(7), isUploader: true))
        #expect(try await rig.service.maySign("chat/image/b.jpg", for: person(7), isUploader: true))
        #expect(try await !rig.service.maySign("chat/image/b.jpg", for: person(7), isUploader: false))
        let target = MessageTarget.client(id: "flash", sender: try person(7))
        let lease = try await rig.service.openFlash(target, in: chat(7, 8), by: asker(8))
        // A transfer that broke, and one whose end nobody has seen yet.
        _ = try await rig.service.fetchFlash(lease.secret, by: asker(8))
        let hanging = try await rig.service.fetchFlash(lease.secret, by: asker(8))
        let fetch = try await rig.service.fetchFlash(lease.secret, by: asker(8))
        #expect(fetch.flash.objectKey == "chat/flash/a.jpg")
        await #expect(throws: ChatHubError.alreadyViewed) { try await hanging.consume() }
        #expect(rig.released.all.isEmpty)
        try await fetch.consume()
        #expect(rig.released.all == ["chat/flash/a.jpg"])
        // The last bytes go out once.
        await #expect(throws: ChatHubError.alreadyViewed) { try await fetch.consume() }
        await #expect(throws: ChatHubError.alreadyViewed) {
            _ = try await rig.service.fetchFlash(lease.secret, by: asker(8))
        }
    }

    @Test("the care destroys what is due, also what came due while the hub was down")
    func care() async throws {
        let rig = try ChatRig()
        try await rig.database.write { database in
            try database.execute(sql: "INSERT INTO test_object VALUES ('chat/flash/a.jpg', 7, 1, 0)")
        }
        _ = try await send(rig, MessageFacts(.flash(key: "chat/flash/a.jpg"), shownContent: []), id: "flash")
        rig.clock.advance(by: .seconds(14 * 86_400))
        let care = Task { await rig.service.run() }
        #expect(await rig.released.wait(for: 1) == ["chat/flash/a.jpg"])
        care.cancel()
        await care.value
    }

    @Test("every error has OpenIM's number, HTTP's status and a sentence")
    func failures() {
        let table: [(ChatHubError, Int, Int)] = [
            (.malformed("x"), 1001, 400), (.notMember, 1002, 403), (.duplicateID, 1003, 409), (.notFound, 1004, 404),
            (.personUnknown, 1101, 404), (.blockedByPeer, 1302, 403), (.alreadyRecalled, 1404, 409),
            (.alreadyViewed, 410, 410), (.tooManyStrangers, 429, 429),
        ]
        for (error, code, status) in table {
            #expect(error.imCode.rawValue == code)
            #expect(error.imCode.status == status)
            #expect("\(error)".hasSuffix("."))
        }
    }
}
