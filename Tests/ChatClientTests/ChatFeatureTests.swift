import Accounts
import AccountsClient
import AccountsHub
import Capabilities
import Chat
import Control
import Foundation
import HomeTesting
import Kernel
import TandemPhone
import Testing
import Transport

@testable import ChatClient

/// Two phones with everything that they have, and a hub with everything that it has.
@Suite("A phone's chat at a hub", .timeLimit(.minutes(4)))
struct ChatFeatureTests {
    @Test(
        "two people hold a conversation: words, a picture and a voice note come as they were sent, and are shown in place"
    )
    func conversation() async throws {
        try await ChatHome.run { home in
            let (ada, bob) = (home.ada, home.bob)
            let chat = try await ada.open("bob").id
            let came = try await bob.wait(for: { $0.message }) {
                _ = try await ada.ask(ChatControl.send, .init(chat, "hello", id: "m-1"))
            }
            #expect(came.text == "hello" && came.id == "m-1" && !came.isMine && came.seq == 1)
            _ = try await bob.ask(ChatControl.send, .init(chat, "hello back"))
            _ = try await ada.messages(in: chat) { $0.map(\.text) == ["hello", "hello back"] }

            let picked = TestPhotos.picture(7)
            let attached = try await ada.page(.post, "/api/chat/attachments?name=holiday.png", body: picked)
            let token = try #require(try JSONValue(parsing: attached.bytes)["file"]?.stringValue)
            _ = try await ada.ask(ChatControl.sendMedia, .init(chat, .image, [token], id: "m-3"))
            let page = try await bob.messages(in: chat) { $0.contains { $0.kind == .image } }
            let picture = try #require(page.last)
            #expect(picture.pictures.map(\.width) == [3] && picture.pictures.map(\.height) == [2])
            let sent = TestPhotos.header + [0xAA] + picked.suffix(100)
            for person in [bob, ada] {
                let shown = try await person.page(.get, "/api/chat/media?conversation=\(chat)&id=m-3")
                #expect(shown.status == 200 && shown.bytes == sent)
                #expect(shown.fields["Content-Type"] == "image/png")
                #expect(shown.fields["X-Content-Type-Options"] == "nosniff")
            }
            let none = try await bob.page(.get, "/api/chat/media?conversation=\(chat)&id=m-3&index=1")
            #expect(none.status == 404)

            let note = VoiceFiles.ogg(samples: 48_000 * 5, preSkip: 312)
            let recorded = try await ada.page(.post, "/api/chat/attachments?name=note.ogg", body: note)
            let voice = try #require(try JSONValue(parsing: recorded.bytes)["file"]?.stringValue)
            _ = try await ada.ask(ChatControl.sendMedia, .init(chat, .voice, [voice], waveform: [1, 2], id: "m-4"))
            let heard = try await bob.messages(in: chat) { $0.last?.kind == .voice }
            #expect(heard.last?.voice?.seconds == 5 && heard.last?.voice?.waveform == [1, 2])
            let part = try await bob.page(
                .get,
                "/api/chat/media?conversation=\(chat)&id=m-4",
                fields: [("Range", "bytes=0-3")]
            )
            #expect(part.status == 206 && part.bytes == Array("OggS".utf8))
            #expect(part.fields["Content-Type"] == "audio/ogg")
        }
    }

