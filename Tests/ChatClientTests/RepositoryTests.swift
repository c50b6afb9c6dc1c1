import Accounts
import Chat
import Foundation
import Kernel
import KernelTesting
import Storage
import Synchronization
import Testing

@testable import ChatClient
@testable import ChatHub

@Suite("The repository of conversations", .timeLimit(.minutes(4)))
struct RepositoryTests {
    /// The words of each follower's items, in order.
    private final class Follower: Sendable {
        let items = LatestValue<[ChatControl.Item]>([], capacity: 64)

        func wait(_ wants: @Sendable ([ChatControl.Item]) -> Bool) async {
            for await items in items.values() where wants(items) { return }
        }
    }

    @Test("Q4, B6: a text is a row on disk before it is sent; its echo and its answer are the same row")
    func sending() async throws {
        let scene = try Scene()
        let device = try await HubDevice(scene.hub, scene.ada)
        let other = try await HubDevice(scene.hub, scene.ada, "tablet")
        device.server.hold(ChatEndpoints.send.path)
        let entry = try await device.repository.send("  hi  ", in: scene.chat, id: "m1")
        #expect(entry.text == "hi")
        #expect(entry.status == .sending)
        #expect(entry.seq == nil)
        #expect(try await device.repository.list().conversations.map(\.last?.status) == [.sending])
        // Asking again sends nothing twice.
        #expect(try await device.repository.send("hi", in: scene.chat, id: "m1").id == "m1")
        device.server.release(ChatEndpoints.send.path)
        try await device.settle()
        try await device.heal()
        try await other.heal()
        for one in [device, other] {
            let shown = try await one.history(scene.chat)
            #expect(shown.map(\.seq) == [1])
            #expect(shown.map(\.status) == [.sent])
        }
        await #expect(throws: ChatError.blank) { try await device.repository.send(" \n ", in: scene.chat) }
        await device.end()
        await other.end()
    }

    @Test("Q1: messages are sent in the order of the calls")
    func order() async throws {
        let scene = try Scene()
        let device = try await HubDevice(scene.hub, scene.ada)
        for number in 0..<60 { _ = try await device.repository.send("\(number)", in: scene.chat) }
        try await device.settle()
        #expect(try await device.words(scene.chat) == (0..<60).map { "\($0)" })
        await device.end()
    }

