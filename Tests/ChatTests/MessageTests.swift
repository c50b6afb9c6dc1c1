import Accounts
import Foundation
import Kernel
import Testing

@testable import Chat

@Suite("Rows of a conversation", .timeLimit(.minutes(4)))
struct MessageTests {
    let scene: ChatScene

    init() throws { scene = try ChatScene() }

    @Test(
        "B24: a message goes from sending to sent or failed, and from failed to sending; nothing undoes that it was sent"
    )
    func status() throws {
        for from in MessageStatus.allCases {
            for to in MessageStatus.allCases {
                let isAllowed =
                    [
                        [.sending, .success], [.sending, .failed], [.failed, .sending], [.failed, .success],
                    ].contains([from, to])
                var message = scene.message("m", from: scene.ada, status: from)
                let before = message
                if isAllowed {
                    try message.move(to: to, reason: "why")
                    #expect(message.status == to)
                    #expect(message.errorReason == (to == .failed ? "why" : nil))
                } else {
                    #expect(throws: ChatError.illegalStatus(from: from, to: to)) { try message.move(to: to) }
                    #expect(message == before)
                }
            }
        }
    }

    @Test("B16: an address counts as over a minute before its end; without an end it counts as good")
    func expiry() {
        var message = scene.message("m", .image(ImagePayload(objectKey: "a")))
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        for (end, isExpired) in [
            (nil, false), (0, false), (-5, false), (1_790_000_060, false), (1_790_000_059, true), (1, true),
        ] as [(Int64?, Bool)] {
            message.urlExpireAt = end
            #expect(message.isURLExpired(at: now) == isExpired, "\(String(describing: end))")
        }
    }

    @Test("R2: new addresses go back into the list as a whole, each in its place")
    func multiWriteBack() throws {
        var message = scene.message("m", .multiImage(MultiImagePayload(objectKeys: ["a", "b", "c"])))
        #expect(message.multiImageURLs == ["", "", ""])
        let url = try #require(SignedURL("https://h/b?e=500"))
        let isChanged = message.replaceURLs(["b": url, "z": url])
        #expect(isChanged)
        #expect(message.multiImageURLs == ["", "https://h/b?e=500", ""])
        #expect(message.urlExpireAt == 500)
        let isChangedAgain = message.replaceURLs(["b": url]) || message.replaceURLs(["z": url])
        #expect(!isChangedAgain)
    }

    @Test(
        "R3: a picture without an address is a placeholder, however many addresses there are",
        arguments: [
            ([], []), (["a"], []), (["a", "b", "c"], ["https://h/1"]), (["a"], ["https://h/1", "https://h/2"]),
            (["a", "b"], ["", "https://h/2"]),
        ] as [([String], [String])]
    )
    func pictures(keys: [String], urls: [String]) {
        var payload = MultiImagePayload(objectKeys: keys)
        payload.urls = urls
        let message = scene.message("m", .multiImage(payload))
        #expect(message.pictures.map(\.objectKey) == keys.map(Optional.some))
        for (index, picture) in message.pictures.enumerated() {
            let url = index < urls.count ? urls[index] : ""
            #expect(picture.url == (url.isEmpty ? nil : url))
        }
    }

    @Test("an address that is not of the web is none: a message cannot show its reader's files")
    func fileAddresses() {
        var image = ImagePayload(objectKey: "a")
        image.url = "file:///etc/passwd"
        #expect(scene.message("m", .image(image)).imageURL == nil)
        var images = MultiImagePayload(objectKeys: ["a"])
        images.urls = ["javascript:alert(1)"]
        #expect(scene.message("m", .multiImage(images)).multiImageURLs == [""])
    }

