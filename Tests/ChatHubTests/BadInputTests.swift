import Accounts
import AccountsHub
import Chat
import Foundation
import HomeTesting
import Kernel
import TandemHub
import Testing
import Transport

@testable import ChatHub

/// What the issue lists under "what bad input gets", at a real hub: each is refused in the envelope, and nobody else notices.
@Suite("Bad input at a hub", .timeLimit(.minutes(4)))
struct BadInputTests {
    private static func text(_ words: String, to person: HubPerson, id: String = "x-1") -> JSONValue {
        [
            "recvID": .string(person.id.imUserID), "contentType": 101, "content": .string(words),
            "clientMsgId": .string(id),
        ]
    }

    @Test("tokens that are forged, foreign, of no algorithm or of nobody open nothing, by header and on the socket")
    func tokens() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let parts = ada.token.split(separator: ".").map(String.init)
            let none = Base64URL.encode(#"{"alg":"none","typ":"JWT"}"#.utf8)
            let others = bob.token.split(separator: ".").map(String.init)
            let forged = [
                "", "x", "a.b.c", "\(none).\(parts[1]).", "\(parts[0]).\(others[1]).\(parts[2])", ada.token + "A",
                String(repeating: "A", count: 4000),
            ]
            for token in forged {
                let person = HubPerson(id: ada.id, token: token, identity: ada.identity, hub: hub)
                let reply = try await person.post("/chat/message/send", Self.text("x", to: bob))
                #expect([400, 401, 431].contains(reply.status), "\(token.prefix(20))")
                if reply.status == 401 { #expect(reply.code.map { (1501...1507).contains($0.rawValue) } == true) }
            }
            let stranger = HubPerson(id: bob.id, token: ada.token, identity: ada.identity, hub: hub)
            let socket = try await stranger.socket()
            #expect(try await socket.next()?.code == .noPermission)
            #expect(try await socket.next() == nil)
            #expect(try await bob.history(with: ada).isEmpty)
        }
    }

