import Accounts
import AccountsHub
import Chat
import Control
import Foundation
import HomeTesting
import Kernel
import TandemHub
import Testing
import Transport

@testable import ChatHub

/// Conversations at a real hub, over its sockets, with its database and its files on disk.
@Suite("Chat at a hub", .timeLimit(.minutes(4)))
struct HubChatTests {
    @Test("R4, I2: a message is one row by its sender's id: sent, sent again, pushed and pulled, after a restart too")
    func once() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let tablet = try await ada.another()
            let (hers, his) = (try await tablet.socket(), try await bob.socket())
            let sent = try await ada.say("hello", to: bob, id: "m-1")
            #expect(sent.clientMessageID == "m-1" && sent.sequence == 1)
            for socket in [hers, his] {
                let message = try #require(try await socket.message())
                #expect(message.payload == .text("hello"))
                #expect(message.clientMessageID == "m-1" && message.sequence == 1)
                #expect(message.senderID == ada.id.imUserID && message.receiverID == bob.id.imUserID)
            }
            #expect(try await ada.say("hello", to: bob, id: "m-1") == sent)
            #expect(try await bob.history(with: ada).map(\.clientMessageID) == ["m-1"])
            await expectRefusal(.duplicateKey) { try await ada.say("other", to: bob, id: "m-1") }
            await hub.stop()
            try await hub.start()
            #expect(try await ada.say("hello", to: bob, id: "m-1") == sent)
            #expect(try await bob.history(with: ada).count == 1)
        }
    }

    @Test("existing clients send an object without an id, and the answer has the three documented members and the seq")
    func existing() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let request: JSONValue = [
                "sendID": .string(ada.id.imUserID), "recvID": .string(bob.id.imUserID), "groupID": "",
                "senderPlatformID": 2, "content": ["content": "hello"], "contentType": 101, "sessionType": 1,
                "isOnlineOnly": false, "notOfflinePush": false, "offlinePushInfo": ["title": "a", "desc": "b"],
            ]
            let reply = try await ada.post("/msg/send_msg", request)
            #expect(reply.status == 200 && reply.code == IMErrorCode.none)
            #expect(reply.data["serverMsgID"]?.stringValue?.count == 32)
            #expect(reply.data["clientMsgID"]?.stringValue?.isEmpty == false)
            #expect(reply.data["sendTime"]?.integerValue != nil)
            #expect(reply.data["seq"] == 1)
            let pulled = try await bob.post(
                "/msg/pull_msg_by_seq",
                [
                    "userID": .string(bob.id.imUserID), "order": 0,
                    "seqRanges": [
                        ["conversationID": .string(try ada.with(bob).text), "begin": 1, "end": 1, "num": 1]
                    ],
                ]
            )
            let part = pulled.data["msgs"]?[try ada.with(bob).text]
            #expect(part?["isEnd"] == true && part?["endSeq"] == 1)
            let content = part?["Msgs"]?.arrayValue?.first?["content"]?.stringValue
            #expect(content == Data(#"{"content":"hello"}"#.utf8).base64EncodedString())
        }
    }

    @Test(
        "R5: a message is recalled by its sender's id at once, after a restart, and by nobody else; both sides are told"
    )
    func recall() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let chat = try ada.with(bob)
            try await ada.say("oh no", to: bob, id: "m-1")
            try await ada.say("never mind", to: bob, id: "m-2")
            let his = try await bob.socket()
            let revoke = RevokeMessage(chat, clientMessageID: "m-1")
            await expectRefusal(.notFound) { _ = try await bob.ask(ChatEndpoints.revoke, revoke) }
            _ = try await ada.ask(ChatEndpoints.revoke, revoke)
            let told = try #require(try await his.next())
            let notice = told.data["notificationMsgs"]?[chat.text]?["Msgs"]?.arrayValue?.first
            let shown = try MessageData(wire: try #require(notice))
            #expect(IMMessageMapper(me: bob.id).item(shown, in: chat)?.sequence == nil)
            #expect(shown.contentType == .revoke)
            let event = try ChatEvent(wire: try #require(told.data["events"]?.arrayValue?.first))
            guard case .recalled(chat, sequence: 1, clientMessageID: "m-1", by: ada.id, at: _) = event.change else {
                Issue.record("\(event)")
                return
            }
            await expectRefusal(.alreadyRevoked) {
                _ = try await ada.ask(ChatEndpoints.revoke, revoke)
            }
            await hub.stop()
            try await hub.start()
            _ = try await ada.ask(ChatEndpoints.revoke, RevokeMessage(chat, clientMessageID: "m-2"))
            let rows = try await bob.history(with: ada)
            #expect(rows.map(\.contentType) == [.revoke, .revoke])
            #expect(!rows.contains { $0.element.canonicalText.contains("oh no") })
        }
    }

    @Test(
        "I10: nobody acts for another person, in a conversation of others, or past a block; no person sends a server's notice"
    )
    func refused() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let eve = try await HubPerson.make("eve", at: hub)
            try await ada.say("hello", to: bob)
            let chat = try ada.with(bob)
            await expectRefusal(.noPermission) {
                _ = try await eve.ask(IMEndpoints.pull, PullRequest(eve.id, [PullRequest.Part(chat, 1...9)]))
            }
            await expectRefusal(.noPermission) {
                _ = try await eve.ask(IMEndpoints.newestSequences, NewestSequencesRequest(ada.id))
            }
            let forged: JSONValue = [
                "recvID": .string(bob.id.imUserID), "contentType": 2101, "clientMsgId": "f-1",
                "content": #"{"detail":"{}"}"#,
            ]
            #expect(try await ada.post("/chat/message/send", forged).code == .badArguments)
            _ = try await bob.ask(IMEndpoints.addBlack, BlackEntry(of: bob.id, ada.id))
            await expectRefusal(.blockedByPeer) { try await ada.say("again", to: bob) }
            #expect(try await bob.history(with: ada).count == 1)
            let stranger = try await ada.post(
                "/chat/message/send",
                ["recvID": "tb_999", "content": "x", "contentType": 101, "clientMsgId": "n-1"]
            )
            #expect(stranger.code == .userNotFound && stranger.status == 404)
            let wrong = HubPerson(id: ada.id, token: ada.token + "x", identity: ada.identity, hub: hub)
            let unknown = try await wrong.post("/msg/newest_seq", ["userID": .string(ada.id.imUserID)])
            // Existing clients read the envelope alone.
            #expect(unknown.status == 200 && unknown.code == .tokenInvalid)
        }
    }

    @Test(
        "what a person's own message asks of others: a first one is a request, one, and text alone, until it is accepted"
    )
    func strangers() async throws {
        try await Home.run(chat: ChatHubFeature.maker, ["chatStrangersAsk": true]) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            try await ada.say("may I?", to: bob)
            await expectRefusal(.noPermission) { try await ada.say("please", to: bob) }
            _ = try await bob.ask(ChatEndpoints.answerRequest, AnswerRequest(try ada.with(bob), accepts: true))
            #expect(try await ada.say("thanks", to: bob).sequence == 2)
        }
    }

    @Test("I4: a device that was away asks once, and has every message and every change that it missed")
    func sync() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let chat = try ada.with(bob)
            for number in 1...3 { try await ada.say("\(number)", to: bob, id: "m-\(number)") }
            let first = try await bob.ask(ChatEndpoints.sync, SyncRequest(bob.id, event: 0, sequences: [chat: 1]))
            #expect(first.parts[chat]?.messages.map(\.sequence) == [2, 3])
            #expect(first.places[chat]?.newest == 3)
            _ = try await ada.ask(ChatEndpoints.revoke, RevokeMessage(chat, clientMessageID: "m-1"))
            _ = try await bob.ask(IMEndpoints.markConversationRead, MarkConversationRead(bob.id, chat, readSequence: 3))
            let muted = SetConversations(bob.id, chat, ConversationSettings(receiveOption: .silent, isPinned: true))
            _ = try await bob.ask(IMEndpoints.setConversations, muted)
            let request = SyncRequest(bob.id, event: first.event, sequences: [chat: 3])
            let second = try await bob.ask(ChatEndpoints.sync, request)
            #expect(second.events.map(\.number) == (1...3).map { first.event + $0 })
            #expect(second.places[chat]?.read == 3)
            #expect(second.parts.isEmpty && !second.needsReload)
            let list = try await bob.ask(IMEndpoints.sortedConversations, SortedConversationsRequest(bob.id))
            #expect(list.elements.map(\.isPinned) == [true] && list.elements.map(\.senderName) == ["ada"])
            #expect(list.unreadTotal == 0)
        }
    }

    @Test(
        "4.3, B13: a photo that burns has no address, is seen once on one device, and is gone from disk and history then"
    )
    func flash() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let chat = try ada.with(bob)
            let photo = HubChatTests.picture(ending: 50_000)
            let key = try await ada.upload(photo, as: .flash).data["objectKey"]?.stringValue ?? ""
            #expect(key.hasPrefix("chat/flash/") && !key.contains("_"))
            try await ada.send(.flashImage(FlashImagePayload(objectKey: key)), to: bob, id: "f-1")
            for person in [ada, bob] {
                #expect(try await person.ask(ChatEndpoints.sign, SignURLs([key])).urls.isEmpty)
                #expect(try await person.get("/object/\(key)").status == 404)
                #expect(
                    !(try await person.history(with: person.id == ada.id ? bob : ada)).contains {
                        $0.element.canonicalText.contains(key)
                    }
                )
            }
            let open = OpenFlash(chat, clientMessageID: "f-1")
            let tablet = try await bob.another()
            let opened = try await bob.ask(ChatEndpoints.openFlash, open)
            await expectRefusal(.gone) { _ = try await tablet.ask(ChatEndpoints.openFlash, open) }
            #expect(try await tablet.get(opened.url).status == 410)
            #expect(try await ada.get(opened.url).status == 410)
            let his = try await bob.socket()
            let shown = try await bob.get(opened.url)
            #expect(shown.status == 200 && shown.bytes == photo)
            #expect(shown.fields["Cache-Control"] == "no-store")
            #expect(try await his.event()?.change == .destroyed(chat, sequence: 1, clientMessageID: "f-1"))
            #expect(try await bob.get(opened.url).status == 410)
            let row = try #require(try await bob.history(with: ada).first)
            #expect(row.payload == .flashImage(.gone))
            // The same picture cannot be sent, and so seen, a second time.
            await expectRefusal(.notFound) {
                try await ada.send(.flashImage(FlashImagePayload(objectKey: key)), to: bob)
            }
        }
    }

    @Test("R1: a receiver who has never seen a picture gets an address of it, and nobody else does")
    func media() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let eve = try await HubPerson.make("eve", at: hub)
            let photo = HubChatTests.picture(ending: 2000)
            let key = try await ada.upload(photo, as: .image).data["objectKey"]?.stringValue ?? ""
            #expect(try await bob.ask(ChatEndpoints.sign, SignURLs([key])).urls.isEmpty)
            await expectRefusal(.notFound) {
                try await eve.send(.image(ImagePayload(objectKey: key)), to: bob)
            }
            try await ada.send(.image(ImagePayload(objectKey: key, width: 3, height: 2)), to: bob)
            let address = try #require(try await bob.ask(ChatEndpoints.sign, SignURLs([key])).urls[key])
            let shown = try await bob.get(address.text, isKnown: false)
            #expect(shown.status == 200 && shown.bytes == photo)
            #expect(shown.fields["Content-Type"] == "image/png")
            #expect(try await eve.get(address.text + "0", isKnown: false).status == 403)
            #expect(try await eve.ask(ChatEndpoints.sign, SignURLs([key])).urls.isEmpty)
            #expect(try await eve.get("/object/\(key)").status == 404)
            let script = Array("<svg onload='alert(1)'/>".utf8)
            #expect(try await ada.upload(script, as: .image).status == 415)
        }
    }

    @Test("signing out ends the device's connection at once, and its token with it; the other devices stay")
    func signedOut() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let tablet = try await ada.another()
            let (first, second) = (try await ada.socket(), try await tablet.socket())
            // Answered, so both are connected.
            #expect(
                try await first.ask(.newestSequences, ["userID": .string(ada.id.imUserID)])?.code == IMErrorCode.none
            )
            #expect(try await second.ask(.newestSequences, ["userID": .string(ada.id.imUserID)])?.increment == "7")
            _ = try await ada.post(AccountEndpoint.logout.path, [:])
            #expect(try await first.next()?.id == .kicked)
            #expect(try await first.next() == nil)
            #expect(try await ada.post("/chat/sync", ["userID": .string(ada.id.imUserID)]).status == 401)
            try await bob.say("still there?", to: tablet)
            #expect(try await second.message()?.payload == .text("still there?"))
            let late = try await ada.socket()
            #expect(try await late.next()?.code == .tokenKicked)
            #expect(try await late.next() == nil)
        }
    }

    @Test("what is no frame is refused with a sentence, and the connection goes on")
    func hostileFrames() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let ada = try await HubPerson.make("ada", at: hub)
            let socket = try await ada.socket()
            for text in ["", "[", "{}", #"{"reqIdentifier":"x"}"#, #"{"reqIdentifier":1003,"data":{"sendID":"tb_9"}}"#]
            {
                try await socket.connection.send(text: Array(text.utf8))
                let told = try #require(try await socket.next())
                #expect(told.code == .badArguments)
                #expect(told.message.hasSuffix("."))
            }
            #expect(try await socket.ask(FrameID(rawValue: 9999), [:])?.code == .badArguments)
            #expect(
                try await socket.ask(.newestSequences, ["userID": .string(ada.id.imUserID)])?.code == IMErrorCode.none
            )
        }
    }

    @Test("an account goes with its conversations; the other person keeps what both wrote, and cannot write any more")
    func deletion() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            try await ada.say("hello", to: bob)
            try await bob.say("hi", to: ada)
            let his = try await bob.socket()
            let reply = try await ada.post(AccountEndpoint.delete.path, ["name": "ada"])
            #expect(reply.status == 200)
            #expect(try await his.event()?.change == .peerDeleted(try ada.with(bob)))
            #expect(try await ada.post("/chat/sync", ["userID": .string(ada.id.imUserID)]).status == 401)
            #expect(try await bob.history(with: ada).count == 2)
            await expectRefusal(.userNotFound) { try await bob.say("gone?", to: ada) }
        }
    }

    @Test("a report reaches who runs the hub, with the message that it is about, and is closed once")
    func report() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            try await ada.say("an insult", to: bob, id: "m-1")
            let report = ReportMessage(try ada.with(bob), clientMessageID: "m-1", reason: "rude")
            _ = try await bob.ask(ChatEndpoints.report, report)
            let control = try await hub.role.control
            let open = try await control.call(ChatHubControl.reports, .init()).reports
            #expect(open.map(\.reported) == [ada.id.imUserID] && open.map(\.message) == ["an insult"])
            _ = try await control.call(ChatHubControl.closeReport, .init(id: try #require(open.first).id))
            #expect(try await control.call(ChatHubControl.reports, .init()).reports.isEmpty)
            #expect(try await control.call(ChatHubControl.reports, .init(isAll: true)).reports.count == 1)
        }
    }

    @Test("who runs the hub sees counts and sizes of conversations that move with what people do")
    func load() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let control = try await hub.role.control
            let before = try await control.call(ChatHubLoad.load, .init())
            #expect(before.messages == 0 && before.connections == 0 && before.perSecond == nil)
            #expect(before.databaseBytes > 0)
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let socket = try await bob.socket()
            for word in ["one", "two", "three"] { try await ada.say(word, to: bob) }
            let after = try await control.call(ChatHubLoad.load, .init())
            #expect(after.messages == 3 && after.connections == 1)
            #expect(after.databaseBytes >= before.databaseBytes)
            withExtendedLifetime(socket) {}
        }
    }

    /// A PNG of 3 x 2 pixels by its header, with bytes behind it.
    static func picture(ending count: Int) -> [UInt8] {
        let header: [UInt8] = [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 3, 0, 0, 0, 2,
            8,
            2, 0, 0, 0, 0x12, 0x16, 0xF1, 0x4D,
        ]
        return header + (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    }
}
