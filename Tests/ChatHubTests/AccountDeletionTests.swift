import Accounts
import Chat
import ChatHub
import Foundation
import GRDB
import Kernel
import Storage
import Testing

@Suite("Export and deletion of an account", .timeLimit(.minutes(2)))
struct AccountDeletionTests {
    private func rows(_ rig: ChatRig, _ sql: String) async throws -> Int {
        try await rig.database.read { try Int.fetchOne($0, sql: sql) ?? 0 }
    }

    @Test("the peer keeps what both wrote; nobody reaches the deleted account any more, and what was its own is gone")
    func deletion() async throws {
        let rig = try ChatRig()
        for number in 0..<20 {
            try await rig.say("\(number)", from: number.isMultiple(of: 2) ? 7 : 8, to: number.isMultiple(of: 2) ? 8 : 7)
        }
        _ = try await rig.service.change(SettingsChange(isPinned: true, draft: "draft"), of: chat(7, 8), by: asker(7))
        try await rig.service.block(person(9), by: asker(7))
        _ = try rig.connect(7)
        let (_, peer) = try rig.connect(8)
        try await rig.service.deleteAccount(person(7))
        #expect(!rig.service.connections.isOnline(try person(7)))
        await #expect(throws: ChatHubError.personUnknown) { try await rig.say("hello?", from: 8, to: 7) }
        await #expect(throws: ChatHubError.personUnknown) { try await rig.say("hello?", from: 7, to: 8) }
        try await rig.service.continueDeletions()
        let gone = try await peer.wait(for: 1).contains { $0.change == .peerDeleted(try chat(7, 8)) }
        #expect(gone)
        let summary = try await rig.service.conversation(chat(7, 8), for: asker(8))
        #expect(summary.isPeerDeleted)
        #expect(try await rig.service.history(of: chat(7, 8), before: nil, for: asker(8)).messages.count == 20)
        #expect(try await rig.service.conversations(for: asker(7)).total == 0)
        for table in ["chat_member", "chat_event", "chat_block"] {
            #expect(try await rows(rig, "SELECT count(*) FROM \(table) WHERE person = 7") == 0)
        }
        #expect(try await rig.service.log.unfinishedDeletions().isEmpty)
    }

    @Test("once both are deleted nothing of their conversation is left")
    func both() async throws {
        let rig = try ChatRig()
        try await rig.database.write { try $0.execute(sql: "INSERT INTO test_object VALUES ('picture', 7, 0, 0)") }
        for number in 0..<1200 { try await rig.say("\(number)", from: 7, to: 8) }
        _ = try await rig.service.send(
            MessageFacts(.image, objectKeys: ["picture"]),
            contentType: 110,
            content: [0x7B, 0x7D],
            clientMessageID: "image",
            to: chat(7, 8),
            by: asker(7)
        )
        for number: Int64 in [7, 8] { try await rig.service.deleteAccount(person(number)) }
        try await rig.service.continueDeletions()
        for table in ["chat_conversation", "chat_member", "chat_message", "chat_object", "chat_event"] {
            #expect(try await rows(rig, "SELECT count(*) FROM \(table)") == 0)
        }
        #expect(rig.released.all == ["picture"])
    }

    @Test("a request that nobody accepted goes with either of the two", arguments: [7, 8] as [Int64])
    func requests(deleted: Int64) async throws {
        var settings = ChatHubSettings.open
        settings.strangersAsk = true
        let rig = try ChatRig(settings)
        try await rig.say("hello", from: 7, to: 8)
        try await rig.service.deleteAccount(person(deleted))
        try await rig.service.continueDeletions()
        #expect(try await rows(rig, "SELECT count(*) FROM chat_message") == 0)
        #expect(try await rig.service.conversations(for: asker(15 - deleted)).total == 0)
    }

    @Test("a deletion goes on after a restart, in bounded parts")
    func restart() async throws {
        let rig = try ChatRig()
        for peer: Int64 in 8...12 { try await rig.say("hello", from: 7, to: peer) }
        try await rig.service.deleteAccount(person(7))
        #expect(try await !rig.service.log.continueDeletion(of: person(7), limit: 10, at: start))
        await rig.service.close()
        let again = try ChatRig(database: rig.database)
        #expect(try await again.service.log.unfinishedDeletions() == [person(7)])
        await #expect(throws: ChatHubError.personUnknown) { try await again.say("hello?", from: 8, to: 7) }
        try await again.service.continueDeletions()
        #expect(try await again.service.log.unfinishedDeletions().isEmpty)
        #expect(try await rows(again, "SELECT count(*) FROM chat_member WHERE person = 7") == 0)
    }

    @Test("a sealed picture of a deleted account is destroyed, and reports lose its words and its name")
    func traces() async throws {
        let rig = try ChatRig()
        try await rig.database.write { try $0.execute(sql: "INSERT INTO test_object VALUES ('chat/flash/a', 7, 1, 0)") }
        try await rig.say("rude", id: "rude", from: 7, to: 8)
        _ = try await rig.service.send(
            MessageFacts(.flash(key: "chat/flash/a"), shownContent: []),
            contentType: 110,
            content: [0x7B],
            clientMessageID: "flash",
            to: chat(7, 8),
            by: asker(7)
        )
        let target = MessageTarget.client(id: "rude", sender: try person(7))
        _ = try await rig.service.report(target, in: chat(7, 8), reason: "rude", by: asker(8))
        _ = try await rig.service.report(nil, in: chat(7, 8), reason: "revenge", by: asker(7))
        try await rig.service.deleteAccount(person(7))
        try await rig.service.continueDeletions()
        #expect(rig.released.all == ["chat/flash/a"])
        let reports = try await rig.service.log.reports(before: nil, onlyOpen: true, limit: 10)
        #expect(reports.map(\.reporter?.number) == [nil, 8])
        #expect(reports.map(\.content) == [[], []])
        let states = try await rig.service.history(of: chat(7, 8), before: nil, for: asker(8)).messages.map(\.state)
        #expect(states == [.destroyed, .kept])
    }

    @Test("an export has every line that the person can see, and no key of a view-once picture")
    func export() async throws {
        let rig = try ChatRig()
        try await rig.database.write { try $0.execute(sql: "INSERT INTO test_object VALUES ('chat/flash/a', 7, 1, 0)") }
        for number in 0..<450 { try await rig.say("words \(number)", from: 7, to: 8) }
        _ = try await rig.service.send(
            MessageFacts(.flash(key: "chat/flash/a"), shownContent: Array(#"{"type":"flash_image"}"#.utf8)),
            contentType: 110,
            content: Array(#"{"type":"flash_image","objectKey":"chat/flash/a"}"#.utf8),
            clientMessageID: "flash",
            to: chat(7, 8),
            by: asker(7)
        )
        try await rig.service.delete([2], in: chat(7, 8), by: asker(8))
        try await rig.service.block(person(9), by: asker(8))
        let lines = Recorded<[UInt8]>()
        try await rig.service.export(of: person(8)) { lines.add($0) }
        let values = try lines.all.map { try JSONValue(parsing: $0.dropLast()) }
        #expect(lines.all.allSatisfy { $0.last == 0x0A })
        #expect(values.map { $0["kind"]?.stringValue }.prefix(2) == ["chats", "conversation"])
        #expect(values.filter { $0["kind"]?.stringValue == "message" }.count == 450)
        #expect(values.last?["userID"]?.stringValue == "tb_9")
        #expect(lines.all.allSatisfy { !String(decoding: $0, as: UTF8.self).contains("chat/flash/a") })
    }
}
