import Accounts
import Chat
import Control
import Foundation
import Kernel
import KernelTesting
import Synchronization
import Testing

@testable import ChatClient
@testable import ChatHub

/// Media of these tests: files by name, each of one byte.
private final class MemoryDesk: ChatMediaDesk {
    let folder: TemporaryFolder
    let released = Mutex<[String]>([])

    init() throws { folder = try TemporaryFolder() }

    func prepare(_ media: ChatControl.Media, id: String, in conversation: ConversationID) async throws -> OutgoingMedia
    {
        guard media.files != ["missing"] else { throw ChatError.malformed("files") }
        return OutgoingMedia(media.files.count > 1 ? .images : .image, media.files.map { .init(source: $0) })
    }

    func release(_ media: OutgoingMedia, id: String, in conversation: ConversationID) async {
        released.withLock { $0.append(id) }
    }

    func file(of media: MessageMedia, at index: Int) async throws -> ChatControl.File {
        let keys = media.message.cacheableKeys
        guard keys.indices.contains(index) else { throw ChatError.unknownMessage }
        let url = folder.url.appending(path: "\(index).jpg")
        try Data([0xFF]).write(to: url)
        return ChatControl.File(path: url.path, type: "image/jpeg", size: 1)
    }

    func openFlash(_ media: MessageMedia) async throws -> ChatControl.File { throw ChatError.flashGone }
}

@Suite("The control methods of conversations", .timeLimit(.minutes(4)))
struct ChatRoutesTests {
    private struct Signed {
        let scene: Scene
        let device: HubDevice
        let desk: MemoryDesk
        let table: ControlTable

        init() async throws {
            let (scene, desk) = (try Scene(), try MemoryDesk())
            let device = try await HubDevice(scene.hub, scene.ada, media: desk)
            let session = ChatSession(device.repository, media: desk)
            (self.scene, self.desk, self.device) = (scene, desk, device)
            table = ControlTable(ChatRoutes { session }.all)
            try await device.settle()
        }
    }

