import Accounts
import Foundation
import Kernel
import KernelTesting
import Testing

@testable import Chat

@Suite("Requests and answers of chats", .timeLimit(.minutes(4)))
struct EndpointTests {
    /// Something that travels, with what is read of it when it is written again.
    struct Sample: Sendable {
        let name: String
        let wire: JSONValue
        let reread: @Sendable (JSONValue) throws -> (JSONValue, JSONValue)?

        init<Value: ChatWire>(_ value: Value) {
            name = "\(Value.self)"
            wire = value.wire
            reread = { wire in
                guard let read = try? Value(wire: wire) else { return nil }
                let again = try Value(wire: read.wire)
                guard again == read else { return (read.wire, again.wire.adding("differs", true)) }
                return (read.wire, again.wire)
            }
        }
    }

    static func samples() throws -> [Sample] {
        let scene = try ChatScene()
        let (ada, bob, id) = (scene.ada, scene.bob, scene.conversation)
        let data = scene.data("m", from: ada, at: 3, .text("hi"))
        var muted = ConversationSettings()
        muted.receiveOption = .silent
        muted.isPinned = false
        muted.draft = ""
        muted.minimumSequence = 5
        return [
            Sample(SendMessage(to: .conversation(id), .text("hi"), clientMessageID: "m-1", receiveID: "12")),
            Sample(SendMessage(to: .person(bob), .image(ImagePayload(objectKey: "a")), clientMessageID: "m-2")),
            Sample(scene.answer("m", at: 4)), Sample(scene.answer("m", at: nil)),
            Sample(SendIMMessage(from: ada, to: .person(bob), .text("x"), clientMessageID: "m")),
            Sample(RevokeMessage(id, clientMessageID: "m")), Sample(RevokeIMMessage(id, .sequence(4), by: ada)),
            Sample(RevokeIMMessage(id, .clientMessageID("m"), by: ada)), Sample(NewestSequencesRequest(ada)),
            Sample(NewestSequences(newest: [id: 9], lowest: [id: 2])),
            Sample(PullRequest(ada, [PullRequest.Part(id, 3...9, count: 5)], order: .descending)),
            Sample(PulledMessages([id: PulledMessages.Part(messages: [data], isEnd: true, endSequence: 3)])),
            Sample(MarkConversationRead(ada, id, readSequence: 4, sequences: [4])),
            Sample(ConversationSequences(ada, id, [1, 2])), Sample(ConversationsRequest(ada, [id])),
            Sample(ReadSequences([id: ReadSequences.Place(newest: 9, read: 4, newestTime: 5)])),
            Sample(ClearConversations(ada, [id])), Sample(SortedConversationsRequest(ada, pageNumber: 2, pageSize: 40)),
            Sample(
                SortedConversations(
                    total: 1,
                    unreadTotal: 2,
                    elements: [ConversationElement(conversation: id, unreadCount: 2, latestTime: 5, latest: data)]
                )
            ),
            Sample(
                ConversationElement(
                    conversation: id,
                    standing: ConversationStanding(
                        request: .incoming,
                        isBlocked: true,
                        newest: 9,
                        lowest: 2,
                        read: 4,
                        peerRead: 5,
                        peerReceived: 6,
                        draft: "later"
                    )
                )
            ),
            Sample(FindPerson("ada")), Sample(FoundPerson(ada, name: "ada", nickname: "Ada", avatar: "chat/image/a")),
            Sample(OwnerRequest(ada)), Sample(AllConversations(of: ada, [id: muted])),
            Sample(SetConversations(ada, id, muted)), Sample(ConversationIDs([id])), Sample(PeopleRequest([ada, bob])),
            Sample(OnlineStatuses([OnlineStatuses.Status(person: bob, isOnline: true, platforms: [1, 7])])),
            Sample(BlackEntry(of: ada, bob)), Sample(BlackListRequest(ada)), Sample(BlackList([bob], total: 1)),
            Sample(ProfilesRequest([ada])), Sample(Profiles([Profile(person: bob, name: "Bob", avatar: "")])),
            Sample(SignURLs(["chat/image/a.jpg"])),
            Sample(SignedURLs(["a": try #require(SignedURL("https://h/a?e=99&s=x"))])),
            Sample(UploadAnswer(objectKey: "a")),
            Sample(try #require(OpenIMReceive(receiveID: "12"))), Sample(OpenFlash(id, clientMessageID: "m")),
            Sample(OpenedFlash(url: "https://h/f", leaseEnd: 99)), Sample(data),
            Sample(SyncFrame.Request(.pullRanges, increment: "1", operation: "op", data: ["a": [1]])),
            Sample(SyncFrame.Response(.push, code: .none, data: ["msgs": [:]])),
        ]
    }

    @Test("everything that is written is read as it was")
    func roundTrips() throws {
        for sample in try Self.samples() {
            let (read, again) = try #require(try sample.reread(sample.wire), "\(sample.name)")
            #expect(read == sample.wire, "\(sample.name)")
            #expect(again == read, "\(sample.name)")
        }
    }

    @Test("whatever comes is refused, or means the same once it is written: 20,000 hostile bodies")
    func hostile() throws {
        let samples = try Self.samples()
        let names =
            samples.flatMap { $0.wire.objectValue?.keys.sorted() ?? [] } + ["Msgs", "value", "detail", "content"]
        let texts = [
            "si_tb_7_tb_9", "tb_7", "tb_9", "7", "sg_1", "m", "101", "110", "2101",
            #"{"type":"image","objectKey":"a"}"#,
            #"{"type":"sealed"}"#, "eyJjb250ZW50IjoiaGkifQ==", "https://h/a?e=99", "",
        ]
        var accepted = 0
        for seed in 0..<UInt64(20_000) {
            let sample = samples[Int(seed) % samples.count]
            var fuzzed = FuzzedJSON(seed: seed, names: names, texts: texts)
            guard let (read, again) = try sample.reread(fuzzed.variation(of: sample.wire)) else { continue }
            accepted += 1
            #expect(again == read, "\(sample.name), seed \(seed)")
        }
        // A reader that takes nothing would pass, too.
        #expect(accepted > 4000)
    }

    @Test(
        "the three spellings of a message's id are read, and the documented one is written in each direction",
        arguments: [
            "clientMsgId", "clientMsgID", "client_msg_id",
        ]
    )
    func spellings(key: String) throws {
        var wire: JSONValue = ["recvID": "si_tb_7_tb_9", "content": "hi", "contentType": 101]
        wire = wire.adding(key, "m-1")
        let request = try SendMessage(wire: wire)
        #expect(request.clientMessageID == "m-1")
        #expect(request.wire["clientMsgId"] == "m-1")
        let revoke = try RevokeMessage(wire: JSONValue.members(["conversation_id": "si_tb_7_tb_9"]).adding(key, "m-1"))
        #expect(revoke.wire == ["conversation_id": "si_tb_7_tb_9", "client_msg_id": "m-1"])
        let answer = try SendMessageAnswer(wire: JSONValue.members(["sendTime": 5]).adding(key, "m-1"))
        #expect(answer.wire["clientMsgID"] == "m-1")
    }

    @Test("the documented request to send is written as it stands in the document")
    func documented() throws {
        let scene = try ChatScene()
        let request = SendMessage(
            to: .conversation(scene.conversation),
            .image(ImagePayload(objectKey: "k", width: 1, height: 2)),
            clientMessageID: "m",
            receiveID: "12"
        )
        let expected: JSONValue = [
            "recvID": "si_tb_7_tb_9", "content": #"{"h":2,"objectKey":"k","type":"image","w":1}"#, "contentType": 110,
            "clientMsgId": "m", "offlinePushInfo": ["title": "新消息", "desc": "[图片]"], "receive_id": "12",
        ]
        #expect(request.wire == expected)
    }

    @Test(
        "R4, B1: a request without an id of the sender's, or with one that cannot be shown, is refused",
        arguments: [
            JSONValue.null, "", "a b", "a\nb", .string(String(repeating: "a", count: 129)),
        ]
    )
    func ids(id: JSONValue) {
        let wire: JSONValue = ["recvID": "9", "content": "hi", "contentType": 101, "clientMsgId": id]
        #expect(throws: ChatError.self) { try SendMessage(wire: wire) }
    }

    @Test("R5: a recall names its message by the place or by the sender's id")
    func recall() throws {
        let base: JSONValue = ["conversationID": "si_tb_7_tb_9", "userID": "tb_7"]
        #expect(try RevokeIMMessage(wire: base.adding("seq", "4")).target == .sequence(4))
        #expect(try RevokeIMMessage(wire: base.adding("clientMsgID", "m")).target == .clientMessageID("m"))
        #expect(throws: ChatError.malformed("seq")) { try RevokeIMMessage(wire: base) }
    }

    @Test("lists beyond their bounds are refused before they are looked at")
    func bounds() {
        let many = JSONValue.array(Array(repeating: "tb_9", count: 101))
        #expect(throws: ChatError.tooMany("userIDs", limit: 100)) { try PeopleRequest(wire: ["userIDs": many]) }
        let sequences = JSONValue.array(Array(repeating: 1, count: 1001))
        #expect(throws: ChatError.tooMany("seqs", limit: 1000)) {
            try ConversationSequences(wire: ["userID": "tb_7", "conversationID": "si_tb_7_tb_9", "seqs": sequences])
        }
        #expect(throws: ChatError.tooMany("user_ids", limit: 100)) { try ProfilesRequest(wire: ["user_ids": many]) }
    }

    @Test("B22: a list of profiles with a number 0, and one of a person twice, is read")
    func profiles() throws {
        let profiles = try Profiles(
            wire: [
                ["uid": 0, "username": "gone"], ["uid": 9, "username": "Bob"], ["uid": "9", "username": "Bobby"],
            ]
        )
        #expect(profiles.profiles.map(\.name) == ["Bob", "Bobby"])
    }

    @Test("B20: open-im is not asked without the number of a received signal", arguments: [nil, "", "0", "-3", "abc"])
    func openIM(text: String?) { #expect(OpenIMReceive(receiveID: text) == nil) }

    @Test("the text of an answer is the canonical one of its value", arguments: ["", "op", "\"\\\u{1f} 字"])
    func answers(name: String) {
        let answers = [
            SyncFrame.Response(.push, data: ["msgs": [:]]),
            SyncFrame.Response(
                .send,
                increment: name,
                operation: name,
                data: ["seq": 7, "clientMsgID": .string(name)]
            ),
            SyncFrame.Response(.error, increment: name, code: .tokenExpired, message: name),
        ]
        for answer in answers { #expect(answer.canonicalBytes == answer.wire.canonicalBytes) }
    }

    @Test("a frame is read with its data as JSON and as base64, and one that is too large is refused")
    func frames() throws {
        let data = Data(#"{"userID":"tb_7"}"#.utf8).base64EncodedString()
        for text in [
            #"{"reqIdentifier":1001,"msgIncr":"1","operationID":"o","token":"t","data":{"userID":"tb_7"}}"#,
            #"{"reqIdentifier":"1001","msgIncr":"1","operationID":"o","sendID":"tb_7","data":""# + data + #""}"#,
        ] {
            let expected = SyncFrame.Request(.newestSequences, increment: "1", operation: "o", data: ["userID": "tb_7"])
            #expect(try SyncFrame(text: Array(text.utf8)) == .request(expected))
        }
        let error = #"{"reqIdentifier":3001,"msgIncr":"","operationID":"","errCode":1501,"errMsg":"x","data":""}"#
        #expect(
            try SyncFrame(text: Array(error.utf8))
                == .response(SyncFrame.Response(.error, code: .tokenExpired, message: "x"))
        )
        let huge = [UInt8](repeating: 0x20, count: ChatLimits.ownFrame + 1)
        #expect(throws: ChatError.tooLong("frame", limit: ChatLimits.ownFrame)) { try SyncFrame(text: huge) }
        #expect(throws: ChatError.malformed("frame")) { try SyncFrame(text: Array("[".utf8)) }
    }

    @Test("a refusal in the envelope is an error with its number and a sentence")
    func envelope() throws {
        let wire: JSONValue = [
            "errCode": 1004, "errMsg": "RecordNotFoundError", "errDlt": ": 1004 RecordNotFoundError",
        ]
        let envelope = try wire.decode(as: IMEnvelope.self)
        #expect(throws: ChatError.refused(.notFound)) { try envelope.answer(as: NoMembers.self) }
        #expect(ChatError.refused(.notFound).facts.kind == .notFound)
        #expect(ChatError.refused(IMErrorCode(rawValue: 1501)).facts.kind == .signedOut)
    }

    @Test(
        "I4: an event that cannot be read is passed over in its place, and its number counts",
        arguments: [
            (["x", "read"], [8, 9]), (["read", "x", "read"], [8, 9, 10]), (["x", "x"], [8, 9]),
            (["huge", "read"], [8, 9]), ([], []),
        ] as [([String], [Int64])]
    )
    func syncEvents(kinds: [String], numbers: [Int64]) throws {
        let events = kinds.enumerated().map { place, kind -> JSONValue in
            let read: JSONValue = ["event": "read", "conversationID": "si_tb_7_tb_9", "seq": 1]
            return switch kind {
            case "read": read.adding("useq", .integer(Int64(place) + 8))
            case "huge": read.adding("useq", .integer(.max))
            default: "x"
            }
        }
        let answer = try SyncAnswer(wire: ["useq": 10, "events": .array(events)])
        #expect(answer.events(after: 7).map(\.number) == numbers)
        for (event, kind) in zip(answer.events, kinds) where kind == "x" { #expect(event.change == .unknown("x")) }
    }
}