    @Test(
        "a face is made small, seen by the other person and oneself, replaced, and taken away; what is no picture is none"
    )
    func face() async throws {
        try await ChatHome.run { home in
            let (ada, bob) = (home.ada, home.bob)
            let user = try #require(try await ada.list().me?.user)
            let target = "/api/chat/avatar?user=\(user)"
            #expect(try await ada.page(.get, target).status == 404)
            let picked = TestPhotos.picture(7)
            let attached = try await ada.page(.post, "/api/chat/attachments?name=me.png", body: picked)
            let token = try #require(try JSONValue(parsing: attached.bytes)["file"]?.stringValue)
            let face = try await ada.ask(ChatControl.setFace, .init(file: token))
            #expect(try await ada.ask(AccountControl.profile, NoControlParameters()).avatar == face.avatar)
            // The token was for this alone.
            await #expect(throws: (any Error).self) { try await ada.ask(ChatControl.setFace, .init(file: token)) }
            let conversation = try await bob.open("ada")
            #expect(conversation.avatar != nil)
            let small = TestPhotos.header + [0xAA] + picked.suffix(100)
            for person in [ada, bob] {
                let shown = try await person.page(.get, target)
                #expect(shown.status == 200 && shown.bytes == small)
                #expect(shown.fields["Content-Type"] == "image/png")
                #expect(shown.fields["Cache-Control"] == "private, max-age=300")
            }
            let file = FileManager.default.temporaryDirectory.appending(path: "face-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data("no picture".utf8).write(to: file)
            await #expect(throws: (any Error).self) { try await ada.ask(ChatControl.setFace, .init(file: file.path)) }
            try Data(TestPhotos.picture(9)).write(to: file)
            #expect(try await ada.ask(ChatControl.setFace, .init(file: file.path)).avatar != face.avatar)
            #expect(
                try await ada.page(.get, target).bytes == TestPhotos.header + [0xAA] + TestPhotos.picture(9).suffix(100)
            )
            #expect(try await ada.ask(ChatControl.setFace, .init(file: nil)).avatar == nil)
            #expect(try await ada.page(.get, target).status == 404)
        }
    }

    @Test("a view-once picture is seen once, in memory alone; a message that is taken back is gone on both sides")
    func once() async throws {
        try await ChatHome.run { home in
            let (ada, bob) = (home.ada, home.bob)
            let chat = try await ada.open("bob").id
            let picture = FileManager.default.temporaryDirectory.appending(path: "vo-\(UUID().uuidString).png")
            try Data(TestPhotos.picture(9)).write(to: picture)
            defer { try? FileManager.default.removeItem(at: picture) }
            _ = try await ada.ask(ChatControl.sendMedia, .init(chat, .flash, [picture.path], id: "f-1"))
            _ = try await bob.messages(in: chat) { $0.first?.flash == .closed }
            let own = try await ada.page(.get, "/api/chat/flash?conversation=\(chat)&id=f-1")
            #expect(own.status == 403)
            let shown = try await bob.page(.get, "/api/chat/flash?conversation=\(chat)&id=f-1")
            #expect(shown.status == 200 && shown.fields["Cache-Control"] == "no-store")
            #expect(shown.bytes == TestPhotos.header + [0xAA] + TestPhotos.picture(9).suffix(100))
            #expect(try await bob.page(.get, "/api/chat/flash?conversation=\(chat)&id=f-1").status == 410)
            _ = try await bob.messages(in: chat) { $0.first?.flash == .viewed }
            _ = try await ada.messages(in: chat) { $0.first?.flash == .viewedByPeer }

            _ = try await ada.ask(ChatControl.send, .init(chat, "oh no", id: "m-2"))
            _ = try await bob.messages(in: chat) { $0.contains { $0.text == "oh no" } }
            // The hub tells the other person at the same time as it answers.
            _ = try await ada.messages(in: chat) { $0.contains { $0.id == "m-2" && $0.status == .sent } }
            _ = try await ada.ask(ChatControl.recall, .init(chat, id: "m-2"))
            let rest = try await bob.messages(in: chat) { $0.contains { $0.kind == .recalled } }
            #expect(!rest.contains { $0.text == "oh no" })
        }
    }

    @Test("a recording whose upload is cut in the middle goes on where the hub has it, and arrives whole")
    func cut() async throws {
        try await ChatHome.run(cutting: [200_000, 300_000]) { home in
            let (ada, bob) = (home.ada, home.bob)
            let chat = try await ada.open("bob").id
            let note = VoiceFiles.ogg(samples: 48_000 * 5, preSkip: 312, padding: 900_000)
            let recorded = try await ada.page(.post, "/api/chat/attachments?name=note.ogg", body: note)
            let voice = try #require(try JSONValue(parsing: recorded.bytes)["file"]?.stringValue)
            _ = try await ada.ask(ChatControl.sendMedia, .init(chat, .voice, [voice], id: "m-1"))
            _ = try await bob.messages(in: chat) { $0.first?.kind == .voice }
            let heard = try await bob.page(.get, "/api/chat/media?conversation=\(chat)&id=m-1")
            #expect(heard.bytes == note)
        }
    }

