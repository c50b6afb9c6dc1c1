import Accounts
import Chat
import ChatHub
import ChatSealing
import Foundation
import Kernel
import KernelTesting
import Sealing
import Testing

@testable import ChatClient

@Suite("Sealed conversations of two people at a hub", .timeLimit(.minutes(4)))
struct SealedMessagesTests {
    private let scene: SealedScene

    init() throws { scene = try SealedScene() }

    @Test("what two people say is sealed as soon as both have keys, and the hub has none of it in the clear")
    func sealed() async throws {
        let (ada, bob) = (try await scene.ready(scene.ada, "phone"), try await scene.ready(scene.bob, "phone"))
        #expect(try await ada.say("secret words", id: "one"))
        #expect(try await bob.say("and an answer", id: "two"))
        let stored = try await scene.stored()
        #expect(
            stored.allSatisfy {
                !$0.element.canonicalText.contains("words") && !$0.element.canonicalText.contains("answer")
            }
        )
        for device in [ada, bob] {
            let opened = await [device.opened(stored[0]), device.opened(stored[1])]
            #expect(opened.map(\.data.payload) == [.text("secret words"), .text("and an answer")])
            #expect(opened.allSatisfy { $0.isSealed && $0.trouble == nil })
        }
        let standing = await ada.sealing.standing(of: scene.conversation)
        #expect(standing.isSealed && standing.trouble == nil && standing.number.count == 12)
        #expect(await bob.sealing.standing(of: scene.conversation).number == standing.number)
    }

    @Test("without keys of the other person messages are clear, until they have some")
    func clearBefore() async throws {
        let ada = try await scene.ready(scene.ada, "phone")
        #expect(try await !ada.say("hello"))
        #expect(await !ada.sealing.standing(of: scene.conversation).isSealed)
        let bob = try await scene.ready(scene.bob, "phone")
        await ada.sealing.note(.events([ChatEvent(nil, .keysChanged(scene.bob))]))
        #expect(try await ada.say("sealed"))
        let stored = try await scene.stored()
        #expect(await bob.opened(stored[0]).isSealed == false)
        #expect(await bob.opened(stored[1]).data.payload == .text("sealed"))
        // What was clear before the first sealed one is nothing to warn of.
        #expect(await !bob.opened(stored[0]).isUnexpectedlyClear)
    }

    @Test("a hub that is not reached makes no message clear")
    func away() async throws {
        let ada = try await scene.ready(scene.ada, "phone")
        ada.server.setAway(true)
        await #expect(throws: ChatError.unreachable) { try await ada.say("hello") }
    }

    @Test("a message is sealed once: every attempt has the same bytes, after a restart too")
    func sameBytes() async throws {
        let (ada, _) = (try await scene.ready(scene.ada, "phone"), try await scene.ready(scene.bob, "phone"))
        let request = SendMessage(to: .person(scene.bob), .text("hello"), clientMessageID: "one")
        let first = try await ada.sealing.outgoing(request)
        #expect(try await ada.sealing.outgoing(request) == first)
        #expect(try await ada.say("hello", id: "one"))
        #expect(try await ada.say("hello", id: "one"))
        #expect(try await scene.stored().count == 1)
    }

    @Test("I2: a message that the hub refuses for an old list is sealed anew under the same id, for the new device too")
    func outdated() async throws {
        let (ada, bob) = (try await scene.ready(scene.ada, "phone"), try await scene.ready(scene.bob, "phone"))
        #expect(try await ada.say("before", id: "one"))
        let laptop = try await scene.device(scene.bob, "laptop")

        let chain = try #require(try await bob.sealing.contact(scene.bob).chain)
        let added = try chain.adding(
            ListedDevice(laptop.identity.did, name: "laptop", since: 1),
            by: bob.identity
        )
        try await scene.service.appendToChain(added.newest.json, by: ChatAsker(scene.bob, device: "phone"))
        await laptop.sealing.align()
        // Ada was told of nothing.
        #expect(try await ada.say("after", id: "two"))
        #expect(ada.server.count(of: ChatEndpoints.send.path) == 3)
        let stored = try await scene.stored()
        #expect(await laptop.opened(stored[1]).data.payload == .text("after"))
        #expect(await laptop.opened(stored[0]).trouble == .otherDevice)
        #expect(await bob.opened(stored[1]).data.payload == .text("after"))
    }

    @Test("a new device waits until one of the list adds it by the words of its key, and reads what comes then")
    func adding() async throws {
        let bob = try await scene.ready(scene.bob, "phone")
        let laptop = try await scene.device(scene.ada, "laptop")
        let ada = try await scene.ready(scene.ada, "phone", others: [laptop])
        await laptop.sealing.align()
        #expect(try await ada.say("before", id: "one"))
        await #expect(throws: ChatError.deviceNotAdded) {
            try await laptop.sealing.addDevice(laptop.identity.did.text, words: laptop.identity.did.fingerprint)
        }
        // Nothing goes in the clear from a device that cannot seal, where both people can.
        await #expect(throws: ChatError.deviceNotAdded) { try await laptop.say("in the clear?") }
        let listed = try await ada.sealing.devices()
        #expect(listed.isListed && listed.devices.map(\.state) == [.this, .waiting])
        let waiting = try #require(listed.devices.last)
        await #expect(throws: ChatError.notThatDevice) {
            try await ada.sealing.addDevice(waiting.did, words: ada.identity.did.fingerprint)
        }
        try await ada.sealing.addDevice(waiting.did, words: waiting.words)
        #expect(try await ada.sealing.devices().devices.map(\.state) == [.this, .listed])
        await laptop.sealing.align()
        #expect(try await bob.say("welcome", id: "two"))
        let stored = try await scene.stored()
        #expect(await laptop.opened(stored[1]).data.payload == .text("welcome"))
        #expect(await laptop.opened(stored[0]).trouble == .otherDevice)
        #expect(try await laptop.say("from the laptop", id: "three"))
        #expect(await ada.opened(try await scene.stored()[2]).data.payload == .text("from the laptop"))
    }

    @Test("how another person's lists went on is told entry by entry, and a list that began anew as such")
    func deviceChanges() async throws {
        let laptop = try await scene.device(scene.ada, "laptop")
        let ada = try await scene.ready(scene.ada, "phone", others: [laptop])
        let bob = try await scene.ready(scene.bob, "phone")
        #expect(await bob.sealing.deviceChanges(of: scene.conversation, since: nil) == nil)
        try await bob.sealing.refreshed(scene.ada)
        let first = try #require(await bob.sealing.deviceChanges(of: scene.conversation, since: nil))
        #expect(first.changes == [])
        try await ada.sealing.addDevice(laptop.identity.did.text, words: laptop.identity.did.fingerprint)
        try await ada.sealing.removeDevice(laptop.identity.did.text)
        try await bob.sealing.refreshed(scene.ada)
        let later = try #require(await bob.sealing.deviceChanges(of: scene.conversation, since: first.upTo))
        #expect(
            later.changes == [
                DeviceChange(added: ["laptop"], removed: []), DeviceChange(added: [], removed: ["laptop"]),
            ]
        )
        #expect(await bob.sealing.deviceChanges(of: scene.conversation, since: later.upTo)?.changes == [])
        let anew = try await scene.device(scene.ada, "new phone")
        try await anew.sealing.renewList(adopting: false)
        try await bob.sealing.refreshed(scene.ada)
        // Nothing of it is believed before the person agrees.
        #expect(await bob.sealing.deviceChanges(of: scene.conversation, since: later.upTo)?.changes == [])
        _ = try await bob.sealing.agree(scene.conversation, to: .newKeys)
        #expect(
            await bob.sealing.deviceChanges(of: scene.conversation, since: later.upTo)?.changes
                == [DeviceChange(added: ["new phone"], removed: [], isAnew: true)]
        )
    }

    @Test("a device that is taken out reads nothing more, and the others make new keys")
    func removing() async throws {
        let bob = try await scene.ready(scene.bob, "phone")
        let laptop = try await scene.device(scene.ada, "laptop")
        let ada = try await scene.ready(scene.ada, "phone", others: [laptop])
        try await ada.sealing.addDevice(laptop.identity.did.text, words: laptop.identity.did.fingerprint)
        await laptop.sealing.align()
        let key = try await ada.sealing.ownKeys().first?.pair.id
        scene.clock.advance(by: .seconds(1))
        try await ada.sealing.removeDevice(laptop.identity.did.text)
        #expect(try await ada.sealing.ownKeys().first?.pair.id != key)
        #expect(try await bob.say("for the phone alone", id: "one"))
        let stored = try await scene.stored()
        #expect(await laptop.opened(stored[0]).trouble == .otherDevice)
        #expect(await ada.opened(stored[0]).data.payload == .text("for the phone alone"))
    }
}
