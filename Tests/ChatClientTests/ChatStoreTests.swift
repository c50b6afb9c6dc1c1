import Accounts
import Chat
import Foundation
import GRDB
import Kernel
import KernelTesting
import Storage
import Testing

@testable import ChatClient
@testable import ChatHub

@Suite("The store of conversations", .timeLimit(.minutes(4)))
struct ChatStoreTests {
    @Test("recalled and deleted words, drafts and cleared history leave the files of the database", arguments: 0..<4)
    func bytes(way: Int) async throws {
        let scene = try Scene()
        let folder = try TemporaryFolder()
        let device = try await HubDevice(scene.hub, scene.ada, in: folder)
        let (secret, other) = ("zanzibarquartz", "ordinary")
        if way == 0 {
            try await device.repository.draft(scene.chat, secret)
        } else {
            _ = try await device.repository.send("a \(secret) in words", in: scene.chat, id: "m1")
        }
        for number in 0..<50 { _ = try await device.repository.send("\(other) \(number)", in: scene.chat) }
        try await device.settle()
        if way != 0 {
            #expect(try folder.holds(secret))
            #expect(try await device.repository.search(.init(secret)).messages.map(\.id) == ["m1"])
        }
        switch way {
        case 0: try await device.repository.draft(scene.chat, "")
        case 1: _ = try await device.repository.recall("m1", in: scene.chat)
        case 2: try await device.repository.remove("m1", in: scene.chat)
        default: try await device.repository.clear(scene.chat)
        }
        try await device.settle()
        #expect(try !folder.holds(secret))
        #expect(try await device.repository.search(.init(secret)).messages.isEmpty)
        let found = try await device.repository.search(.init(other, limit: 100)).messages
        #expect(found.count == (way == 3 ? 0 : 50))
        await device.end()
    }

    @Test("Q7, M3: a second account sees nothing of the first, which finds everything again when it signs in")
    func accounts() async throws {
        let scene = try Scene()
        let database = try StateDatabase.inMemory(schema: [ChatStore.migrations])
        let first = try await HubDevice(scene.hub, scene.ada, database: database)
        first.server.hold(ChatEndpoints.send.path)
        _ = try await first.repository.send("waits", in: scene.chat, id: "m1")
        let withCy = try #require(ConversationID(scene.ada, scene.cy))
        try await first.repository.draft(withCy, "draft")
        await first.end()
        let second = try await HubDevice(scene.hub, scene.bob, database: database)
        try await second.settle()
        #expect(try await second.repository.list().conversations.isEmpty)
        #expect(try await second.repository.search(.init("waits")).messages.isEmpty)
        #expect(try await second.repository.history(of: scene.chat).messages.isEmpty)
        #expect(second.server.asked.allSatisfy { $0 != ChatEndpoints.send.path })
        await second.end()
        let again = try await HubDevice(scene.hub, scene.ada, database: database)
        try await again.settle()
        #expect(try await again.repository.history(of: scene.chat).messages.map(\.status) == [.sent])
        #expect(try await again.repository.list().conversations.map(\.draft).contains("draft"))
        await again.end()
    }

    @Test("the same number at another hub is another account")
    func hubs() async throws {
        let store = try ChatStore(StateDatabase.inMemory(schema: [ChatStore.migrations]))
        let ada = try #require(UserID(7))
        let one = try await store.open(.test(ada)) { _ in }
        let other = try await store.open(.test(ada, hub: "https://other.example")) { _ in }
        let again = try await store.open(.test(ada)) { _ in }
        #expect(one.row != other.row)
        #expect(one.row == again.row)
    }

    @Test("an account that was deleted leaves nothing in the files; others keep what is theirs")
    func removal() async throws {
        let scene = try Scene()
        let folder = try TemporaryFolder()
        let device = try await HubDevice(scene.hub, scene.ada, in: folder)
        _ = try await device.repository.send("zanzibarquartz", in: scene.chat)
        try await device.settle()
        await device.end()
        let store = try ChatStore(device.database)
        let kept = try await store.open(.test(scene.cy)) { _ in }
        let chat = try #require(ConversationID(scene.cy, scene.bob))
        try await kept.write { try $0.change(chat) { $0.draft = "kept" } }
        try await store.remove(.test(scene.ada))
        #expect(try !folder.holds("zanzibarquartz"))
        #expect(try await kept.read { try $0.conversations().map(\.draft) } == ["kept"])
        let again = try await store.open(.test(scene.ada)) { _ in }
        #expect(try await again.read { try $0.conversations().isEmpty })
    }

    @Test("an outgoing message of each kind is the same when it is read again")
    func outgoing() throws {
        let chat = try Scene().chat
        var uploaded = OutgoingMedia.File(source: "a.jpg")
        (uploaded.objectKey, uploaded.width, uploaded.height) = ("chat/image/a", 40, 30)
        let contents: [OutgoingContent] = [
            .payload(.text("words")),
            .payload(.signalQuote(SignalQuotePayload(signalID: "s", reply: "r", signalContent: "c"))),
            .media(OutgoingMedia(.image, [uploaded])), .media(OutgoingMedia(.flash, [.init(source: "b")])),
            .media(OutgoingMedia(.images, [uploaded, .init(source: "c")])),
            .media(OutgoingMedia(.voice(seconds: 7, waveform: [1, 50, 100]), [.init(source: "d")])),
        ]
        for content in contents {
            let message = OutgoingMessage(id: "m", in: chat, content, receiveID: "12", createTime: 5)
            let wire = try JSONValue(encoding: OutgoingRecord(message)).canonicalText
            let read = try JSONValue(parsing: wire.utf8).decode(as: OutgoingRecord.self)
            #expect(read.message("m", in: chat) == message)
            // What waits is shown as what it becomes.
            let row = MessageRecord(message, from: chat.people[0])
            if case .unknown = row.payload { Issue.record("\(content) is shown as unknown") }
        }
    }

    @Test("messages in scripts without spaces are found by a word within a sentence")
    func scripts() async throws {
        let scene = try Scene()
        let device = try await HubDevice(scene.hub, scene.ada)
        _ = try await device.repository.send("明天下午我们去公园", in: scene.chat, id: "m1")
        _ = try await device.repository.send("Caf\u{E9} \u{FC}ber alles", in: scene.chat, id: "m2")
        try await device.settle()
        #expect(try await device.repository.search(.init("公园")).messages.map(\.id) == ["m1"])
        #expect(try await device.repository.search(.init("cafe")).messages.map(\.id) == ["m2"])
        #expect(try await device.repository.search(.init("\"; DROP")).messages.isEmpty)
        await device.end()
    }
}
