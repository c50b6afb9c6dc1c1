import Accounts
import Chat
import ChatSealing
import Foundation
import HomeTesting
import Kernel
import KernelTesting
import Sealing
import Testing

@testable import ChatHub

@Suite("Lists of devices and chat keys at the hub", .timeLimit(.minutes(4)))
struct ChatKeysTests {
    private let rig: ChatRig
    private let ada = Identity()
    private let laptop = Identity()

    init() throws { rig = try ChatRig() }

    private func first(_ number: Int64, by identity: Identity) throws -> AccountChain {
        try AccountChain.first(of: person(number), by: identity, named: "phone", at: rig.service.now)
    }

    private func device(_ identity: Identity) throws -> ListedDevice {
        try ListedDevice(identity.did, name: "laptop", since: rig.service.now)
    }

    private func append(_ entry: ChainEntry, by number: Int64 = 7) async throws {
        try await rig.service.appendToChain(entry.json, by: asker(number))
    }

    private func chain(of number: Int64, after: Int64 = -1) async throws -> KeptChain? {
        try await rig.service.chains(of: [(person(number), after)]).first
    }

    @Test("a chain grows by entries that follow, is served whole and from a number on, and a repeat changes nothing")
    func grows() async throws {
        let start = try first(7, by: ada)
        try await append(start.start)
        let grown = try start.adding(device(laptop), by: ada)
        try await append(grown.newest)
        try await append(grown.newest)
        let kept = try #require(try await chain(of: 7))
        #expect(kept.newest == 1 && kept.start == start.start.hash)
        #expect(kept.entries == grown.entries.map(\.json))
        #expect(try await chain(of: 7, after: 0)?.entries == [grown.newest.json])
        #expect(try await chain(of: 7, after: 1)?.entries == [])
        #expect(try await chain(of: 9) == nil)
    }

