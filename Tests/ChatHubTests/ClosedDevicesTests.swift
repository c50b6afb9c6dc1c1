import Accounts
import Chat
import Foundation
import HomeTesting
import Kernel
import TandemHub
import Testing
import Transport

@testable import ChatHub

@Suite("Closed devices are told", .timeLimit(.minutes(4)))
struct ClosedDevicesTests {
    private struct Sent: Sendable {
        let endpoint: String
        let payload: JSONValue
    }

    /// A push service that takes everything, but for devices that are gone.
    private final class TestPusher: DevicePusher {
        let sent = Recorded<Sent>()
        var publicKey: String { "hub-key" }

        func check(_ subscription: RegisterPush.Subscription) throws {
            guard subscription.endpoint.hasPrefix("https://") else { throw ChatError.malformed("endpoint") }
        }

        func wake(_ subscription: RegisterPush.Subscription, with payload: [UInt8], topic: String) async -> PushEnd {
            sent.add(Sent(endpoint: subscription.endpoint, payload: (try? JSONValue(parsing: payload)) ?? .null))
            return subscription.endpoint.hasSuffix("gone") ? .gone : .sent
        }
    }

    private static func run(
        _ body: @escaping @Sendable (HomeHub, TestPusher) async throws -> Void
    ) async throws {
        let pusher = TestPusher()
        let maker = ChatHubFeature.maker { _, _ in ChatHubFeature.Services(pusher: pusher) }
        try await Home.run(chat: maker) { try await body($0, pusher) }
    }

    private static func subscribe(_ person: HubPerson, _ name: String, showsText: Bool = false) async throws {
        let subscription = RegisterPush.Subscription(endpoint: "https://push/\(name)", publicKey: "p", secret: "a")
        let answer = try await person.ask(
            ChatEndpoints.push,
            RegisterPush(.set(subscription, showsText: showsText))
        )
        #expect(answer.applicationServerKey == "hub-key")
    }

    @Test("each message is told once to each closed device, with its words only where the person allows it")
    func told() async throws {
        try await Self.run { hub, pusher in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let tablet = try await bob.another()
            try await Self.subscribe(bob, "phone", showsText: true)
            try await Self.subscribe(tablet, "tablet")
            try await ada.say("hello", to: bob, id: "m-1")
            try await ada.say("hello", to: bob, id: "m-1")
            let sent = await pusher.sent.wait(for: 2)
            let bodies = Dictionary(uniqueKeysWithValues: sent.map { ($0.endpoint, $0.payload["body"]?.stringValue) })
            #expect(bodies == ["https://push/phone": "hello", "https://push/tablet": ""])
            for each in sent {
                #expect(each.payload["title"] == "ada" && each.payload["from"] == .string(ada.id.imUserID))
                #expect(each.payload["seq"] == 1)
            }
            try await ada.say("again", to: bob, id: "m-2")
            #expect(await pusher.sent.wait(for: 4).count == 4)
        }
    }

    @Test(
        "nothing is told to a connected device, of a muted conversation, of a control message or by who is blocked, and of what is sealed its sender alone"
    )
    func silent() async throws {
        try await Self.run { hub, pusher in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let eve = try await HubPerson.make("eve", at: hub)
            let chat = try ada.with(bob)
            try await Self.subscribe(bob, "phone", showsText: true)
            let socket = try await bob.socket()
            _ = try await socket.ask(.newestSequences, ["userID": .string(bob.id.imUserID)])
            try await ada.say("you are here", to: bob)
            #expect(try await socket.message()?.payload == .text("you are here"))
            await socket.connection.close(.normal)
            // The hub has noticed.
            let presence = PeopleRequest([bob.id])
            while try await ada.ask(IMEndpoints.onlineStatus, presence).statuses.first?.isOnline == true {
                await Task.yield()
            }
            let muted = SetConversations(bob.id, chat, ConversationSettings(receiveOption: .silent))
            _ = try await bob.ask(IMEndpoints.setConversations, muted)
            try await ada.say("muted", to: bob)
            _ = try await bob.ask(IMEndpoints.addBlack, BlackEntry(of: bob.id, eve.id))
            await expectRefusal(.blockedByPeer) { try await eve.say("blocked", to: bob) }
            let loud = SetConversations(bob.id, chat, ConversationSettings(receiveOption: .receive))
            _ = try await bob.ask(IMEndpoints.setConversations, loud)
            try await ada.send(.sealed(["type": "sealed", "body": "x"]), to: bob)
            let sent = await pusher.sent.wait(for: 1)
            #expect(sent.map { $0.payload["body"] } == [""])
            #expect(sent.map { $0.payload["title"] } == ["ada"])
            // The last one: nothing of before comes late.
            try await ada.say("the end", to: bob)
            #expect(await pusher.sent.wait(for: 2).map { $0.payload["body"] } == ["", "the end"])
        }
    }

    @Test("a subscription ends when its device says so, when it is gone, and with its session")
    func ended() async throws {
        try await Self.run { hub, pusher in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let (tablet, laptop) = (try await bob.another(), try await bob.another())
            try await Self.subscribe(bob, "gone")
            try await Self.subscribe(tablet, "tablet")
            try await Self.subscribe(laptop, "laptop")
            try await ada.say("1", to: bob)
            #expect(await pusher.sent.wait(for: 3).count == 3)
            _ = try await tablet.ask(ChatEndpoints.push, RegisterPush(.remove))
            _ = try await laptop.post(AccountEndpoint.logout.path, [:])
            let phone = try await bob.another()
            try await Self.subscribe(phone, "phone")
            try await ada.say("2", to: bob)
            #expect(await pusher.sent.wait(for: 4).last?.endpoint == "https://push/phone")
            let wrong = RegisterPush.Subscription(endpoint: "http://push", publicKey: "p", secret: "a")
            await expectRefusal(.badArguments) {
                _ = try await phone.ask(ChatEndpoints.push, RegisterPush(.set(wrong, showsText: true)))
            }
            #expect(try await phone.ask(ChatEndpoints.push, RegisterPush(.none)).applicationServerKey == "hub-key")
        }
    }

    @Test("who can be woken is known again after a restart, and whoever can be later, too")
    func restarted() async throws {
        try await Self.run { hub, pusher in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let eve = try await HubPerson.make("eve", at: hub)
            try await Self.subscribe(bob, "phone")
            await hub.stop()
            try await hub.start()
            try await ada.say("1", to: eve)
            try await ada.say("2", to: bob)
            #expect(await pusher.sent.wait(for: 1).map(\.endpoint) == ["https://push/phone"])
            try await Self.subscribe(eve, "tablet")
            try await eve.say("3", to: ada)
            try await ada.say("4", to: eve)
            #expect(await pusher.sent.wait(for: 2).map(\.endpoint) == ["https://push/phone", "https://push/tablet"])
        }
    }
}
