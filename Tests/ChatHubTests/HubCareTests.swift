import Accounts
import AccountsHub
import Chat
import Control
import Foundation
import HomeTesting
import Kernel
import KernelTesting
import Logging
import SignalingServer
import TandemHub
import Testing

@testable import ChatHub

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What who runs a hub does with it, and what people take away from it.
@Suite("A hub's conversations are looked after", .timeLimit(.minutes(4)))
struct HubCareTests {
    @Test("an export streams every line that the person can see and ends with their number; nobody else gets it")
    func export() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            for number in 1...50 { try await ada.say("words \(number)", to: bob) }
            for reply in [try await bob.get("/chat/export"), try await bob.post("/chat/export", [:])] {
                #expect(reply.status == 200 && reply.fields["Content-Type"] == "application/x-ndjson")
                let lines = try String(decoding: reply.bytes, as: UTF8.self).split(separator: "\n").map {
                    try JSONValue(parsing: $0.utf8)
                }
                #expect(lines.first?["kind"] == "chats" && lines.last?["kind"] == "end")
                #expect(lines.last?["lines"]?.integerValue == Int64(lines.count - 1))
                #expect(lines.filter { $0["kind"] == "message" }.count == 50)
            }
            let stranger = try await bob.get("/chat/export", isKnown: false)
            #expect(stranger.status == 401 && stranger.code == .tokenNotExisting)
        }
    }

    @Test("figures tell how many and how much, and no word")
    func figures() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            try await ada.say("a secret", to: bob, id: "m-1")
            try await ada.say("a secret", to: bob, id: "m-1")
            try await bob.say("another", to: ada)
            _ = try await ada.upload(HubChatTests.picture(ending: 100), as: .image)
            let control = try await hub.role.control
            let figures = try await control.call(ChatFigures.messages, .init(days: 2))
            #expect(figures.messages == 2 && figures.days.map(\.messages).reduce(0, +) == 2)
            #expect(figures.conversations == 1 && figures.files == 1 && figures.fileBytes > 100)
            #expect(!(try JSONValue(encoding: figures)).canonicalText.contains("secret"))
            await #expect(throws: ControlError.self) { try await control.call(ChatFigures.messages, .init(days: 0)) }
        }
    }

    @Test(
        "a limit is listed with what was set, and a person who asks too much is told how long to wait while others go on"
    )
    func limits() async throws {
        try await Home.run(chat: ChatHubFeature.maker, ["chatRequestBurst": 20, "chatRequestsPerSecond": 1]) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let limits = try await hub.role.control.call(HubControl.limits, .init()).limits
            let burst = try #require(limits.first { $0.name == "chatRequestBurst" })
            #expect(burst.value == 20 && burst.default == 240)
            #expect(limits.contains { $0.name == "accountFindsOfPersonBurst" && $0.value == 30 })
            let request: JSONValue = ["userID": .string(ada.id.imUserID), "useq": 0, "seqs": [:]]
            // A question that looks through much counts for five.
            for _ in 0..<4 { #expect(try await ada.post("/chat/sync", request).status == 200) }
            let refused = try await ada.post("/chat/sync", request)
            #expect(refused.status == 429 && refused.code == .tooManyRequests)
            #expect(refused.fields["Retry-After"].flatMap { Int($0) }.map { (1...5).contains($0) } == true)
            // Messages have a rate of their own, and other people theirs.
            try await ada.say("still there", to: bob)
            #expect(try await bob.history(with: ada).count == 1)
            let socket = try await ada.socket()
            var told: [SyncFrame.Response] = []
            for _ in 0..<40 {
                let answer = try await socket.ask(.newestSequences, ["userID": .string(ada.id.imUserID)])
                told.append(try #require(answer))
            }
            let slowed = told.filter { $0.code == .tooManyRequests }
            #expect(!slowed.isEmpty && slowed.allSatisfy { $0.message.hasSuffix("seconds.") })
        }
    }

    @Test(
        "a backup that is made while the hub runs is a hub: people sign in there with what they have, and read what was said"
    )
    func backup() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let photo = HubChatTests.picture(ending: 5000)
            let key = try #require(try await ada.upload(photo, as: .image).data["objectKey"]?.stringValue)
            let once = try #require(try await ada.upload(photo, as: .flash).data["objectKey"]?.stringValue)
            try await ada.send(.image(ImagePayload(objectKey: key)), to: bob)
            try await ada.send(.flashImage(FlashImagePayload(objectKey: once)), to: bob)
            let folder = FileManager.default.temporaryDirectory.appending(path: "hb-\(UUID().uuidString.prefix(8))")
            defer { try? FileManager.default.removeItem(at: folder) }
            let control = try await hub.role.control
            let done = try await control.call(HubControl.backup, .init(folder: folder.path))
            #expect(done.databases == 2 && done.files >= 5)
            await #expect(throws: (any Error).self) {
                try await control.call(HubControl.backup, .init(folder: folder.path))
            }
            let media = folder.appending(path: "features/chat/media/objects")
            #expect(FileManager.default.fileExists(atPath: media.appending(path: key).path))
            #expect(!FileManager.default.fileExists(atPath: media.appending(path: once).path))
            try await ada.say("after the backup", to: bob)
            var server = SignalingServerConfiguration()
            (server.address, server.port) = ("127.0.0.1", 0)
            let restored = try Hub(
                folder: StateFolder(folder),
                server: server,
                features: [ChatHubFeature.maker],
                version: "1",
                logger: OutboxRig.logger
            )
            let task = Task { try await restored.run() }
            defer { task.cancel() }
            let port = try await restored.server.boundPort()
            var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/msg/pull_msg_by_seq")))
            request.httpMethod = "POST"
            request.setValue(bob.token, forHTTPHeaderField: "token")
            let pull = PullRequest(bob.id, [PullRequest.Part(try ada.with(bob), 1...Int64.max)])
            request.httpBody = Data(pull.wire.canonicalBytes)
            let (bytes, _) = try await URLSession.shared.data(for: request)
            let part = try JSONValue(parsing: Array(bytes)).decode(as: IMEnvelope.self).answer(as: PulledMessages.self)
                .parts[try ada.with(bob)]
            #expect(part?.messages.count == 2)
            var get = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/object/\(key)")))
            get.setValue(bob.token, forHTTPHeaderField: "token")
            #expect(Array(try await URLSession.shared.data(for: get).0) == photo)
            task.cancel()
            _ = await task.result
        }
    }
}