    @Test("Q7: a hub that is away is met again with everything that was written meanwhile")
    func restarted() async throws {
        try await ChatHome.run { home in
            let (ada, bob) = (home.ada, home.bob)
            let chat = try await ada.open("bob").id
            _ = try await ada.ask(ChatControl.send, .init(chat, "one"))
            _ = try await bob.messages(in: chat) { $0.map(\.text) == ["one"] }
            await home.hub.stop()
            while try await ada.list().state != .away { await Task.yield() }
            _ = try await ada.ask(ChatControl.send, .init(chat, "two"))
            #expect(try await ada.ask(ChatControl.history, .init(chat)).messages.last?.status == .sending)
            let checks = try await ada.phone.role.control.call(.doctor).checks
            #expect(checks.first { $0.name == "chat" }?.works == false)
            try await home.hub.start()
            _ = try await bob.messages(in: chat) { $0.map(\.text) == ["one", "two"] }
            _ = try await ada.messages(in: chat) { $0.allSatisfy { $0.status == .sent } }
        }
    }

    @Test("an access token that ran out is renewed without anybody's doing")
    func expired() async throws {
        try await ChatHome.run { home in
            let (ada, bob) = (home.ada, home.bob)
            let chat = try await ada.open("bob").id
            home.home.pass(.seconds(3600))
            _ = try await ada.ask(ChatControl.send, .init(chat, "later"))
            _ = try await bob.messages(in: chat) { $0.map(\.text) == ["later"] }
        }
    }

    @Test("a session that another device ended is over at once, and the person sees it")
    func ended() async throws {
        try await ChatHome.run { home in
            let tablet = ChatPerson(phone: try home.home.phone(named: "tablet"))
            let hub = try await home.hub.url("").absoluteString
            // The account has a password, so that a second device can sign in.
            _ = try await home.bob.ask(AccountControl.logout, NoControlParameters())
            let first = try await home.bob.ask(
                AccountControl.new,
                .init(hub: hub, name: "carol", password: "correct horse battery")
            )
            _ = try await tablet.ask(
                AccountControl.login,
                .init(hub: hub, name: "carol", password: "correct horse battery")
            )
            while try await home.bob.list().state != .live { await Task.yield() }
            _ = try await tablet.ask(AccountControl.endDevice, EndDeviceRequest(device: first.device))
            while try await home.bob.list().state != .signedOut { await Task.yield() }
            let standing = try await home.bob.ask(AccountControl.show, NoControlParameters())
            #expect(standing.account == nil)
            #expect(try await home.bob.page(.get, "/api/chat/media?conversation=si_tb_1_tb_2&id=x").status == 401)
            while try await tablet.list().state != .live { await Task.yield() }
        }
    }

    @Test("whoever signs out is out at once, and another account at the same phone sees nothing of the one before")
    func signedOut() async throws {
        try await ChatHome.run { home in
            let (ada, bob) = (home.ada, home.bob)
            let chat = try await ada.open("bob").id
            _ = try await ada.ask(ChatControl.send, .init(chat, "hello"))
            _ = try await bob.messages(in: chat) { $0.map(\.text) == ["hello"] }
            _ = try await ada.ask(AccountControl.logout, NoControlParameters())
            #expect(try await ada.list().state == .signedOut)
            let hub = try await home.hub.url("").absoluteString
            _ = try await ada.ask(AccountControl.new, .init(hub: hub, name: "eve", password: "correct horse battery"))
            let standing = try await ada.list()
            #expect(standing.me?.name == "eve" && standing.conversations.isEmpty)
        }
    }
}
