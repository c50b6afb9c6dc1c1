import Accounts
import AccountsClient
import Chat
import Control
import Foundation
import HomeTesting
import Kernel
import Testing
import Transport

@testable import ChatClient
@testable import ChatHub

/// Two phones and a hub with everything that they have: what is said between them is sealed, files too.
@Suite("Sealed conversations of phones", .timeLimit(.minutes(4)))
struct SealedPhonesTests {
    /// Waits until both phones have keys.
    private func sealed(_ home: ChatHome) async throws -> String {
        let chat = try await home.ada.open("bob").id
        _ = try await home.bob.open("ada")
        for person in [home.ada, home.bob] {
            while try await !person.ask(ChatControl.safety, .init(chat)).isSealed { await Task.yield() }
        }
        return chat
    }

    /// Sends a file of this machine. It is copied before this returns.
    private func send(
        _ bytes: [UInt8],
        _ kind: ChatControl.Media.Kind,
        _ id: String,
        by person: ChatPerson,
        in chat: String
    ) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "sealed-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try await person.ask(ChatControl.sendMedia, .init(chat, kind, [file.path], id: id))
    }

    @Test("words, a picture, a voice note and a view-once picture come sealed, and are shown as they were sent")
    func conversation() async throws {
        try await ChatHome.run { home in
            let (ada, bob) = (home.ada, home.bob)
            let chat = try await sealed(home)
            _ = try await ada.ask(ChatControl.send, .init(chat, "secret words", id: "m-1"))
            let words = try await bob.messages(in: chat) { $0.last?.text == "secret words" }
            #expect(words.last?.isSealed == true && words.last?.trouble == nil)
            _ = try await bob.ask(ChatControl.send, .init(chat, "and an answer", id: "m-2"))
            let answer = try await ada.messages(in: chat) { $0.last?.text == "and an answer" }
            #expect(answer.allSatisfy { $0.isSealed })

            let picture = TestPhotos.picture(7)
            try await send(picture, .image, "m-3", by: ada, in: chat)
            let shown = try await bob.messages(in: chat) { $0.last?.kind == .image }
            #expect(shown.last?.isSealed == true)
            let sent = TestPhotos.header + [0xAA] + picture.suffix(100)
            for person in [bob, ada] {
                let page = try await person.page(.get, "/api/chat/media?conversation=\(chat)&id=m-3")
                #expect(page.status == 200 && page.bytes == sent)
            }

            let note = VoiceFiles.ogg(samples: 48_000 * 5, preSkip: 312)
            try await send(note, .voice, "m-4", by: ada, in: chat)
            _ = try await bob.messages(in: chat) { $0.last?.kind == .voice }
            let heard = try await bob.page(.get, "/api/chat/media?conversation=\(chat)&id=m-4")
            #expect(heard.bytes == note)

            try await send(TestPhotos.picture(9), .flash, "f-1", by: ada, in: chat)
            let closed = try await bob.messages(in: chat) { $0.last?.flash == .closed }
            #expect(closed.last?.isSealed == true)
            let seen = try await bob.page(.get, "/api/chat/flash?conversation=\(chat)&id=f-1")
            #expect(seen.status == 200)
            #expect(seen.bytes == TestPhotos.header + [0xAA] + TestPhotos.picture(9).suffix(100))
            #expect(try await bob.page(.get, "/api/chat/flash?conversation=\(chat)&id=f-1").status == 410)
            let viewed = try await ada.messages(in: chat) { $0.last?.flash == .viewedByPeer }
            #expect(viewed.allSatisfy { !$0.isUnexpectedlyClear })
        }
    }

    @Test("the hub has neither the words nor the pictures of a sealed conversation in its files")
    func hidden() async throws {
        try await ChatHome.run { home in
            let (ada, bob) = (home.ada, home.bob)
            let chat = try await sealed(home)
            _ = try await ada.ask(ChatControl.send, .init(chat, "a very secret sentence", id: "m-1"))
            let picture = TestPhotos.picture(7)
            try await send(picture, .image, "m-2", by: ada, in: chat)
            _ = try await bob.messages(in: chat) { $0.last?.kind == .image }
            let folder = home.hub.folder
            let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            var sizes = 0
            while let url = files.nextObject() as? URL {
                guard let bytes = try? Data(contentsOf: url) else { continue }
                sizes += bytes.count
                #expect(bytes.range(of: Data("very secret".utf8)) == nil, "\(url.lastPathComponent)")
                #expect(bytes.range(of: Data(TestPhotos.header)) == nil, "\(url.lastPathComponent)")
            }
            #expect(sizes > 10_000)
        }
    }

    @Test("a second phone of a person waits, is added by the words of its key, and reads what comes then")
    func secondPhone() async throws {
        try await ChatHome.run { home in
            let hub = try await home.hub.url("").absoluteString
            let tablet = ChatPerson(phone: try home.home.phone(named: "tablet"))
            _ = try await tablet.ask(
                AccountControl.new,
                .init(hub: hub, name: "carol", password: "correct horse battery")
            )
            let third = try await tablet.open("bob").id
            while try await !tablet.ask(ChatControl.devices, NoControlParameters()).isListed { await Task.yield() }
            // Ada's phone signs in to the same account.
            _ = try await home.ada.ask(AccountControl.logout, NoControlParameters())
            _ = try await home.ada.ask(
                AccountControl.login,
                .init(hub: hub, name: "carol", password: "correct horse battery")
            )
            let waiting = try await home.ada.ask(ChatControl.devices, NoControlParameters())
            #expect(!waiting.isListed)
            while try await !home.bob.ask(ChatControl.safety, .init(third)).isSealed { await Task.yield() }
            _ = try await home.bob.ask(ChatControl.send, .init(third, "for the tablet"))
            _ = try await tablet.messages(in: third) { $0.last?.text == "for the tablet" }
            let closed = try await home.ada.messages(in: third) { $0.last != nil }
            #expect(closed.last?.trouble == .otherDevice && closed.last?.text == "")

            // The tablet adds it, by the words that the phone shows.
            let shown = try #require(waiting.devices.first { $0.state == .this })
            while true {
                let list = try await tablet.ask(ChatControl.devices, NoControlParameters())
                if list.devices.contains(where: { $0.did == shown.did && $0.state == .waiting }) { break }
                await Task.yield()
            }
            let added = try await tablet.ask(ChatControl.addDevice, .init(did: shown.did, words: shown.words))
            #expect(added.devices.contains { $0.did == shown.did && $0.state == .listed })
            while try await !home.ada.ask(ChatControl.devices, NoControlParameters()).isListed { await Task.yield() }
            _ = try await home.bob.ask(ChatControl.send, .init(third, "for both"))
            for person in [home.ada, tablet] {
                _ = try await person.messages(in: third) { $0.last?.text == "for both" }
            }
            _ = try await home.ada.ask(ChatControl.send, .init(third, "from the phone"))
            for person in [home.bob, tablet] {
                let page = try await person.messages(in: third) { $0.last?.text == "from the phone" }
                #expect(page.last?.isSealed == true)
            }
        }
    }
}
