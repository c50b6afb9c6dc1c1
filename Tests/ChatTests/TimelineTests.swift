import Accounts
import Kernel
import Testing

@testable import Chat

@Suite("The messages of a conversation", .timeLimit(.minutes(4)))
struct TimelineTests {
    let scene: ChatScene

    init() throws { scene = try ChatScene() }

    private func page(_ timeline: inout MessageTimeline) throws -> HistoryRequest {
        let request = timeline.beginLoading()
        return try #require(request)
    }

    private func expectNoPage(_ timeline: inout MessageTimeline, sourceLocation: SourceLocation = #_sourceLocation) {
        let request = timeline.beginLoading()
        #expect(request == nil, sourceLocation: sourceLocation)
    }

    private func expect(
        _ item: IncomingItem,
        is expected: MessageTimeline.Reception,
        in timeline: inout MessageTimeline,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let reception = timeline.receive(item)
        #expect(reception == expected, sourceLocation: sourceLocation)
    }

    private func ids(_ timeline: MessageTimeline) -> [String] { timeline.rows.map(\.id) }

    @Test("I4: the next message is applied, a repeat is known, one further on waits until what is missing was pulled")
    func gaps() throws {
        var timeline = try scene.timeline([scene.item("1", at: 1)])
        expect(scene.item("2", at: 2), is: .applied, in: &timeline)
        expect(scene.item("2", at: 2), is: .known, in: &timeline)
        expect(scene.item("5", at: 5), is: .waiting, in: &timeline)
        expect(scene.item("6", at: 6), is: .waiting, in: &timeline)
        #expect(timeline.missing == 3...4)
        #expect(ids(timeline) == ["1", "2"])
        timeline.repair([scene.item("3", at: 3), scene.item("4", at: 4)], covering: 3...4)
        #expect(ids(timeline) == ["1", "2", "3", "4", "5", "6"])
        #expect(timeline.missing == nil)
        #expect(timeline.appliedThrough == 6)
    }

    @Test("I4: a straggler fills the gap by itself")
    func straggler() throws {
        var timeline = try scene.timeline([scene.item("1", at: 1)])
        timeline.receive(scene.item("3", at: 3))
        expect(scene.item("2", at: 2), is: .applied, in: &timeline)
        #expect(ids(timeline) == ["1", "2", "3"])
        #expect(timeline.missing == nil)
    }

    @Test("I4: after a reconnect the server's newest number says what is missing, in pulls of bounded length")
    func reconnect() throws {
        var timeline = try scene.timeline([scene.item("1", at: 1)])
        timeline.noteNewest(1200)
        #expect(timeline.missing == 2...501)
        // Nothing of it is there any more: it still counts as seen.
        timeline.repair([], covering: 2...501)
        #expect(timeline.missing == 502...1001)
        timeline.repair([], covering: 502...1001)
        timeline.repair([scene.item("1200", at: 1200)], covering: 1002...1200)
        #expect(timeline.missing == nil)
        #expect(ids(timeline) == ["1", "1200"])
    }

    @Test("I4: pushes beyond what is kept are let go and pulled later, so a flood takes no memory")
    func flood() throws {
        var timeline = try scene.timeline([scene.item("1", at: 1)])
        for place in (3..<Int64(3003)).reversed() { timeline.receive(scene.item("\(place)", at: place)) }
        #expect(timeline.missing == 2...2)
        timeline.repair([scene.item("2", at: 2)], covering: 2...2)
        #expect(timeline.appliedThrough == 1002)
        #expect(timeline.missing == 1003...1502)
    }

    @Test("I5, R4: send, echo and history are one row, keyed by the sender and the sender's id")
    func once() throws {
        var timeline = try scene.timeline([scene.item("1", at: 1)])
        timeline.add(scene.message("m", from: scene.ada, time: 10, status: .sending))
        timeline.acknowledge(scene.answer("m", at: 2))
        timeline.receive(scene.item("m", from: scene.ada, at: 2))
        timeline.repair([scene.item("m", from: scene.ada, at: 2)], covering: 1...2)
        #expect(ids(timeline) == ["1", "m"])
        // The peer may choose the same id: another message.
        timeline.receive(scene.item("m", from: scene.bob, at: 3))
        #expect(ids(timeline) == ["1", "m", "m"])
        #expect(Set(timeline.entries.map(\.id)).count == timeline.entries.count)
    }