    @Test(
        "texts of ten megabytes, broken JSON and members of other kinds are refused, and a repeated id with other words is told so"
    )
    func bodies() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let long = String(repeating: "a", count: 17 << 10)
            let refused = try await ada.post("/chat/message/send", Self.text(long, to: bob))
            #expect(refused.status == 400 && refused.code == .badArguments)
            let huge = String(repeating: "a", count: 10 << 20)
            let status = try? await ada.post("/chat/message/send", Self.text(huge, to: bob)).status
            // The hub does not read it to its end: the client may see the answer or a broken connection.
            #expect(status == nil || status == 413)
            let wrong: [JSONValue] = [
                [:], ["recvID": 7], ["recvID": "tb_1", "contentType": "x", "content": "y", "clientMsgId": "z"],
                ["recvID": "si_tb_1_tb_1", "contentType": 101, "content": "y", "clientMsgId": "z"],
                ["recvID": "tb_2", "contentType": 101, "content": ["a": 1], "clientMsgId": "z"],
                ["recvID": "tb_2", "contentType": 101, "content": "y", "clientMsgId": " "],
                ["recvID": "tb_2", "contentType": 101, "content": "  ", "clientMsgId": "z"],
                ["recvID": "tb_2", "contentType": 2200, "content": "{}", "clientMsgId": "z"],
                [
                    "recvID": "tb_2", "contentType": 110, "content": #"{"type":"image","objectKey":"../x"}"#,
                    "clientMsgId": "z",
                ],
            ]
            for body in wrong {
                let reply = try await ada.post("/chat/message/send", body)
                #expect([400, 403, 404].contains(reply.status) && reply.code != IMErrorCode.none, "\(body)")
            }
            #expect(try await ada.post("/chat/message/send", Self.text("one", to: bob)).status == 200)
            let other = try await ada.post("/chat/message/send", Self.text("two", to: bob))
            #expect(other.status == 409 && other.code == .duplicateKey)
            #expect(try await bob.history(with: ada).count == 1)
        }
    }

    @Test("whoever is not one of the two gets nothing of a conversation, whatever is asked and under whatever id")
    func others() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let eve = try await HubPerson.make("eve", at: hub)
            try await ada.say("between us", to: bob, id: "m-1")
            let chat: JSONValue = .string(try ada.with(bob).text)
            let (me, her): (JSONValue, JSONValue) = (.string(eve.id.imUserID), .string(ada.id.imUserID))
            let requests: [(String, JSONValue)] = [
                (
                    "/msg/pull_msg_by_seq",
                    ["userID": me, "seqRanges": [["conversationID": chat, "begin": 1, "end": 9]]]
                ),
                (
                    "/msg/pull_msg_by_seq",
                    ["userID": her, "seqRanges": [["conversationID": chat, "begin": 1, "end": 9]]]
                ),
                ("/msg/mark_conversation_as_read", ["userID": me, "conversationID": chat, "hasReadSeq": 1]),
                ("/msg/delete_msgs", ["userID": me, "conversationID": chat, "seqs": [1]]),
                ("/msg/clear_conversation_msg", ["userID": me, "conversationIDs": [chat]]),
                ("/msg/revoke_msg", ["userID": me, "conversationID": chat, "seq": 1]),
                (
                    "/conversation/set_conversations",
                    ["userIDs": [me], "conversation": ["conversationID": chat, "isPinned": true]]
                ),
                ("/conversation/delete_conversations", ["userID": me, "conversationIDs": [chat]]),
                ("/conversation/get_sorted_conversation_list", ["userID": her]),
                ("/friend/get_black_list", ["userID": her]),
                ("/chat/message/revoke", ["conversation_id": chat, "client_msg_id": "m-1"]),
                ("/chat/message/send", ["recvID": chat, "contentType": 101, "content": "x", "clientMsgId": "e-1"]),
                ("/chat/received", ["userID": me, "conversationID": chat, "seq": 1]),
                ("/chat/search", ["query": "between", "conversation_id": chat]),
                ("/chat/request/answer", ["conversation_id": chat, "accept": true]),
                ("/chat/report", ["conversation_id": chat, "reason": "x"]),
                ("/chat/flash/open", ["conversation_id": chat, "client_msg_id": "m-1"]),
                ("/chat/sync", ["userID": her, "useq": 0, "seqs": [:]]),
            ]
            for (path, body) in requests {
                let reply = try await eve.post(path, body)
                #expect(reply.code == .noPermission, "\(path)")
                #expect(!String(decoding: reply.bytes, as: UTF8.self).contains("between us"), "\(path)")
            }
            #expect(try await bob.history(with: ada).map(\.payload) == [.text("between us")])
        }
    }

    @Test(
        "a flood of one account is slowed, a flood of new accounts is bounded by what strangers may, and nobody else waits"
    )
    func floods() async throws {
        try await Home.run(
            chat: ChatHubFeature.maker,
            [
                "chatMessageBurst": 5, "chatMessagesPerSecond": 1, "chatStrangersAsk": true, "chatStrangerBurst": 2,
                "chatStrangersPerHour": 1,
            ]
        ) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let (eve, fay) = (try await HubPerson.make("eve", at: hub), try await HubPerson.make("fay", at: hub))
            try await ada.say("may I?", to: bob)
            try await ada.say("and I?", to: eve)
            await expectRefusal(.tooManyRequests) { try await ada.say("and I?", to: fay) }
            _ = try await bob.ask(ChatEndpoints.answerRequest, AnswerRequest(try ada.with(bob), accepts: true))
            var codes: [IMErrorCode?] = []
            for number in 0..<12 {
                codes.append(try await ada.post("/chat/message/send", Self.text("x", to: bob, id: "f-\(number)")).code)
            }
            #expect(codes.contains(.tooManyRequests))
            let refused = try await ada.post("/chat/message/send", Self.text("x", to: bob, id: "f-99"))
            #expect(refused.code != .tooManyRequests || refused.fields["Retry-After"] == "1")
            try await bob.say("I may go on", to: ada)
        }
    }

    @Test("a device that never reads holds up nobody: its pushes are dropped for one hint, and the others get theirs")
    func neverReads() async throws {
        try await Home.run(chat: ChatHubFeature.maker, ["chatMessageBurst": 100_000]) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let tablet = try await bob.another()
            // Never read, and kept open.
            let deaf = try await bob.socket()
            _ = try await deaf.ask(.newestSequences, ["userID": .string(bob.id.imUserID)])
            let socket = try await tablet.socket()
            _ = try await socket.ask(.newestSequences, ["userID": .string(bob.id.imUserID)])
            let words = String(repeating: "w", count: 12_000)
            for number in 1...200 {
                #expect(try await ada.say(words, to: bob).sequence == Int64(number))
                #expect(try await socket.message()?.sequence == Int64(number))
            }
            await deaf.connection.close(.normal)
        }
    }
}