    @Test("nobody appends what no listed device signed, to another's chain, or beside the newest entry")
    func refused() async throws {
        let start = try first(7, by: ada)
        await #expect(throws: ChatHubError.notContinuation) {
            try await append(
                AccountChain.restarted(
                    of: person(7),
                    after: [UInt8](repeating: 1, count: 32),
                    by: ada,
                    named: "x",
                    at: 1
                ).start
            )
        }
        try await append(start.start)
        let (one, other) = (try start.adding(device(laptop), by: ada), try start.adding(device(Identity()), by: ada))
        try await append(one.newest)
        await #expect(throws: ChatHubError.notContinuation) { try await append(other.newest) }
        await #expect(throws: ChatHubError.notContinuation) { try await append(first(7, by: laptop).start) }
        await #expect(throws: ChatHubError.notYours) { try await append(one.newest, by: 9) }
        let changed = try one.adding(device(Identity()), by: laptop).newest.json.adding("n", 3)
        await #expect(throws: ChatHubError.notSigned) {
            try await rig.service.appendToChain(changed, by: asker(7))
        }
        #expect(try await chain(of: 7)?.newest == 1)
    }

    @Test("a chain that begins anew names what it replaces, and takes its keys away")
    func restarted() async throws {
        let start = try first(7, by: ada)
        try await append(start.start)
        try await publish(ada)
        let anew = try AccountChain.restarted(of: person(7), after: start.newest.hash, by: laptop, named: "x", at: 5)
        try await append(anew.start)
        let kept = try #require(try await chain(of: 7))
        #expect(kept.start == anew.start.hash && kept.newest == 0)
        #expect(try await keys(of: 7).isEmpty)
    }

    private func publish(_ identity: Identity, made: Int64? = nil, by number: Int64 = 7) async throws {
        let pair = try ChatKeyPair(madeAt: made ?? rig.service.now)
        try await rig.service.publishChatKey(pair.bundle(signedBy: identity).json, by: asker(number))
    }

    /// As somebody else sees them.
    private func keys(of number: Int64, asked: Int64 = 8) async throws -> [KeyBundle] {
        try await rig.service.chatKeys(of: [person(number)], for: asker(asked))[person(number), default: []].map {
            try KeyBundle($0)
        }
    }

    @Test("of each listed device the two newest keys are kept, and none of a device that was removed")
    func keysOfDevices() async throws {
        let chain = try first(7, by: ada).adding(device(laptop), by: ada)
        for entry in chain.entries { try await append(entry) }
        let now = rig.service.now
        for made in [now - 3000, now - 1000, now - 2000] { try await publish(ada, made: made) }
        try await publish(laptop)
        #expect(try await keys(of: 7).map(\.made).sorted() == [now - 2000, now - 1000, now])
        await #expect(throws: ChatHubError.unlistedDevice) { try await publish(ada, by: 9) }
        await #expect(throws: ChatHubError.malformed("made")) { try await publish(ada, made: now - 11 * 86_400_000) }
        try await append(chain.removing(laptop.did, by: ada).newest)
        #expect(try await keys(of: 7).map(\.did) == [ada.did, ada.did])
    }

    @Test("a device that waits to be added is shown to the account's own devices alone, and others do not push it out")
    func waiting() async throws {
        let chain = try first(7, by: ada)
        try await append(chain.start)
        try await publish(laptop)
        #expect(try await keys(of: 7).isEmpty)
        #expect(try await keys(of: 7, asked: 7).map(\.did) == [laptop.did])
        for index in 1...9 {
            rig.clock.advance(by: .seconds(600))
            try await publish(Identity(), made: rig.service.now + Int64(index))
        }
        #expect(try await keys(of: 7, asked: 7).count == 8)
        try await publish(laptop)
        try await append(chain.adding(device(laptop), by: ada).newest)
        #expect(try await keys(of: 7).map(\.did) == [laptop.did])
    }

    private func seal(_ sender: Int64, _ receiver: Int64, id: String = "sealed") async throws -> MessageAck {
        let payload = MessagePayload.sealed(["type": "sealed", "v": 1, "list": [.integer(sender), .integer(receiver)]])
        return try await rig.service.send(
            MessageFacts(payload, isSilent: false),
            contentType: 110,
            content: payload.element.canonicalBytes,
            clientMessageID: id,
            to: chat(7, 9),
            by: asker(7)
        )
    }

    @Test("a message for other lists than the newest is refused with their numbers, and nothing is stored")
    func outdated() async throws {
        try await append(first(7, by: ada).start)
        // Where one of the two has no list the hub looks at nothing.
        #expect(try await seal(5, 5, id: "early").seq == 1)
        let bobs = try first(9, by: laptop)
        try await append(bobs.start, by: 9)
        #expect(try await seal(0, 0, id: "first").seq == 2)
        try await append(bobs.adding(device(Identity()), by: laptop).newest, by: 9)
        for (sender, receiver) in [(0, 0), (0, 2), (1, 1)] as [(Int64, Int64)] {
            await #expect(throws: ChatHubError.outdatedLists(ListNumbers(sender: 0, receiver: 1))) {
                try await seal(sender, receiver)
            }
        }
        #expect(try await seal(0, 1).seq == 3)
        // What is stored already is acknowledged, whatever has changed since.
        #expect(try await seal(0, 0, id: "first").isRepeat)
    }

    @Test("a change is told to the own other devices and to those who write with the person, live only")
    func told() async throws {
        try await rig.say("hello", from: 7, to: 9)
        try await rig.say("hello", from: 9, to: 7)
        let (_, bob) = try rig.connect(9)
        let (_, tablet) = try rig.connect(7, "tablet")
        let (_, phone) = try rig.connect(7, "phone")
        let (_, stranger) = try rig.connect(8)
        try await append(first(7, by: ada).start)
        try await publish(ada)
        #expect(try await bob.wait(for: 2).map(\.change) == [.keysChanged(person(7)), .keysChanged(person(7))])
        #expect(await tablet.wait(for: 2).count == 2)
        #expect(phone.all.isEmpty && stranger.all.isEmpty)
        #expect(try await rig.service.events(after: 0, for: asker(9)).entries.allSatisfy { $0.number > 0 })
    }

    @Test("lists and keys go with the account, and nobody appends for a deleted one")
    func deleted() async throws {
        try await append(first(7, by: ada).start)
        try await publish(ada)
        try await rig.service.log.beginDeletion(of: person(7), at: rig.service.now)
        #expect(try await chain(of: 7) == nil)
        #expect(try await keys(of: 7).isEmpty)
        await #expect(throws: ChatHubError.personUnknown) { try await append(first(7, by: ada).start) }
    }

    @Test("more entries than anybody needs are refused for a while")
    func limits() async throws {
        let entry = try first(7, by: ada).start
        for _ in 0..<10 { try await append(entry) }
        await #expect { try await append(entry) } throws: { error in
            if case .tooFast = error as? ChatHubError { true } else { false }
        }
    }

    @Test("over the wire: a chain, a key, a sealed message, and 409 with the numbers for one with an old list")
    func wire() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            let now = Int64(Date().timeIntervalSince1970 * 1000)
            var bindings: [ChainEntry] = []
            var bundles: [KeyBundle] = []
            for person in [ada, bob] {
                let chain = try AccountChain.first(of: person.id, by: person.identity, named: "phone", at: now)
                _ = try await person.ask(ChatEndpoints.appendToChain, AppendToChain(of: person.id, chain.start.json))
                let bundle = try ChatKeyPair(madeAt: now).bundle(signedBy: person.identity)
                _ = try await person.ask(ChatEndpoints.publishChatKey, PublishChatKey(of: person.id, bundle.json))
                bindings.append(chain.start)
                bundles.append(bundle)
            }
            let chains = try await ada.ask(ChatEndpoints.chains, ChainsRequest([.init(bob.id), .init(ada.id)])).parts
            #expect(
                try chains.map { try AccountChain($0.entries.map { try ChainEntry($0) }).newest } == bindings.reversed()
            )
            let keys = try await ada.ask(ChatEndpoints.chatKeys, ChatKeysRequest([bob.id])).bundles
            #expect(keys == [bob.id: [bundles[1].json]])
            let binding = try MessageBinding(
                ada.with(bob),
                clientMessageID: "m-1",
                senders: bindings[0],
                receivers: bindings[1]
            )
            let content = SealedContent(.text("hello"), count: 1)
            let sealed = try SealedMessage.seal(content, bound: binding, for: [bundles[1]], from: ada.identity)
            #expect(try await ada.send(.sealed(sealed.json), to: bob, id: "m-1").sequence == 1)
            let wrong = SendMessage(
                to: .person(bob.id),
                .sealed(sealed.json.adding("list", [1, 0])),
                clientMessageID: "m-2"
            )
            let reply = try await ada.post(ChatEndpoints.send.path, wrong.wire)
            #expect(reply.status == 409 && reply.code == .outdatedList)
            #expect(reply.data == ["list": [0, 0]])
            guard case .sealed(let came)? = try await bob.history(with: ada).first?.payload else {
                Issue.record("no sealed message came")
                return
            }
            #expect(came == sealed.json)
        }
    }
}