    @Test(
        "I6, Q4: own rows that wait stand behind all others in their order, and move to their places when they are sent"
    )
    func pending() throws {
        var timeline = try scene.timeline([scene.item("1", at: 1)])
        timeline.add(scene.message("a", from: scene.ada, status: .sending))
        timeline.add(scene.message("b", from: scene.ada, status: .sending))
        timeline.receive(scene.item("2", at: 2))
        #expect(ids(timeline) == ["1", "2", "a", "b"])
        timeline.acknowledge(scene.answer("b", at: 3))
        #expect(ids(timeline) == ["1", "2", "b", "a"])
        timeline.acknowledge(scene.answer("a", at: 4))
        #expect(ids(timeline) == ["1", "2", "b", "a"])
        #expect(timeline.appliedThrough == 4)
    }

    @Test("B6: the echo of an own message upgrades its row, also one that had failed")
    func echo() throws {
        var timeline = try scene.timeline()
        timeline.add(scene.message("a", from: scene.ada, status: .sending))
        try timeline.fail("a", reason: "no answer")
        timeline.receive(scene.item("a", from: scene.ada, at: 1))
        let row = try #require(timeline.own("a"))
        #expect(row.status == .success && row.errorReason == nil && row.sequence == 1)
        // The late answer changes nothing.
        timeline.acknowledge(scene.answer("a", at: 1))
        #expect(throws: ChatError.illegalStatus(from: .success, to: .failed)) {
            try timeline.fail("a", reason: "late")
        }
        #expect(timeline.own("a")?.status == .success)
    }

    @Test(
        "B7, B25: rows stand in the server's order, whatever any clock says; the server's time is shown once it is known"
    )
    func clocks() throws {
        var timeline = try scene.timeline([scene.item("1", at: 1, time: 9_000_000), scene.item("2", at: 2, time: 10)])
        timeline.add(scene.message("a", from: scene.ada, time: 5, status: .sending))
        #expect(ids(timeline) == ["1", "2", "a"])
        #expect(timeline.own("a")?.displayTime == 5)
        timeline.acknowledge(scene.answer("a", at: 3, time: 777))
        let row = try #require(timeline.own("a"))
        #expect(row.displayTime == 777 && row.createTime == 5)
    }

    @Test("B8: a message is there at once, and its address comes later by key")
    func lateAddress() throws {
        var timeline = try scene.timeline()
        let payload = MessagePayload.multiImage(MultiImagePayload(objectKeys: ["x", "y"]))
        timeline.receive(scene.item("p", at: 1, payload))
        timeline.receive(scene.item("q", at: 2))
        timeline.replaceURLs(["y": try #require(SignedURL("https://h/y"))])
        #expect(ids(timeline) == ["p", "q"])
        #expect(timeline.rows[0].multiImageURLs == ["", "https://h/y"])
        // A repeat with an empty address takes nothing away.
        timeline.receive(scene.item("p", at: 1, payload))
        #expect(timeline.rows[0].multiImageURLs == ["", "https://h/y"])
    }

    @Test("C8: a picture is said to be over only after signing it anew failed, and no longer than that")
    func unavailable() throws {
        let payload = MessagePayload.multiImage(MultiImagePayload(objectKeys: ["x", "y"]))
        var timeline = try scene.timeline([scene.item("p", at: 1, payload)])
        timeline.markUnavailable(["y", "z"])
        #expect(timeline.rows[0].pictures.map(\.isUnavailable) == [false, true])
        timeline.replaceURLs(["y": try #require(SignedURL("https://h/y"))])
        #expect(timeline.rows[0].pictures.map(\.isUnavailable) == [false, false])
    }

    @Test("C8, C10: progress is shown only while something is uploaded; a voice note says its seconds")
    func rowTexts() throws {
        var timeline = try scene.timeline()
        let voice = MessagePayload.voice(VoicePayload(objectKey: "a", durationSeconds: 12))
        timeline.add(scene.message("v", from: scene.ada, status: .sending, voice))
        #expect(timeline.own("v")?.showsProgress == false)
        timeline.progress("v", 0.1)
        #expect(timeline.own("v")?.showsProgress == true)
        timeline.acknowledge(scene.answer("v", at: 1))
        #expect(timeline.own("v")?.showsProgress == false)
        #expect(timeline.own("v")?.durationText == "12″")
        #expect(scene.message("t").durationText == nil)
    }

    @Test("B9: what is pushed while the first page is on its way is merged with it")
    func pushedWhileLoading() throws {
        var timeline = try #require(MessageTimeline(scene.conversation, me: scene.ada))
        let request = try page(&timeline)
        timeline.add(scene.message("a", from: scene.ada, status: .sending))
        expect(scene.item("4", at: 4), is: .waiting, in: &timeline)
        expect(scene.item("3", at: 3), is: .waiting, in: &timeline)
        timeline.finishLoading(request, HistoryPage([scene.item("2", at: 2), scene.item("3", at: 3)], isEnd: false))
        #expect(ids(timeline) == ["2", "3", "4", "a"])
        #expect(timeline.missing == nil)
    }

    @Test("B10, C1: one page at a time, a failure ends nothing, and only the server says where the end is")
    func paging() throws {
        var timeline = try #require(MessageTimeline(scene.conversation, me: scene.ada))
        let newest = try page(&timeline)
        #expect(newest.before == nil && newest.count == 40)
        expectNoPage(&timeline)
        timeline.failLoading(newest)
        #expect(timeline.paging.hasMore && !timeline.paging.isLoading)
        let again = try page(&timeline)
        // The answer to the request that was given up comes late.
        timeline.finishLoading(newest, HistoryPage([], isEnd: true))
        #expect(timeline.paging.isLoading)
        // A page of two rows is short, and not the end.
        timeline.finishLoading(
            again,
            HistoryPage([scene.item("90", at: 90), scene.item("99", at: 99)], isEnd: false, lowest: 60)
        )
        let older = try page(&timeline)
        #expect(older.before == 60)
        timeline.finishLoading(older, HistoryPage([scene.item("20", at: 20)], isEnd: true))
        expectNoPage(&timeline)
        #expect(!timeline.paging.hasMore)
        #expect(ids(timeline) == ["20", "90", "99"])
    }

    @Test("R6: loading older pages never moves the newest end")
    func newestEnd() throws {
        var timeline = try scene.timeline((61...100).map { scene.item("\($0)", at: $0) }, isEnd: false)
        timeline.add(scene.message("a", from: scene.ada, status: .sending))
        let newest = ids(timeline)
        for start in [Int64(21), 1] {
            let request = try page(&timeline)
            let before = try #require(request.before)
            timeline.finishLoading(
                request,
                HistoryPage((start..<before).map { scene.item("\($0)", at: $0) }, isEnd: false)
            )
            #expect(Array(ids(timeline).suffix(41)) == newest)
        }
        #expect(timeline.rows.count == 101)
        // The first place is the end, whatever the server forgot to say.
        expectNoPage(&timeline)
    }

    @Test("B11: markers are derived from the whole list, with none at the seams of pages")
    func markersOverPages() throws {
        var timeline = try scene.timeline([scene.item("3", at: 3, time: 1_200_000)], isEnd: false)
        let request = try page(&timeline)
        timeline.finishLoading(
            request,
            HistoryPage(
                [scene.item("1", at: 1, time: 1_000_000), scene.item("2", at: 2, time: 1_100_000)],
                isEnd: true
            )
        )
        #expect(timeline.entries.map(\.id) == ["time_1000000", "tb_9/1", "tb_9/2", "tb_9/3"])
        timeline.add(scene.message("a", from: scene.ada, time: 1_300_001, status: .sending))
        #expect(timeline.entries.map(\.id).suffix(2) == ["time_1300001", "tb_7/a"])
    }

    @Test("C4, B21: only the peer's bubbles that come while older ones are looked at are counted, each once")
    func banner() throws {
        var timeline = try scene.timeline([scene.item("1", at: 1)], isEnd: false)
        timeline.receive(scene.item("2", at: 2))
        #expect(timeline.bannerText == nil)
        timeline.leftNewestEnd()
        timeline.receive(scene.item("3", at: 3))
        timeline.receive(scene.item("3", at: 3))
        timeline.receive(scene.item("own", from: scene.ada, at: 4))
        timeline.receive(
            .flashViewed(target: MessageKey(sender: scene.ada, clientMessageID: "own"), sequence: 5)
        )
        timeline.receive(scene.item("8", at: 8))
        #expect(timeline.newMessageCount == 1)
        timeline.repair([scene.item("6", at: 6), scene.item("7", at: 7)], covering: 6...7)
        #expect(timeline.bannerText == "4 条新消息 ↓")
        timeline.reachedNewestEnd()
        #expect(timeline.bannerText == nil)
    }

    @Test("C4: older messages that are loaded are not new")
    func bannerOfHistory() throws {
        var timeline = try scene.timeline([scene.item("9", at: 9)], isEnd: false)
        timeline.leftNewestEnd()
        timeline.finishLoading(try page(&timeline), HistoryPage([scene.item("8", at: 8)], isEnd: true))
        #expect(timeline.rows.count == 2)
        #expect(timeline.newMessageCount == 0)
    }

    @Test("B14: a recall and a burned photo are folded into the rows, in whatever order they come")
    func folded() throws {
        let flash = MessagePayload.flashImage(FlashImagePayload(objectKey: "chat/flash/a"))
        let key = MessageKey(sender: scene.bob, clientMessageID: "f")
        let recall = IncomingItem.recalled(
            IncomingItem.Recall(target: MessageKey(sender: scene.bob, clientMessageID: "1"), sequence: 1)
        )
        for isEarly in [false, true] {
            var timeline = try scene.timeline()
            let events: [IncomingItem] = [.flashViewed(target: key, sequence: nil), recall]
            if isEarly { events.forEach { timeline.receive($0) } }
            timeline.receive(scene.item("1", at: 1))
            timeline.receive(scene.item("f", at: 2, flash))
            if !isEarly { events.forEach { timeline.receive($0) } }
            // A page that was read before comes late and resurrects nothing.
            timeline.repair([scene.item("1", at: 1), scene.item("f", at: 2, flash)], covering: 1...2)
            #expect(timeline.rows.map(\.isRecalled) == [true, false])
            #expect(timeline.rows.map(\.content) == ["", "[闪照]"])
            #expect(timeline.rows.map(\.isDestroyed) == [false, true])
            #expect(timeline.rows[1].objectKey == nil)
        }
    }

    @Test("an administrator's recall names the place alone")
    func administrator() throws {
        var timeline = try scene.timeline([scene.item("1", at: 1), scene.item("2", from: scene.ada, at: 2)])
        timeline.receive(.recalled(IncomingItem.Recall(target: nil, sequence: 2)))
        timeline.receive(.recalled(IncomingItem.Recall(target: nil, sequence: 3)))
        timeline.receive(scene.item("3", at: 3))
        #expect(timeline.rows.map(\.isRecalled) == [false, true, true])
    }

    @Test("C5, B18: a recall is shown at once and taken back by id: what came meanwhile stays")
    func recall() throws {
        var timeline = try scene.timeline([
            scene.item("a", from: scene.ada, at: 1), scene.item("b", from: scene.ada, at: 2),
        ])
        let step = try timeline.beginRecall("a")
        #expect(step == .ask(RevokeMessage(scene.conversation, clientMessageID: "a")))
        #expect(timeline.rows.map(\.isRecalled) == [true, false])
        #expect(throws: ChatError.notRecallable) { try timeline.beginRecall("a") }
        timeline.receive(scene.item("3", at: 3))
        timeline.receive(.read(ReadReceipt(reader: scene.bob, conversation: scene.conversation, readSequence: 1)))
        timeline.rollBackRecall("a")
        #expect(timeline.rows.map(\.isRecalled) == [false, false, false])
        #expect(timeline.rows[0].content == "a" && timeline.rows[0].isRead)
        _ = try timeline.beginRecall("b")
        timeline.confirmRecall("b")
        timeline.rollBackRecall("b")
        #expect(timeline.rows[1].isRecalled && timeline.rows[1].type == .revoked && timeline.rows[1].content == "")
    }

    @Test("C5: nobody recalls another's message; B19: a message that was never sent is taken out of the queue instead")
    func notRecallable() throws {
        var timeline = try scene.timeline([scene.item("1", at: 1)])
        #expect(throws: ChatError.unknownMessage) { try timeline.beginRecall("1") }
        timeline.add(scene.message("a", from: scene.ada, status: .sending))
        let step = try timeline.beginRecall("a")
        #expect(step == .cancelSending(id: "a"))
        #expect(timeline.own("a")?.isRecalled == false)
        let discarded = timeline.discard("a")
        #expect(discarded)
        #expect(ids(timeline) == ["1"])
        let discardedAgain = timeline.discard("a")
        #expect(!discardedAgain)
        timeline.acknowledge(scene.answer("a", at: 2))
        #expect(ids(timeline) == ["1"])
    }

    @Test("B24: a failed message is sent again under its id and in its place")
    func resend() throws {
        var timeline = try scene.timeline()
        timeline.add(scene.message("a", from: scene.ada, status: .sending))
        timeline.add(scene.message("b", from: scene.ada, status: .sending))
        #expect(throws: ChatError.illegalStatus(from: .sending, to: .sending)) { try timeline.resend("a") }
        timeline.progress("a", 0.5)
        timeline.progress("a", .nan)
        #expect(timeline.own("a")?.uploadProgress == 0.5)
        try timeline.fail("a", reason: "why")
        #expect(timeline.own("a")?.errorReason == "why")
        try timeline.resend("a")
        #expect(ids(timeline) == ["a", "b"])
        #expect(timeline.own("a")?.status == .sending && timeline.own("a")?.errorReason == nil)
        #expect(throws: ChatError.unknownMessage) { try timeline.resend("z") }
    }

    @Test("C9, I9: clearing hides everything up to now for oneself, also what is still on its way")
    func clear() throws {
        var timeline = try scene.timeline((3...6).map { scene.item("\($0)", at: $0) }, isEnd: false)
        let request = try page(&timeline)
        timeline.add(scene.message("a", from: scene.ada, status: .sending))
        timeline.clear(through: 6)
        timeline.finishLoading(request, HistoryPage([scene.item("1", at: 1), scene.item("2", at: 2)], isEnd: false))
        timeline.receive(scene.item("5", at: 5))
        #expect(ids(timeline) == ["a"])
        expectNoPage(&timeline)
        timeline.receive(scene.item("7", at: 7))
        #expect(ids(timeline) == ["7", "a"])
    }

    @Test("single messages are hidden for oneself, and stay so")
    func remove() throws {
        var timeline = try scene.timeline((1...3).map { scene.item("\($0)", at: $0) })
        timeline.remove([2])
        timeline.receive(scene.item("2", at: 2))
        #expect(ids(timeline) == ["1", "3"])
    }

    @Test("the peer's reading marks own messages up to its place, and never goes back")
    func reading() throws {
        var timeline = try scene.timeline((1...3).map { scene.item("\($0)", from: scene.ada, at: $0) })
        timeline.receive(.read(ReadReceipt(reader: scene.bob, conversation: scene.conversation, readSequence: 2)))
        timeline.receive(.read(ReadReceipt(reader: scene.bob, conversation: scene.conversation, readSequence: 1)))
        timeline.receive(.read(ReadReceipt(reader: scene.ada, conversation: scene.conversation, readSequence: 3)))
        #expect(timeline.rows.map(\.isRead) == [true, true, false])
    }

    @Test("a foreign conversation's message is no row, and a server that gives one place twice breaks nothing")
    func nonsense() throws {
        var timeline = try scene.timeline([scene.item("1", at: 1)])
        let foreign = ChatMessage(id: "x", from: scene.cy, to: scene.ada, as: scene.ada, createTime: 0, .text("x"))
        timeline.receive(.message(foreign))
        timeline.receive(scene.item("y", at: 1))
        timeline.receive(scene.item("z", at: .max))
        timeline.noteNewest(.max)
        timeline.repair([scene.item("z", at: .max)], covering: 5 ... .max)
        timeline.clear(through: .max)
        #expect(ids(timeline) == ["1"])
        #expect(timeline.missing == 2...501)
        // A server that says it is at the last place there can be.
        var last = try scene.timeline([scene.item("z", at: .max), scene.item("y", at: ChatLimits.place)])
        last.receive(scene.item("z", at: .max))
        #expect(last.missing == nil)
        #expect(MessageTimeline(scene.conversation, me: scene.cy) == nil)
    }

    @Test("an upload gives its row the object's key, and the row keeps its state")
    func uploaded() throws {
        var timeline = try scene.timeline()
        var pending = scene.message("a", from: scene.ada, status: .sending, .image(ImagePayload(objectKey: "")))
        pending.imageURL = "file:///tmp/a.jpg"
        timeline.add(pending)
        timeline.uploaded("a", .image(ImagePayload(objectKey: "chat/image/a.jpg", width: 4, height: 3)))
        let row = try #require(timeline.own("a"))
        #expect(row.objectKey == "chat/image/a.jpg" && row.width == 4 && row.status == .sending)
        #expect(row.imageURL == "file:///tmp/a.jpg")
        // The echo has an address; the file is nearer.
        var image = ImagePayload(objectKey: "chat/image/a.jpg")
        image.url = "https://h/a"
        timeline.receive(scene.item("a", from: scene.ada, at: 1, .image(image)))
        #expect(timeline.own("a")?.imageURL == "file:///tmp/a.jpg")
    }
}