    @Test("B5: a message belongs to the conversation of its two people, whoever looks at what")
    func filter() throws {
        let mapper = IMMessageMapper(me: scene.ada)
        let incoming = scene.data("1", from: scene.bob, at: 1, .text("hi"))
        guard case .message(let row)? = mapper.item(incoming, in: scene.conversation) else {
            return #expect(Bool(false), "the peer's message is missing")
        }
        #expect(!row.isMe && row.content == "hi" && row.sequence == 1 && row.status == .success)
        // An own message to somebody else is no row here.
        let other = try #require(ConversationID(scene.ada, scene.cy))
        let elsewhere = MessageData(
            clientMessageID: "2",
            from: scene.ada,
            to: scene.cy,
            contentType: .text,
            element: ["content": "secret"]
        )
        #expect(mapper.item(elsewhere, in: scene.conversation) == nil)
        guard case .message(let own)? = mapper.item(elsewhere, in: other) else {
            return #expect(Bool(false), "the own message is missing")
        }
        #expect(own.isMe)
        // Two other people's message is nobody's here.
        let foreign = MessageData(
            clientMessageID: "3",
            from: scene.bob,
            to: scene.cy,
            contentType: .text,
            element: ["content": "x"]
        )
        #expect(mapper.conversation(of: foreign) == nil)
    }

    @Test("R5: a recall is understood in both shapes, and keeps its row's place")
    func recallShapes() throws {
        let mapper = IMMessageMapper(me: scene.ada)
        var notice = RevokeNotice(
            clientMessageID: "m-1",
            revoker: scene.bob,
            time: 9,
            sequence: 4,
            conversation: scene.conversation
        )
        var pushed = scene.data("n-1", from: scene.bob, at: 88, .text(""))
        pushed.contentType = .revoke
        pushed.element = notice.pushElement
        let recall = IncomingItem.Recall(target: MessageKey(sender: scene.bob, clientMessageID: "m-1"), sequence: 4)
        #expect(mapper.item(pushed, in: scene.conversation) == .recalled(recall))

        notice.conversation = nil
        notice.sourceTime = 3
        notice.sourceSender = scene.bob
        var folded = pushed
        folded.sequence = 4
        folded.element = notice.historyElement
        guard case .message(let row)? = mapper.item(folded, in: scene.conversation) else {
            return #expect(Bool(false), "no row")
        }
        #expect(row.id == "m-1" && row.isRecalled && row.type == .revoked && row.sequence == 4 && row.sendTime == 3)
    }

    @Test("a photo can be said to be viewed only by its receiver")
    func viewedBy() {
        let mapper = IMMessageMapper(me: scene.ada)
        let viewed = scene.data("v", from: scene.bob, at: 5, .flashViewed(FlashViewedPayload(messageID: "m")))
        // Bob saw it, so it is one of Ada's.
        let target = MessageKey(sender: scene.ada, clientMessageID: "m")
        #expect(mapper.item(viewed, in: scene.conversation) == .flashViewed(target: target, sequence: 5))
    }

    @Test("a payload beyond its bounds is a row of an unknown kind")
    func overBounds() {
        let payload = MessagePayload.multiImage(MultiImagePayload(objectKeys: (0..<40).map { "k\($0)" }))
        let item = IMMessageMapper(me: scene.ada).item(
            scene.data("m", from: scene.bob, at: 1, payload),
            in: scene.conversation
        )
        guard case .message(let row)? = item else { return #expect(Bool(false), "no row") }
        #expect(row.type == .unknown && row.content == "[未知消息类型]" && row.pictures.isEmpty)
    }

    @Test("B13: a photo that burns comes without its key, and is one all the same")
    func flashWithoutKey() {
        let mapper = IMMessageMapper(me: scene.ada)
        for payload in [FlashImagePayload(objectKey: ""), .gone] {
            let data = scene.data("m", from: scene.bob, at: 1, .flashImage(payload))
            guard case .message(let row)? = mapper.item(data, in: scene.conversation) else {
                return #expect(Bool(false), "no row")
            }
            #expect(row.isFlash && row.objectKey == nil && row.isDestroyed == payload.isDestroyed)
        }
    }

    @Test("C6: each side sees its card of a photo that burns")
    func cards() {
        for (sender, isGone, text) in [
            (scene.bob, false, "点击查看闪照"), (scene.ada, false, ""), (scene.bob, true, "闪照已查看"),
            (scene.ada, true, "闪照已被查看"),
        ] {
            var message = scene.message("m", from: sender, .flashImage(FlashImagePayload(objectKey: "chat/flash/a")))
            if isGone { message.destroy() }
            #expect(FlashCard(message)?.text == text)
            #expect(message.cacheableKeys.isEmpty)
            #expect((message.objectKey == nil) == isGone)
        }
        #expect(FlashCard(scene.message("m")) == nil)
    }

    @Test("B12: a photo is opened, seen and closed before it is gone; then it cannot be opened again")
    func viewing() throws {
        let message = scene.message("m", .flashImage(FlashImagePayload(objectKey: "chat/flash/a")))
        var viewing = try FlashViewing(message)
        let opened = try viewing.open()
        #expect(opened == OpenFlash(scene.conversation, clientMessageID: "m"))
        let openedAgain = try viewing.open()
        #expect(openedAgain == nil)
        viewing.show()
        #expect(viewing.phase == .showing)
        let closed = viewing.close()
        #expect(closed == .flashViewed(FlashViewedPayload(messageID: "m")))
        let closedAgain = viewing.close()
        #expect(closedAgain == nil)
        #expect(throws: ChatError.flashGone) { try viewing.open() }
    }

    @Test("B12: what was not seen is not gone: a photo that did not come can be opened again")
    func notSeen() throws {
        let message = scene.message("m", .flashImage(FlashImagePayload(objectKey: "chat/flash/a")))
        var viewing = try FlashViewing(message)
        _ = try viewing.open()
        viewing.fail(ChatError.unreachable)
        #expect(viewing.phase == .closed)
        _ = try viewing.open()
        let closed = viewing.close()
        #expect(closed == nil)
        #expect(viewing.phase == .closed)
        _ = try viewing.open()
        viewing.fail(ChatError.flashGone)
        #expect(viewing.phase == .consumed)
        #expect(throws: ChatError.notYours) {
            try FlashViewing(scene.message("m", from: scene.ada, .flashImage(FlashImagePayload(objectKey: "k"))))
        }
    }

