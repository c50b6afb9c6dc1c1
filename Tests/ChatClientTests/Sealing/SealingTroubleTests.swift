import Accounts
import Chat
import ChatSealing
import Foundation
import Kernel
import KernelTesting
import Sealing
import Testing

@testable import ChatClient
@testable import ChatHub

@Suite("What a device says of a hub or a person that is not what it was", .timeLimit(.minutes(4)))
struct SealingTroubleTests {
    private let scene: SealedScene

    init() throws { scene = try SealedScene() }

    private func hear(_ device: SealedDevice, of person: UserID) async throws {
        try await device.sealing.refreshed(person)
    }

    @Test("a chain that began anew stops sending until the person agrees, and takes the verification away")
    func restarted() async throws {
        let (ada, _) = (try await scene.ready(scene.ada, "phone"), try await scene.ready(scene.bob, "phone"))
        #expect(try await ada.say("before", id: "one"))
        #expect(try await ada.sealing.verify(scene.conversation, true).isVerified)
        let number = await ada.sealing.standing(of: scene.conversation).number
        // It showed its key while it waited to be added; the hub deletes that one with the list before.
        let anew = try await scene.ready(scene.bob, "new phone")
        try await anew.sealing.renewList(adopting: false)
        try await hear(ada, of: scene.bob)
        #expect(await ada.sealing.standing(of: scene.conversation).trouble == .restarted)
        await #expect(throws: ChatError.keysBeganAnew) { try await ada.say("after", id: "two") }
        // What the new device says is not believed either.
        #expect(try await anew.say("hello", id: "three"))
        #expect(await ada.opened(try #require(try await scene.stored().last)).trouble != nil)
        let agreed = try await ada.sealing.agree(scene.conversation, to: .newKeys)
        #expect(agreed.trouble == nil && !agreed.isVerified && agreed.number != number)
        #expect(try await ada.say("after", id: "two"))
        let stored = try await scene.stored()
        #expect(await anew.opened(try #require(stored.last)).data.payload == .text("after"))
        #expect(await ada.opened(stored[1]).data.payload == .text("hello"))
    }

    @Test("entries that are missing, forged or another's stop sending, and what was believed stays")
    func forked() async throws {
        let (ada, bob) = (try await scene.ready(scene.ada, "phone"), try await scene.ready(scene.bob, "phone"))
        #expect(try await ada.say("before", id: "one"))
        let other = try AccountChain.first(of: scene.bob, by: Identity(), named: "x", at: 1)
        let lie = Chains([.init(person: scene.bob, newest: 0, start: other.start.hash, entries: [other.start.json])])
            .wire
        ada.server.lie { path, _ in path == ChatEndpoints.chains.path ? Optional(lie) : .none }
        try await hear(ada, of: scene.bob)
        #expect(await ada.sealing.standing(of: scene.conversation).trouble == .forked)
        await #expect(throws: ChatError.keysForked) { try await ada.say("after", id: "two") }
        ada.server.lie(nil)
        // The hub tells the truth again: nothing false was believed.
        try await hear(ada, of: scene.bob)
        #expect(await ada.sealing.standing(of: scene.conversation).trouble == nil)
        #expect(try await ada.say("after", id: "two"))
        #expect(await bob.opened(try #require(try await scene.stored().last)).data.payload == .text("after"))
    }

    @Test(
        "keys that the hub puts in place of the real ones, or withholds, seal nothing, and nothing goes in the clear by itself"
    )
    func swappedKeys() async throws {
        let (ada, _) = (try await scene.ready(scene.ada, "phone"), try await scene.ready(scene.bob, "phone"))
        #expect(try await ada.say("before", id: "one"))
        let thief = Identity()
        let bundle = try ChatKeyPair(madeAt: scene.service.now).bundle(signedBy: thief)
        for keys in [[bundle.json], []] as [[JSONValue]] {
            let lie = ChatKeys([scene.bob: keys]).wire
            ada.server.lie { path, _ in path == ChatEndpoints.chatKeys.path ? Optional(lie) : .none }
            await ada.sealing.note(.resync)
            await #expect(throws: ChatError.onlyClear) { try await ada.say("after", id: "two") }
            #expect(await ada.sealing.standing(of: scene.conversation).trouble == .clear)
        }
        #expect(try await scene.stored().count == 1)
        _ = try await ada.sealing.agree(scene.conversation, to: .clear)
        #expect(try await !ada.say("clear, by a deliberate act", id: "three"))
    }