    @Test("B24, B19: what failed waits for the person, is sent again under its id, or thrown away")
    func failing() async throws {
        let scene = try Scene()
        let device = try await HubDevice(scene.hub, scene.ada)
        try await device.settle()
        try await scene.hub.service.block(scene.ada, by: scene.hub.asker(scene.bob, "x").chat)
        _ = try await device.repository.send("one", in: scene.chat, id: "m1")
        _ = try await device.repository.send("two", in: scene.chat, id: "m2")
        try await device.settle()
        let failed = try await device.history(scene.chat)
        #expect(failed.map(\.status) == [.failed, .failed])
        #expect(failed.map(\.error) == Array(repeating: "\(ChatError.refused(.blockedByPeer))", count: 2))
        try await device.repository.discard("m2", in: scene.chat)
        await #expect(throws: ChatError.unknownMessage) { try await device.repository.discard("m2", in: scene.chat) }
        try await scene.hub.service.unblock(scene.ada, by: scene.hub.asker(scene.bob, "x").chat)
        // It may be with the hub before it is looked at.
        #expect(try await device.repository.resend("m1", in: scene.chat).status != .failed)
        try await device.settle()
        #expect(try await device.history(scene.chat).map(\.status) == [.sent])
        await #expect(throws: ChatError.illegalStatus(from: .success, to: .sending)) {
            try await device.repository.resend("m1", in: scene.chat)
        }
        await device.end()
    }

    @Test("I4: a gap has 300 ms to close by itself, then what is missing is pulled")
    func gap() async throws {
        let scene = try Scene()
        let clock = ManualClock()
        let device = try await HubDevice(scene.hub, scene.ada, clock: clock)
        try await scene.hub.sends(scene.bob, "one", in: scene.chat, as: "b1")
        try await device.heal()
        func push(_ place: Int64) async throws {
            let stored = try await scene.hub.truth(scene.chat, for: scene.ada).filter { $0.seq == place }
            await device.repository.take(.messages(stored.map { MessageData($0) }))
        }
        var lost = Faults.none
        lost.lost = 1
        device.server.setFaults(lost)
        for number in 2...4 { try await scene.hub.sends(scene.bob, "\(number)", in: scene.chat, as: "b\(number)") }
        try await push(4)
        #expect(try await device.history(scene.chat).map(\.id) == ["b1"])
        // It comes by itself.
        await clock.sleeper(for: MessageTimeline.patience)
        try await push(3)
        try await push(2)
        #expect(try await device.history(scene.chat).map(\.id) == ["b1", "b2", "b3", "b4"])
        clock.advance(by: MessageTimeline.patience)
        try await device.settle()
        let pulls = device.server.asked.count { $0 == IMEndpoints.pull.path }
        for number in 5...7 { try await scene.hub.sends(scene.bob, "\(number)", in: scene.chat, as: "b\(number)") }
        try await push(7)
        await clock.sleeper(for: MessageTimeline.patience)
        #expect(device.server.asked.count { $0 == IMEndpoints.pull.path } == pulls)
        clock.advance(by: MessageTimeline.patience)
        try await device.settle()
        #expect(device.server.asked.count { $0 == IMEndpoints.pull.path } == pulls + 1)
        #expect(try await device.history(scene.chat).map(\.id) == (1...7).map { "b\($0)" })
        await device.end()
    }

    @Test(
        "B10, C1: pages come from the device, older ones from the hub; only the beginning is the end",
        arguments: [1, 7, 40]
    )
    func pages(size: Int) async throws {
        let scene = try Scene()
        for number in 1...300 { try await scene.hub.sends(scene.bob, "\(number)", in: scene.chat, as: "b\(number)") }
        let device = try await HubDevice(scene.hub, scene.ada)
        try await device.settle()
        #expect(try await device.entry(scene.chat).unread == 300)
        #expect(try await device.history(scene.chat, page: size).map(\.text) == (1...300).map { "\($0)" })
        let first = try await device.repository.history(of: scene.chat, before: 1)
        #expect(first.messages.isEmpty)
        #expect(first.isEnd)
        // Away: what is here is here.
        device.server.setOnline(false)
        #expect(try await device.history(scene.chat).count == 300)
        await device.end()
    }

    @Test("without the hub the newest page is shown, older ones are refused, and neither is the end")
    func away() async throws {
        let scene = try Scene()
        for number in 1...300 { try await scene.hub.sends(scene.ada, "\(number)", in: scene.chat, as: "a\(number)") }
        let device = try await HubDevice(scene.hub, scene.ada)
        try await device.settle()
        device.server.setOnline(false)
        let page = try await device.repository.history(of: scene.chat)
        #expect(!page.messages.isEmpty)
        #expect(!page.isEnd)
        await #expect(throws: ChatError.unreachable) {
            try await device.repository.history(of: scene.chat, before: page.messages.first?.seq)
        }
        await device.end()
    }

    @Test("a stranger's first message is a request on both sides, until it is accepted")
    func requests() async throws {
        let scene = try Scene(strangersAsk: true)
        let ada = try await HubDevice(scene.hub, scene.ada)
        let bob = try await HubDevice(scene.hub, scene.bob)
        try await ada.settle()
        try await bob.settle()
        _ = try await ada.repository.send("hello", in: scene.chat)
        try await ada.settle()
        try await bob.heal()
        #expect(try await ada.entry(scene.chat).request == .outgoing)
        #expect(try await bob.entry(scene.chat).request == .incoming)
        #expect(try await bob.repository.list().requests == 1)
        #expect(try await bob.repository.answer(scene.chat, accepts: true).request == nil)
        try await bob.settle()
        try await ada.heal()
        #expect(try await ada.entry(scene.chat).request == nil)
        await ada.end()
        await bob.end()
    }

    @Test("a declined request is off the list on all devices of who declined, and nobody is told")
    func declining() async throws {
        let scene = try Scene(strangersAsk: true)
        let ada = try await HubDevice(scene.hub, scene.ada)
        let bob = try await HubDevice(scene.hub, scene.bob)
        let tablet = try await HubDevice(scene.hub, scene.bob, "tablet")
        _ = try await ada.repository.send("hello", in: scene.chat)
        try await ada.settle()
        try await bob.heal()
        try await tablet.heal()
        _ = try await bob.repository.answer(scene.chat, accepts: false)
        try await bob.settle()
        for device in [bob, tablet] {
            try await device.heal()
            #expect(try await device.repository.list().conversations.isEmpty)
        }
        try await ada.heal()
        #expect(try await ada.entry(scene.chat).request == .outgoing)
        for device in [ada, bob, tablet] { await device.end() }
    }

    @Test("L6: settings, hiding and clearing reach the other device; a new message brings back what was hidden")
    func settings() async throws {
        let scene = try Scene()
        let device = try await HubDevice(scene.hub, scene.ada)
        let other = try await HubDevice(scene.hub, scene.ada, "tablet")
        for number in 1...3 { try await scene.hub.sends(scene.bob, "\(number)", in: scene.chat, as: "b\(number)") }
        try await device.heal()
        #expect(try await device.repository.pin(scene.chat, true).isPinned)
        #expect(try await device.repository.mute(scene.chat, true).isMuted)
        try await device.repository.draft(scene.chat, "later")
        try await device.settle()
        try await other.heal()
        var entry = try await other.entry(scene.chat)
        #expect(entry.isPinned && entry.isMuted)
        #expect(entry.draft == "later")
        #expect(try await other.repository.list().unread == 0)
        try await device.repository.hide(scene.chat)
        try await other.heal()
        #expect(try await other.repository.list().conversations.isEmpty)
        try await scene.hub.sends(scene.bob, "4", in: scene.chat, as: "b4")
        try await other.heal()
        let listed = try await other.repository.list().conversations
        entry = try #require(listed.first)
        #expect(entry.unread == 1)
        #expect(!entry.isPinned)
        try await device.repository.clear(scene.chat)
        try await other.heal()
        #expect(try await other.history(scene.chat).isEmpty)
        #expect(try await other.entry(scene.chat).unread == 0)
        await device.end()
        await other.end()
    }

    @Test("I4: the first message after a clearing is asked for where its push was lost")
    func afterClearing() async throws {
        let scene = try Scene()
        let device = try await HubDevice(scene.hub, scene.ada)
        let other = try await HubDevice(scene.hub, scene.ada, "tablet")
        for number in 1...3 { try await scene.hub.sends(scene.bob, "\(number)", in: scene.chat, as: "b\(number)") }
        try await device.heal()
        try await other.heal()
        other.server.setOnline(false)
        try await device.repository.clear(scene.chat)
        // It learns where its history begins now, and then that nothing is there yet.
        try await other.heal()
        try await other.heal()
        other.server.setFaults(Faults(lost: 1))
        try await scene.hub.sends(scene.bob, "4", in: scene.chat, as: "b4")
        try await other.heal()
        #expect(try await other.words(scene.chat) == ["4"])
        for device in [device, other] { await device.end() }
    }

    @Test("I4: a device that begins where all was cleared asks for the first message behind it")
    func beginningAfterClearing() async throws {
        let scene = try Scene()
        let device = try await HubDevice(scene.hub, scene.ada)
        try await scene.hub.sends(scene.bob, "1", in: scene.chat, as: "b1")
        try await device.heal()
        try await device.repository.clear(scene.chat)
        let other = try await HubDevice(scene.hub, scene.ada, "tablet")
        try await other.settle()
        _ = try await other.history(scene.chat)
        other.server.setFaults(Faults(lost: 1))
        try await scene.hub.sends(scene.bob, "2", in: scene.chat, as: "b2")
        try await other.heal()
        #expect(try await other.words(scene.chat) == ["2"])
        for device in [device, other] { await device.end() }
    }

    @Test("I7: read while away is told when the hub is back, and the peer learns it")
    func reading() async throws {
        let scene = try Scene()
        let ada = try await HubDevice(scene.hub, scene.ada)
        let bob = try await HubDevice(scene.hub, scene.bob)
        _ = try await bob.repository.send("one", in: scene.chat)
        try await bob.settle()
        try await ada.heal()
        #expect(try await ada.entry(scene.chat).unread == 1)
        ada.server.setOnline(false)
        try await ada.repository.read(scene.chat)
        #expect(try await ada.entry(scene.chat).unread == 0)
        try await ada.heal()
        try await bob.heal()
        #expect(try await bob.entry(scene.chat).readByPeer == 1)
        #expect(try await scene.hub.summary(scene.chat, for: scene.ada).unread == 0)
        await ada.end()
        await bob.end()
    }

    @Test("C5, B14: a recall reaches the peer and the preview; a recall that is quicker than its message waits for it")
    func recalls() async throws {
        let scene = try Scene()
        let ada = try await HubDevice(scene.hub, scene.ada)
        let bob = try await HubDevice(scene.hub, scene.bob)
        _ = try await ada.repository.send("secret", in: scene.chat, id: "m1")
        try await ada.settle()
        try await bob.heal()
        #expect(try await ada.repository.recall("m1", in: scene.chat).kind == .recalled)
        await #expect(throws: ChatError.notRecallable) { try await ada.repository.recall("m1", in: scene.chat) }
        try await bob.heal()
        #expect(try await bob.entry(scene.chat).last?.kind == .recalled)
        #expect(try await bob.entry(scene.chat).unread == 0)
        // The event of the next one comes before its message.
        _ = try await ada.repository.send("another", in: scene.chat, id: "m2")
        try await ada.settle()
        let stored = try #require(try await scene.hub.truth(scene.chat, for: scene.bob).last)
        let data = MessageData(stored)
        let early = try await HubDevice(scene.hub, scene.bob, "early", isRunning: false)
        let event = ChatEvent.Change.recalled(scene.chat, sequence: 1, clientMessageID: "m2", by: scene.ada, at: 5)
        await early.repository.take(.events([ChatEvent(1, event)]))
        var first = data
        first.sequence = 1
        await early.repository.take(.messages([first]))
        #expect(try await early.repository.message("m2", in: scene.chat).kind == .recalled)
        for device in [ada, bob, early] { await device.end() }
    }

    @Test(
        "I4: what was deleted before it came stays deleted: pushed behind a gap, or an own message whose place was not known"
    )
    func deletedEarly() async throws {
        let scene = try Scene()
        let (ada, bob) = (try await HubDevice(scene.hub, scene.ada), try await HubDevice(scene.hub, scene.bob))
        for number in 1...3 { _ = try await bob.repository.send("\(number)", in: scene.chat, id: "b\(number)") }
        try await bob.settle()
        try await ada.heal()
        let messages = try await scene.hub.truth(scene.chat, for: scene.ada).map { MessageData($0) }
        // Another device of hers that has the first, and gets the third before the second.
        let other = try await HubDevice(scene.hub, scene.ada, "other", isRunning: false)
        await other.repository.take(.messages([messages[0]]))
        await other.repository.take(.messages([messages[2]]))
        await other.repository.take(.events([ChatEvent(1, .deleted(scene.chat, sequences: [3]))]))
        await other.repository.take(.messages([messages[1]]))
        #expect(try await other.words(scene.chat) == ["1", "2"])

        // Her own, deleted on the other device before the hub's answer is here.
        ada.server.hold(ChatEndpoints.send.path)
        _ = try await ada.repository.send("mine", in: scene.chat, id: "a1")
        await ada.repository.take(.events([ChatEvent(1, .deleted(scene.chat, sequences: [4]))]))
        ada.server.release(ChatEndpoints.send.path)
        try await ada.settle()
        #expect(try await ada.words(scene.chat) == ["1", "2", "3"])
        for device in [ada, bob, other] { await device.end() }
    }

    @Test("a message that cannot be read is shown as unknown, and the next ones come")
    func unreadable() async throws {
        let scene = try Scene()
        let device = try await HubDevice(scene.hub, scene.ada, isRunning: false)
        var strange = MessageData(
            clientMessageID: "b1",
            sendTime: 5,
            from: scene.bob,
            to: scene.ada,
            contentType: ContentType(rawValue: 110),
            element: ["data": "{\"type\":\"hologram\"}"],
            sequence: 1
        )
        await device.repository.take(.messages([strange]))
        strange.element = ["content": "fine"]
        strange.contentType = .text
        strange.clientMessageID = "b2"
        strange.sequence = 2
        await device.repository.take(.messages([strange]))
        let shown = try await device.repository.page(of: scene.chat, before: nil, limit: 9).records.reversed()
        #expect(shown.map { $0.message(for: scene.ada).type } == [.unknown, .text])
        await device.end()
    }

    @Test(
        "I5: one without a legible id stands once in each conversation, takes nothing away, and leaves when it comes whole"
    )
    func placeholder() async throws {
        let scene = try Scene()
        let device = try await HubDevice(scene.hub, scene.ada, isRunning: false)
        func arrives(_ wire: JSONValue, from person: UserID) async throws {
            let part: JSONValue = ["Msgs": [wire], "isEnd": true, "endSeq": 1]
            let chat = try #require(ConversationID(scene.ada, person))
            let pulled = try PulledMessages(wire: ["msgs": .object([chat.text: part])])
            await device.repository.take(.messages(pulled.parts.values.flatMap(\.messages)))
        }
        func rows(with person: UserID) async throws -> [MessageRecord] {
            let chat = try #require(ConversationID(scene.ada, person))
            return try await device.repository.page(of: chat, before: nil, limit: 9).records
        }
        func message(from person: UserID) -> MessageData {
            MessageData(
                clientMessageID: "b1",
                sendTime: 5,
                from: person,
                to: scene.ada,
                contentType: .text,
                element: ["content": "fine"],
                sequence: 1
            )
        }
        for person in [scene.bob, scene.cy, scene.bob] {
            try await arrives(message(from: person).wire.adding("clientMsgID", []), from: person)
        }
        for person in [scene.bob, scene.cy] {
            let shown = try await rows(with: person)
            #expect(shown.map(\.trouble) == [.unreadable])
            #expect(shown.map { $0.message(for: scene.ada).type } == [.unknown])
        }
        try await arrives(message(from: scene.bob).wire, from: scene.bob)
        // What is here already is worth more than a copy that cannot be read.
        try await arrives(message(from: scene.bob).wire.adding("contentType", "x"), from: scene.bob)
        let shown = try await rows(with: scene.bob)
        #expect(shown.map(\.key.clientMessageID) == ["b1"])
        #expect(shown.map { $0.message(for: scene.ada).content } == ["fine"])
        #expect(shown.map(\.trouble) == [nil])
        await device.end()
    }

    @Test("I4: a push waits for a number that is missing before it; an answer to a sync has all that there is")
    func missingNumbers() async throws {
        let scene = try Scene()
        let device = try await HubDevice(scene.hub, scene.ada)
        try await device.settle()
        let stored = await device.repository.stored
        let first = try await stored.read { try $0.event() ?? 0 }
        let events = [ChatEvent(first + 1, .unknown("x")), ChatEvent(first + 3, .unknown("y"))]
        #expect(try await stored.write { try !$0.apply(events, early: EarlyBook()) })
        #expect(try await stored.read { try $0.event() } == first + 1)
        #expect(try await stored.write { try $0.apply(events, isAnswer: true, early: EarlyBook()) })
        #expect(try await stored.read { try $0.event() } == first + 3)
        await device.end()
    }

    @Test("followers get what happens; one that is too slow is told to ask again; the end of the account ends them")
    func following() async throws {
        let scene = try Scene()
        let device = try await HubDevice(scene.hub, scene.ada)
        let (quick, slow) = (Follower(), Follower())
        let gate = LatestValue(false)
        try await device.settle()
        let quickEnds = Task {
            try await device.repository.follow(nil) { item in quick.items.update { $0.append(item) } }
        }
        let slowEnds = Task {
            try await device.repository.follow(scene.chat) { item in
                for await isOpen in gate.values() where isOpen { break }
                slow.items.update { $0.append(item) }
            }
        }
        await quick.wait { !$0.isEmpty }
        for number in 0..<400 { _ = try await device.repository.send("\(number)", in: scene.chat, id: "m\(number)") }
        try await device.settle()
        await quick.wait { items in
            items.contains { $0.message?.id == "m399" && $0.message?.status == .sent || $0.reset == true }
        }
        gate.set(true)
        await slow.wait { $0.contains { $0.reset == true } }
        await device.end()
        await #expect(throws: ChatError.noAccount) { try await quickEnds.value }
        await #expect(throws: ChatError.noAccount) { try await slowEnds.value }
        await #expect(throws: ChatError.noAccount) { try await device.repository.follow(nil) { _ in } }
    }

    @Test("typing is shown until it ends by itself, and presence as long as the hub is there")
    func live() async throws {
        let scene = try Scene()
        let clock = ManualClock()
        let device = try await HubDevice(scene.hub, scene.ada, clock: clock)
        let follower = Follower()
        try await scene.hub.sends(scene.bob, "one", in: scene.chat, as: "b1")
        try await device.heal()
        let ends = Task {
            try await device.repository.follow(nil) { item in follower.items.update { $0.append(item) } }
        }
        await follower.wait { !$0.isEmpty }
        await device.repository.take(.events([ChatEvent(nil, .typing(scene.chat))]))
        await follower.wait { $0.contains { $0.typing?.isTyping == true } }
        await clock.sleeper(for: ChatRepository.typingLife)
        clock.advance(by: ChatRepository.typingLife)
        await follower.wait { $0.contains { $0.typing?.isTyping == false } }
        await device.repository.take(.events([ChatEvent(nil, .presence(scene.bob, isOnline: true))]))
        #expect(try await device.entry(scene.chat).isOnline)
        await device.repository.take(.lost)
        #expect(try await !device.entry(scene.chat).isOnline)
        await device.end()
        await #expect(throws: ChatError.noAccount) { try await ends.value }
    }

    @Test("changes that the hub does not keep any more: the device loads anew and agrees again")
    func reload() async throws {
        let scene = try Scene()
        let device = try await HubDevice(scene.hub, scene.ada)
        for number in 1...5 { try await scene.hub.sends(scene.bob, "\(number)", in: scene.chat, as: "b\(number)") }
        try await device.heal()
        device.server.setOnline(false)
        let asker = scene.hub.asker(scene.bob, "x").chat
        _ = try await scene.hub.service.recall(.client(id: "b5", sender: scene.bob), in: scene.chat, by: asker)
        let mine = scene.hub.asker(scene.ada, "x").chat
        for number in 0..<2100 {
            _ = try await scene.hub.service.change(
                SettingsChange(isPinned: number.isMultiple(of: 2)),
                of: scene.chat,
                by: mine
            )
        }
        try await device.heal()
        #expect(try await device.words(scene.chat) == ["1", "2", "3", "4", "-"])
        #expect(try await device.entry(scene.chat).unread == 4)
        await device.end()
    }
}
