import Accounts
import Capabilities
import Chat
import Crypto
import Foundation
import GRDB
import HomeTesting
import Kernel
import Synchronization
import TandemHub
import Testing
import WebClient
import WebClientTesting

@testable import ChatHub

@Suite("An app's backend is told", .timeLimit(.minutes(4)))
struct WebhookTests {
    private static let secret = "0123456789abcdef"

    /// A backend: it keeps what it took, and answers as a test says.
    private final class Backend: Sendable {
        let told = Recorded<JSONValue>()
        private let answers = Mutex<@Sendable (JSONValue) async -> Int>({ _ in 200 })

        func answer(_ answer: @escaping @Sendable (JSONValue) async -> Int) { answers.withLock { $0 = answer } }

        func web() -> ScriptedWebClient {
            ScriptedWebClient { [self] request in
                guard case .bytes(let body) = request.body else { return CollectedAnswer(status: 400) }
                #expect(request.url.text.hasSuffix("/chat/events"))
                let time = request.fields["Tandem-Timestamp"] ?? ""
                let code = HMAC<SHA256>.authenticationCode(
                    for: Data("\(time).".utf8) + body,
                    using: SymmetricKey(data: Data(WebhookTests.secret.utf8))
                )
                #expect(request.fields["Tandem-Signature"] == "v1=" + Hexadecimal.encode(Array(code)))
                let value = try JSONValue(parsing: body)
                #expect(request.fields["Tandem-Event"] == value["id"]?.integerValue.map { "\($0)" })
                let answer = answers.withLock { $0 }
                let status = await answer(value)
                if status == 200 { told.add(value) }
                return CollectedAnswer(status: status)
            }
        }
    }

    private static func run(
        _ backend: Backend,
        _ body: @escaping @Sendable (HomeHub) async throws -> Void
    ) async throws {
        let maker = ChatHubFeature.maker { _, _ in ChatHubFeature.Services(web: backend.web()) }
        let target: [String: JSONValue] = [
            "chatWebhook": "https://192.168.1.2/chat/events", "chatWebhookSecret": .string(secret),
        ]
        try await Home.run(chat: maker, target, body)
    }

    @Test(
        "messages, recalls and signals are told in order, signed, without what is sealed and without keys of view-once pictures"
    )
    func told() async throws {
        let backend = Backend()
        try await Self.run(backend) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            try await ada.say("hello", to: bob, id: "m-1")
            try await ada.send(.sealed(["type": "sealed", "body": "secret words"]), to: bob)
            let photo = try await ada.upload(HubChatTests.picture(ending: 9), as: .flash).data["objectKey"]?.stringValue
            let key = try #require(photo)
            try await ada.send(.flashImage(FlashImagePayload(objectKey: key)), to: bob)
            let told = await backend.told.wait(for: 3)
            #expect(told.map { $0["event"] } == ["message", "message", "message"])
            #expect(told.first?["message"]?["content"]?["content"] == "hello")
            #expect(told.first?["message"]?["clientMsgID"] == "m-1")
            let all = told.map(\.canonicalText).joined()
            #expect(!all.contains("secret words") && !all.contains(key))
            _ = try await ada.ask(ChatEndpoints.revoke, RevokeMessage(try ada.with(bob), clientMessageID: "m-1"))
            let opened = try #require(OpenIMReceive(receiveID: "77"))
            _ = try await bob.ask(ChatEndpoints.openIM, opened)
            let more = await backend.told.wait(for: 5).suffix(2)
            let recalled = try #require(more.first { $0["event"] == "recalled" })
            #expect(recalled["message"]?["contentType"] == 2101 && !recalled.canonicalText.contains("hello"))
            let signal = try #require(more.first { $0["event"] == "signalOpened" })
            #expect(signal["receive_id"] == 77 && signal["userID"] == .string(bob.id.imUserID))
        }
    }

    @Test("what is refused is tried again, in its conversation's order, and after a restart; others do not wait for it")
    func again() async throws {
        let backend = Backend()
        let hanging = LatestValue(true)
        try await Self.run(backend) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let eve = try await HubPerson.make("eve", at: hub)
            let stuck = try ada.with(bob).text
            backend.answer { value in
                guard value["conversationID"] == .string(stuck) else { return 200 }
                return hanging.value ? 503 : 200
            }
            for number in 1...3 { try await ada.say("\(number)", to: bob) }
            try await ada.say("to eve", to: eve)
            #expect(await backend.told.wait(for: 1).first?["message"]?["content"]?["content"] == "to eve")
            // A recall before the word of the message: the message's words are told to nobody.
            try await ada.say("never told", to: bob, id: "m-4")
            _ = try await ada.ask(ChatEndpoints.revoke, RevokeMessage(try ada.with(bob), clientMessageID: "m-4"))
            await hub.stop()
            hanging.update { $0 = false }
            try await hub.start()
            let told = await backend.told.wait(for: 6).dropFirst()
            #expect(told.map { $0["message"]?["seq"] } == [1, 2, 3, 4, 4])
            #expect(!told.map(\.canonicalText).joined().contains("never told"))
        }
    }

    @Test("a backend that hangs disturbs nobody, and a hub that has none does nothing")
    func hanging() async throws {
        let backend = Backend()
        backend.answer { _ in
            let never = LatestValue(false)
            // Ends with the request.
            for await isOver in never.values() where isOver { break }
            return 500
        }
        try await Self.run(backend) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            for number in 1...20 { try await ada.say("\(number)", to: bob) }
            #expect(try await bob.history(with: ada).count == 20)
        }
    }

    @Test("a secret that is missing or short, and an address that is none, keep a hub from starting")
    func settings() {
        for (url, secret) in [("https://x.example", nil), ("https://x.example", "short"), ("nowhere", Self.secret)] {
            #expect(throws: ChatHubError.self) { try WebhookTarget(url: url, secret: secret) }
        }
        #expect(throws: Never.self) { try WebhookTarget(url: "http://10.0.0.1:8080/hook", secret: Self.secret) }
    }

    @Test("what is beyond the bound is dropped and counted, and the person who runs the hub is told")
    func bound() async throws {
        let rig = try ChatRig(database: try OutboxRig.database())
        try await rig.database.write { database in
            // As if so many waited: the bound looks at the first and the last.
            try database.execute(
                sql: "INSERT INTO chat_outbox (id, lane, kind, at) VALUES (1, 1, 1, 0), (100000, 1, 1, 0)"
            )
            try OutboxTable.add(.message, lane: 1, seq: 1, person: person(7), at: 0, in: database)
            let counts = try OutboxTable.counts(in: database)
            #expect(counts.waiting == 2 && counts.lost == 1)
        }
        let target = try WebhookTarget(url: "https://x.example", secret: Self.secret)
        let sender = WebhookSender(
            rig.database,
            to: target,
            web: ScriptedWebClient { _ in CollectedAnswer(status: 200) },
            time: rig.clock,
            logger: OutboxRig.logger
        )
        let check = await sender.check()
        #expect(!check.works && check.detail.hasPrefix("1 things"))
    }
}
