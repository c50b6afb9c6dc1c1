import Accounts
import Chat
import Foundation
import HomeTesting
import Kernel
import TandemHub
import Testing

@testable import ChatHub

/// A program that knows the documented requests alone, in the documented spellings, and nothing of ours but how it signs in.
@Suite("A documented program at a hub", .timeLimit(.minutes(4)))
struct DocumentedProgramTests {
    @Test(
        "it holds a conversation with text, pictures, a voice note, a quote, a view-once picture and a recall, and sees names and faces"
    )
    func conversation() async throws {
        try await Home.run(chat: ChatHubFeature.maker, ["chatAddress": "https://hub.example.org"]) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let chat = "si_tb_1_tb_2"
            func send(_ content: String, type: Int, id: String, by person: HubPerson) async throws -> HubPerson.Reply {
                try await person.post(
                    "/chat/message/send",
                    [
                        "recvID": .string(chat), "content": .string(content), "contentType": .integer(Int64(type)),
                        "clientMsgId": .string(id),
                        "offlinePushInfo": ["title": "新消息", "desc": "[图片]"], "receive_id": "12",
                    ]
                )
            }
            func upload(_ bytes: [UInt8], as kind: UploadKind) async throws -> String {
                let reply = try await ada.upload(bytes, as: kind)
                return try #require(reply.data["objectKey"]?.stringValue)
            }
            let text = try await send("hello", type: 101, id: "A-1", by: ada)
            #expect(text.status == 200 && text.data["clientMsgID"] == "A-1")
            #expect(text.data["serverMsgID"]?.stringValue?.isEmpty == false && text.data["sendTime"] != nil)
            let photo = try await upload(HubChatTests.picture(ending: 90), as: .image)
            let other = try await upload(HubChatTests.picture(ending: 91), as: .image)
            let ogg = Array("OggS".utf8) + [UInt8](repeating: 0, count: 400)
            let voice = try await upload(ogg, as: .voice)
            let flash = try await upload(HubChatTests.picture(ending: 92), as: .flash)
            let payloads = [
                #"{"type":"image","objectKey":"\#(photo)","url":"","expireAt":0}"#,
                #"{"type":"multi_image","multiObjectKeys":["\#(photo)","\#(other)"],"multiUrls":[],"expireAt":"0"}"#,
                #"{"type":"audio","objectKey":"\#(voice)","durationSec":"3"}"#,
                #"{"type":"signal_quote","signalId":"9","replyContent":"yes","signalContent":"coffee?"}"#,
                #"{"type":"flash_image","objectKey":"\#(flash)"}"#,
            ]
            for (number, payload) in payloads.enumerated() {
                let reply = try await send(payload, type: 110, id: "A-\(number + 2)", by: ada)
                #expect(reply.status == 200, "\(payload)")
            }
            let viewed = #"{"type":"flash_viewed","msgId":"A-6"}"#
            #expect(try await send(viewed, type: 110, id: "B-1", by: bob).status == 200)
            let revoked = try await ada.post(
                "/chat/message/revoke",
                ["conversation_id": .string(chat), "client_msg_id": "A-1"]
            )
            #expect(revoked.status == 200)
            let rows = try await bob.history(with: ada)
            #expect(rows.map(\.contentType.rawValue) == [2101, 110, 110, 110, 110, 110, 110])
            #expect(rows[5].payload == .flashImage(.gone))
            // Addresses that it can show, with their true ends.
            guard case .multiImage(let pictures) = rows[2].payload, case .voice(let note) = rows[3].payload else {
                throw ChatError.malformed("payload")
            }
            #expect(
                pictures.urls.count == 2 && pictures.urls.allSatisfy { $0.hasPrefix("https://hub.example.org/media/") }
            )
            #expect((note.expireAt ?? 0) > Int64(Date().timeIntervalSince1970) && note.url != nil)
            let signed = try await bob.post("/chat/media/sign", ["object_keys": [.string(photo), .string(flash)]])
            #expect(Set(signed.data.objectValue?.keys.map { $0 } ?? []) == [photo])
            let names = try await bob.post("/user/profile/openim-batch", ["user_ids": [1, 2, 99], "scene": "list"])
            #expect(names.data.arrayValue?.map { $0["username"] } == ["ada", "bob"])
            #expect(try await bob.post("/signal/receive/open-im", ["receive_id": 12]).status == 200)
            #expect(try await bob.post("/signal/receive/open-im", ["receive_id": 0]).status == 400)
        }
    }
}
