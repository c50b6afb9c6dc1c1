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

/// Two devices of one person and one of another at a real hub: what the first one read reaches the second.
@Suite("History for a new device", .timeLimit(.minutes(6)))
struct HandoverPhonesTests {
    /// An account whose first device has read a conversation, and a second device that waits to be added.
    private struct Scene: Sendable {
        let home: ChatHome
        /// The first device, which is in the list.
        let old: ChatPerson
        /// Waits to be added.
        let new: ChatPerson
        var bob: ChatPerson { home.bob }
        let chat: String
        /// The new device as it shows itself.
        let shown: ChatControl.ChatDevice

        /// - Parameter said: Says something while the old device alone reads it.
        static func run(
            _ said: @escaping @Sendable (_ old: ChatPerson, _ bob: ChatPerson, _ chat: String) async throws -> Void,
            _ body: @escaping @Sendable (Scene) async throws -> Void
        ) async throws {
            try await ChatHome.run { home in
                let hub = try await home.hub.url("").absoluteString
                let old = ChatPerson(phone: try home.home.phone(named: "tablet"))
                let password = "correct horse battery"
                _ = try await old.ask(AccountControl.new, .init(hub: hub, name: "carol", password: password))
                let chat = try await old.open("bob").id
                for person in [old, home.bob] {
                    while try await !person.ask(ChatControl.safety, .init(chat)).isSealed {
                        try Task.checkCancellation()
                        await Task.yield()
                    }
                }
                try await said(old, home.bob, chat)
                _ = try await home.ada.ask(AccountControl.logout, NoControlParameters())
                _ = try await home.ada.ask(AccountControl.login, .init(hub: hub, name: "carol", password: password))
                let own = try await home.ada.ask(ChatControl.devices, NoControlParameters())
                let shown = try #require(own.devices.first { $0.state == .this })
                let scene = Scene(home: home, old: old, new: home.ada, chat: chat, shown: shown)
                _ = try await scene.list(of: old) { list in
                    list.devices.contains { $0.did == shown.did && $0.state == .waiting }
                }
                try await body(scene)
            }
        }

        /// The list of devices, once it fits.
        func list(
            of person: ChatPerson,
            until isDone: (ChatControl.DeviceList) -> Bool
        ) async throws -> ChatControl.DeviceList {
            while true {
                let list = try await person.ask(ChatControl.devices, NoControlParameters())
                if isDone(list) { return list }
                try Task.checkCancellation()
                await Task.yield()
            }
        }

        func add(history: Bool?) async throws {
            let added = ChatControl.AddedDevice(did: shown.did, words: shown.words, history: history)
            let list = try await old.ask(ChatControl.addDevice, added)
            #expect(list.devices.contains { $0.did == shown.did && $0.state == .listed })
        }

        /// What the old device says of the new one's history, once it has this stage.
        func handedOver(_ stage: ChatControl.Handover.Stage) async throws -> ChatControl.Handover {
            let list = try await list(of: old) { list in
                list.devices.contains { $0.did == shown.did && $0.handover?.stage == stage }
            }
            return try #require(list.devices.first { $0.did == shown.did }?.handover)
        }
    }