    @Test("C7, B20: a signal is quoted under one id, whoever computes it, and only with a reply")
    func quote() throws {
        let id = try #require(ConversationID("si_tb_10_tb_9"))
        let me = id.people[1]
        var conversation = try #require(Conversation(id, for: me))
        #expect(SignalQuote(conversation) == nil)
        conversation.fromSignal = true
        conversation.signalID = "s-1"
        conversation.signalReply = "  "
        #expect(SignalQuote(conversation) == nil)
        conversation.signalReply = "hey"
        conversation.receiveID = "31"
        let quote = try #require(SignalQuote(conversation))
        // Python: uuid5(uuid5(NAMESPACE_URL, "si_tb_10_tb_9"), "s-1")
        #expect(quote.messageID == "sq-bed8c7f0-4b64-5a5b-8bcb-b7258a8178a8")
        #expect(quote.payload == .signalQuote(SignalQuotePayload(signalID: "s-1", reply: "hey", signalContent: "")))
        #expect(quote.openIM?.receiveID == 31)
        conversation.receiveID = nil
        #expect(try #require(SignalQuote(conversation)).openIM == nil)
        conversation.isIMOpened = true
        #expect(SignalQuote(conversation) == nil)
    }

    @Test("B20: the conversation counts as opened once the server has the quote, and after no failure")
    func opened() {
        #expect(SignalQuote.isOpened(after: nil))
        #expect(SignalQuote.isOpened(after: ChatError.refused(.duplicateKey)))
        #expect(!SignalQuote.isOpened(after: ChatError.unreachable))
        #expect(!SignalQuote.isOpened(after: ChatError.refused(.blockedByPeer)))
    }

    @Test(
        "C3, B11: a marker stands before a row more than five minutes after the last marker, also with clocks that jump"
    )
    func markers() throws {
        let times: [Int64] = [
            1_000_000, 1_300_000, 1_300_001, 1_300_002, 1_600_001, 1_600_002, 900_000, .max, .min, .max, 5,
        ]
        let messages = times.enumerated().map { scene.message("m\($0.offset)", time: $0.element) }
        let entries = TimelineEntry.entries(of: messages)
        let markers = entries.compactMap { entry -> Int64? in
            if case .marker(let marker) = entry { marker.time } else { nil }
        }
        #expect(markers == [1_000_000, 1_300_001, 1_600_002, .max])
        #expect(Set(entries.map(\.id)).count == entries.count)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Asia/Shanghai"))
        #expect(TimeMarker(time: 1_772_296_200_000).text(calendar) == "03-01 00:30")
        #expect(TimeMarker(time: 5).id == "time_5")
    }
}