    @Test("a clear message in a conversation that was sealed is shown with a warning")
    func unexpectedlyClear() async throws {
        let (ada, bob) = (try await scene.ready(scene.ada, "phone"), try await scene.ready(scene.bob, "phone"))
        #expect(try await ada.say("sealed", id: "one"))
        #expect(await bob.opened(try await scene.stored()[0]).trouble == nil)
        let forged = SendMessage(to: .person(scene.bob), .text("not Ada's words"), clientMessageID: "two")
        _ = try await ada.server.ask(ChatEndpoints.send, forged)
        let opened = await bob.opened(try await scene.stored()[1])
        #expect(opened.isUnexpectedlyClear && !opened.isSealed)
    }

    @Test("a message that was changed, moved or cut is shown as such, and its words are not")
    func changed() async throws {
        let (ada, bob) = (try await scene.ready(scene.ada, "phone"), try await scene.ready(scene.bob, "phone"))
        #expect(try await ada.say("secret", id: "one"))
        let message = try await scene.stored()[0]
        guard case .sealed(let json) = message.payload else {
            Issue.record("not sealed")
            return
        }
        func opened(_ change: (inout MessageData) -> Void) async -> ChatControl.SealTrouble? {
            var changed = message
            change(&changed)
            return await bob.opened(changed).trouble
        }
        func content(_ json: JSONValue) -> JSONValue { MessagePayload.sealed(json).element }
        #expect(await opened { $0.clientMessageID = "two" } == .badSignature)
        #expect(
            await opened { $0.element = content(json.adding("sig", .string(String(repeating: "A", count: 86)))) }
                == .badSignature
        )
        #expect(await opened { $0.element = content(json.adding("list", [5, 5])) } == .unknownList)
        #expect(await opened { $0.element = content(json.adding("body", "AA")) } == .damaged)
        #expect(
            await opened { $0.element = content(json.adding("from", .string(Identity().did.text))) } == .badSignature
        )
        #expect(await opened { _ in } == nil)
    }

    @Test("a link that names the first entry keeps the hub from putting another in its place")
    func pinned() async throws {
        let (ada, bob) = (try await scene.ready(scene.ada, "phone"), try await scene.ready(scene.bob, "phone"))
        let hash = try #require(await bob.sealing.ownChain())
        try await ada.sealing.met(scene.bob, chain: hash)
        #expect(await ada.sealing.standing(of: scene.conversation).isSealed)
        await #expect(throws: ChatError.keysForked) {
            try await ada.sealing.met(scene.bob, chain: [UInt8](repeating: 1, count: 32))
        }
        let carl = try await scene.ready(try #require(UserID(8)), "phone")
        try await carl.sealing.met(scene.bob, chain: [UInt8](repeating: 1, count: 32))
        let with = try #require(ConversationID(carl.person, scene.bob))
        #expect(await carl.sealing.standing(of: with).trouble == .forked)
    }

    @Test("keys are made anew each week, and an old one opens what came late until everything of its time is there")
    func rotation() async throws {
        let (ada, bob) = (try await scene.ready(scene.ada, "phone"), try await scene.ready(scene.bob, "phone"))
        #expect(try await ada.say("late", id: "one"))
        let first = try await bob.sealing.ownKeys()
        scene.clock.advance(by: .seconds(7 * 86_400))
        await bob.sealing.align()
        #expect(try await bob.sealing.ownKeys().count == 2)
        let stored = try await scene.stored()
        #expect(await bob.opened(stored[0]).trouble == nil)
        await bob.sealing.fetchedEverything(upTo: scene.service.now + ChatKeyLife.overlap)
        scene.clock.advance(by: .seconds(3600))
        await bob.sealing.align()
        #expect(try await bob.sealing.ownKeys().map(\.pair.id) != first.map(\.pair.id))
        #expect(try await bob.sealing.ownKeys().count == 1)
        #expect(await bob.opened(stored[0]).trouble == .keyGone)
    }

    @Test("a hub that lost the lists gets them back from a device")
    func lostAtTheHub() async throws {
        let ada = try await scene.ready(scene.ada, "phone")
        let empty = Chains([]).wire
        try await scene.service.log.beginDeletion(of: scene.bob, at: 1)
        ada.server.lie { path, _ in path == ChatEndpoints.chains.path ? Optional(empty) : .none }
        await ada.sealing.align()
        #expect(try await ada.sealing.contact(scene.ada).trouble == nil)
        ada.server.lie(nil)
        await ada.sealing.align()
        #expect(await ada.sealing.ownChain() != nil)
    }
}