    @Test("every method of the contract has its route, once")
    func contract() {
        let names = ChatRoutes { nil }.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count == 30)
    }

    @Test("signed out, the list says so, and everything else is refused with its sentence")
    func signedOut() async throws {
        let table = ControlTable(ChatRoutes { nil }.all)
        let standing = try await table.call(ChatControl.list)
        #expect(standing.state == .signedOut)
        #expect(standing.me == nil)
        for name in ChatRoutes(session: { nil }).all.map(\.name) where name != ChatControl.list.name {
            let params: JSONValue = [
                "conversation": "si_tb_7_tb_9", "person": "x", "on": true, "text": "x", "reason": "x", "accept": true,
                "kind": "image", "files": ["a"], "signal": "s", "reply": "r", "id": "m", "to": "clear", "folder": "/x",
            ]
            await #expect(throws: ChatError.noAccount, "\(name)") { try await table.call(name, params) { _ in } }
        }
    }

    @Test("others' conversations, bad ids and bad places are refused")
    func refusals() async throws {
        let signed = try await Signed()
        await #expect(throws: ChatError.notYours) {
            try await signed.table.call(ChatControl.history, .init("si_tb_11_tb_9"))
        }
        await #expect(throws: ChatError.malformed("id")) {
            try await signed.table.call(ChatControl.send, .init(signed.scene.chat.text, "hi", id: "a b"))
        }
        await #expect(throws: ChatError.unknownMessage) {
            try await signed.table.call(ChatControl.recall, .init(signed.scene.chat.text, id: "none"))
        }
        await #expect(throws: ChatError.malformed("before")) {
            try await signed.table.call(ChatControl.search, .init("hi", before: "not a place"))
        }
        await #expect(throws: ChatError.notSealed) {
            try await signed.table.call(ChatControl.verify, .init(signed.scene.chat.text, on: true))
        }
        await signed.device.end()
    }

    @Test("media wait in the desk's folder, are sent once, and let go of their files")
    func media() async throws {
        let signed = try await Signed()
        let chat = signed.scene.chat.text
        try await signed.scene.hub.sends(signed.scene.bob, "hello", in: signed.scene.chat, as: "b1")
        let asked = ChatControl.Media(chat, .image, ["a.jpg", "b.jpg"], id: "m1")
        #expect(try await signed.table.call(ChatControl.sendMedia, asked).pictures.count == 2)
        #expect(try await signed.table.call(ChatControl.sendMedia, asked).id == "m1")
        try await signed.device.settle()
        #expect(signed.desk.released.withLock(\.self) == ["m1"])
        let file = try await signed.table.call(ChatControl.media, .init(chat, id: "m1", index: 1))
        #expect(file.type == "image/jpeg")
        await #expect(throws: ChatError.malformed("files")) {
            try await signed.table.call(ChatControl.sendMedia, .init(chat, .image, ["missing"]))
        }
        await signed.device.end()
    }

    @Test("a person is found by number, conversation and link; a link to another hub is refused")
    func people() async throws {
        let signed = try await Signed()
        let link = try await signed.table.call(ChatControl.link)
        #expect(PersonLink(text: link.link)?.user == signed.scene.ada)
        #expect(PersonLink(text: link.link)?.hub == "wss://hub.example")
        let opened = try await signed.table.call(ChatControl.open, .init(signed.scene.chat.text))
        #expect(opened.user == signed.scene.bob.imUserID)
        #expect(opened.last == nil)
        let other = PersonLink(hub: "wss://other.example", user: signed.scene.bob, name: "Bob")
        await #expect(throws: ChatError.otherHub("wss://other.example")) {
            try await signed.table.call(ChatControl.open, .init(other.text))
        }
        await #expect(throws: ChatError.notYours) {
            try await signed.table.call(ChatControl.open, .init(PersonLink(text: link.link)?.text ?? ""))
        }
        // Nothing was written to anybody.
        #expect(try await signed.table.call(ChatControl.list).conversations.isEmpty)
        #expect(try await signed.table.call(ChatControl.contacts).people.isEmpty)
        await signed.device.end()
    }

    @Test("a search finds what is here first, then what the hub has of older history, without doubles")
    func search() async throws {
        let signed = try await Signed()
        let (hub, chat) = (signed.scene.hub, signed.scene.chat)
        for number in 1...60 { try await hub.sends(signed.scene.ada, "needle \(number)", in: chat, as: "a\(number)") }
        let other = try await HubDevice(hub, signed.scene.ada, "new")
        try await other.settle()
        let session = ChatSession(other.repository, media: signed.desk)
        let table = ControlTable(ChatRoutes { session }.all)
        var found: [String] = []
        var before: String?
        repeat {
            let page = try await table.call(ChatControl.search, .init("needle", before: before, limit: 7))
            found += page.messages.map(\.id)
            before = page.next
        } while before != nil
        #expect(found.count == 60)
        #expect(Set(found).count == 60)
        #expect(found.first == "a60")
        for device in [signed.device, other] { await device.end() }
    }

    @Test("an export holds every message and its pictures, and never mixes with what a folder holds")
    func export() async throws {
        let signed = try await Signed()
        let chat = signed.scene.chat
        for number in 1...450 {
            try await signed.scene.hub.sends(signed.scene.bob, "\(number)", in: chat, as: "b\(number)")
        }
        _ = try await signed.table.call(ChatControl.sendMedia, .init(chat.text, .image, ["a.jpg"], id: "m1"))
        try await signed.device.heal()
        let folder = try TemporaryFolder()
        let target = folder.url.appending(path: "out")
        let exported = try await signed.table.call(ChatControl.export, .init(folder: target.path))
        #expect((exported.conversations, exported.messages, exported.files) == (1, 451, 1))
        let text = try String(contentsOf: target.appending(path: "\(chat.text).jsonl"), encoding: .utf8)
        let lines = try text.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) }
        #expect(lines.compactMap { $0["seq"]?.integerValue } == Array(1...451))
        #expect(lines.last?["files"]?.arrayValue?.count == 1)
        await #expect(throws: ChatError.folderInUse(target.path)) {
            try await signed.table.call(ChatControl.export, .init(folder: target.path))
        }
        await signed.device.end()
    }

    @Test("C7, B20: a signal is quoted once, however often it is asked")
    func quote() async throws {
        let signed = try await Signed()
        let asked = ChatControl.Quote(signed.scene.chat.text, signal: "s1", reply: "yes", content: "walk?")
        let first = try await signed.table.call(ChatControl.quote, asked)
        #expect(first.kind == .quote)
        #expect(first.quote?.content == "walk?")
        try await signed.device.settle()
        #expect(try await signed.table.call(ChatControl.quote, asked).id == first.id)
        try await signed.device.settle()
        #expect(try await signed.device.history(signed.scene.chat).count == 1)
        await signed.device.end()
    }
}