    private static func send(
        _ bytes: [UInt8],
        _ kind: ChatControl.Media.Kind,
        _ id: String,
        by person: ChatPerson,
        in chat: String
    ) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "handover-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try await person.ask(ChatControl.sendMedia, .init(chat, kind, [file.path], id: id))
    }

    /// Words of both people, a picture and a view-once picture.
    private static func talk(_ old: ChatPerson, _ bob: ChatPerson, _ chat: String) async throws {
        _ = try await bob.ask(ChatControl.send, .init(chat, "a very secret question", id: "m-1"))
        _ = try await old.messages(in: chat) { $0.last?.text == "a very secret question" }
        _ = try await old.ask(ChatControl.send, .init(chat, "a very secret answer", id: "m-2"))
        _ = try await bob.messages(in: chat) { $0.last?.text == "a very secret answer" }
        try await send(TestPhotos.picture(7), .image, "m-3", by: bob, in: chat)
        _ = try await old.messages(in: chat) { $0.last?.kind == .image }
        try await send(TestPhotos.picture(9), .flash, "f-1", by: bob, in: chat)
        _ = try await old.messages(in: chat) { $0.last?.flash == .closed }
    }

    @Test(
        "what was said before a device was added is read there, pictures too, and found by a search; a view-once picture is not handed over"
    )
    func handedOver() async throws {
        try await Scene.run(Self.talk) { scene in
            let closed = try await scene.new.messages(in: scene.chat) { $0.count == 4 }
            #expect(closed.allSatisfy { $0.trouble == .otherDevice })
            try await scene.add(history: true)
            let read = try await scene.new.messages(in: scene.chat) { page in
                page.count { $0.trouble == nil } == 3
            }
            #expect(read.prefix(2).map(\.text) == ["a very secret question", "a very secret answer"])
            #expect(read.map(\.isMine) == [false, true, false, false])
            #expect(read.allSatisfy { $0.isSealed })
            #expect(read[3].trouble == .otherDevice && read[3].flash == nil)
            let picture = try await scene.new.page(.get, "/api/chat/media?conversation=\(scene.chat)&id=m-3")
            #expect(picture.status == 200)
            #expect(picture.bytes == TestPhotos.header + [0xAA] + TestPhotos.picture(7).suffix(100))
            let found = try await scene.new.ask(ChatControl.search, .init("secret"))
            #expect(Set(found.messages.map(\.id)) == ["m-1", "m-2"])

            let said = try await scene.handedOver(.taken)
            #expect(said.messages == 3 && !said.isCut && said.failure == nil)
            let own = try await scene.list(of: scene.new) { $0.devices.contains { $0.handover?.stage == .done } }
            let taken = try #require(own.devices.first { $0.state == .this }?.handover)
            #expect(taken.done == 3 && taken.messages == 3)
        }
    }

    @Test("the hub has no word of what is handed over, and keeps nothing of it once it is taken")
    func hidden() async throws {
        try await Scene.run(Self.talk) { scene in
            await scene.new.phone.stop()
            try await scene.add(history: true)
            _ = try await scene.handedOver(.offered)
            let folder = scene.home.hub.folder
            func files() throws -> [URL] {
                let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
                return try #require(found).compactMap { $0 as? URL }.filter { url in
                    (try? url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
                }
            }
            func sealedObjects() throws -> Int { try files().count { $0.path.contains("/chat/sealed/") } }
            for file in try files() {
                guard let bytes = try? Data(contentsOf: file) else { continue }
                #expect(bytes.range(of: Data("very secret".utf8)) == nil, "\(file.lastPathComponent)")
            }
            // The picture, a page and the index.
            #expect(try sealedObjects() == 3)
            try await scene.new.phone.start()
            _ = try await scene.handedOver(.taken)
            while try sealedObjects() > 1 {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    @Test("both programs may end in the middle: handing over and taking go on at their next start")
    func restarts() async throws {
        try await Scene.run(Self.talk) { scene in
            try await scene.add(history: true)
            // Wherever it is by now.
            await scene.old.phone.stop()
            await scene.new.phone.stop()
            try await scene.old.phone.start()
            _ = try await scene.list(of: scene.old) { list in
                list.devices.contains { $0.did == scene.shown.did && [.offered, .taken].contains($0.handover?.stage) }
            }
            // The new device needs the old one no more.
            await scene.old.phone.stop()
            try await scene.new.phone.start()
            let read = try await scene.new.messages(in: scene.chat) { page in
                page.count { $0.trouble == nil } == 3
            }
            #expect(read.prefix(2).map(\.text) == ["a very secret question", "a very secret answer"])
            try await scene.old.phone.start()
            #expect(try await scene.handedOver(.taken).messages == 3)
        }
    }

    @Test("without the person's choice nothing is handed over; it may be chosen later, of a device of the list")
    func chosen() async throws {
        try await Scene.run(Self.talk) { scene in
            await #expect(throws: ChatError.self) {
                try await scene.old.ask(ChatControl.handOver, .init(did: scene.shown.did))
            }
            try await scene.add(history: nil)
            _ = try await scene.list(of: scene.new) { $0.isListed }
            _ = try await scene.bob.ask(ChatControl.send, .init(scene.chat, "for both", id: "m-5"))
            let page = try await scene.new.messages(in: scene.chat) { $0.last?.text == "for both" }
            #expect(page.dropLast().allSatisfy { $0.trouble == .otherDevice })
            let list = try await scene.old.ask(ChatControl.devices, NoControlParameters())
            #expect(list.devices.allSatisfy { $0.handover == nil })

            let begun = try await scene.old.ask(ChatControl.handOver, .init(did: scene.shown.did))
            #expect(begun.devices.contains { $0.did == scene.shown.did && $0.handover != nil })
            _ = try await scene.new.messages(in: scene.chat) { page in page.count { $0.trouble == nil } == 4 }
        }
    }

    @Test("a device that has read nothing hands nothing over, and says so where it is asked to")
    func nothing() async throws {
        try await Scene.run { _, _, _ in
        } _: { scene in
            try await scene.add(history: true)
            let list = try await scene.list(of: scene.new) { $0.isListed }
            #expect(list.devices.allSatisfy { $0.handover == nil })
            await #expect(throws: ChatError.self) {
                try await scene.old.ask(ChatControl.handOver, .init(did: scene.shown.did))
            }
        }
    }

    @Test("a device that is taken out before it took the history gets none")
    func removed() async throws {
        try await Scene.run(Self.talk) { scene in
            await scene.new.phone.stop()
            try await scene.add(history: true)
            _ = try await scene.handedOver(.offered)
            let list = try await scene.old.ask(ChatControl.removeDevice, .init(did: scene.shown.did))
            #expect(!list.devices.contains { $0.did == scene.shown.did && $0.state == .listed })
            try await scene.new.phone.start()
            _ = try await scene.list(of: scene.new) { !$0.isListed }
            let page = try await scene.new.messages(in: scene.chat) { $0.count == 4 }
            #expect(page.allSatisfy { $0.trouble == .otherDevice })
        }
    }
}
