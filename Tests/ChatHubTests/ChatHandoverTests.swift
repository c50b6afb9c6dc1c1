import Accounts
import Chat
import ChatSealing
import Foundation
import GRDB
import HomeTesting
import Kernel
import KernelTesting
import Sealing
import Testing

@testable import ChatHub

@Suite("History that devices hand over at the hub", .timeLimit(.minutes(4)))
struct ChatHandoverTests {
    private let rig: ChatRig
    private let phone = Identity()
    private let laptop = Identity()

    init() throws { rig = try ChatRig() }

    /// A chain of these devices, at the hub.
    private func begin(_ devices: [Identity]) async throws -> AccountChain {
        var chain = try AccountChain.first(of: person(7), by: devices[0], named: "phone", at: rig.service.now)
        try await rig.service.appendToChain(chain.start.json, by: asker(7))
        for device in devices.dropFirst() {
            chain = try chain.adding(
                ListedDevice(device.did, name: "laptop", since: rig.service.now),
                by: devices[0]
            )
            try await rig.service.appendToChain(chain.newest.json, by: asker(7))
        }
        return chain
    }

    private func upload(_ keys: String..., owner: Int64 = 7) async throws {
        try await rig.database.write { database in
            for key in keys {
                try database.execute(sql: "INSERT INTO test_object VALUES (?, ?, 0, 0)", arguments: [key, owner])
            }
        }
    }

    private func references(_ key: String) async throws -> Int? {
        try await rig.database.read {
            try Int.fetchOne($0, sql: "SELECT refs FROM test_object WHERE key = ?", arguments: [key])
        }
    }

    private func offer(
        _ number: UInt8,
        in chain: AccountChain,
        from sender: Identity? = nil,
        to receiver: Identity? = nil,
        index: String = "i"
    ) throws -> HandoverOffer {
        let now = rig.service.now
        return try HandoverOffer.make(
            [UInt8](repeating: number, count: 16),
            list: chain.newest,
            for: ChatKeyPair(madeAt: now).bundle(signedBy: receiver ?? laptop),
            index: SealedPart(object: index, hash: [UInt8](repeating: 1, count: 32), size: 10),
            key: [UInt8](repeating: 2, count: 32),
            from: sender ?? phone,
            at: now
        )
    }

    private func keep(_ offer: HandoverOffer, _ objects: [String] = ["i"], by number: Int64 = 7) async throws {
        try await rig.service.offerHandover(offer.json, objects: objects, by: asker(number))
    }

    private func kept(of number: Int64 = 7) async throws -> [HandoverOffer] {
        try await rig.service.handovers(of: asker(number)).map { try HandoverOffer($0) }
    }

    @Test("an offer and its objects are kept until it is taken, and told to the account's other devices alone")
    func taken() async throws {
        let chain = try await begin([phone, laptop])
        try await upload("i", "a", "b")
        try await rig.say("hello", from: 7, to: 9)
        try await rig.say("hello", from: 9, to: 7)
        let (_, tablet) = try rig.connect(7, "tablet")
        let (_, bob) = try rig.connect(9)
        let made = try offer(1, in: chain)
        for _ in 0..<2 { try await keep(made, ["i", "a", "b"]) }
        #expect(try await kept() == [made])
        #expect(try await kept(of: 9).isEmpty)
        #expect(try await references("a") == 1)
        #expect(try await tablet.wait(for: 1).map(\.change) == [.keysChanged(person(7))])
        // Another person's word ends nothing.
        try await rig.service.endHandover(made.id, by: asker(9))
        #expect(try await references("i") == 1)
        for _ in 0..<2 { try await rig.service.endHandover(made.id, by: asker(7)) }
        #expect(try await kept().isEmpty)
        for key in ["i", "a", "b"] { #expect(try await references(key) == 0) }
        #expect(await tablet.wait(for: 2).count == 2)
        #expect(bob.all.isEmpty)
    }

    @Test("an offer ends after seven days, with its objects")
    func ages() async throws {
        let chain = try await begin([phone, laptop])
        try await upload("i")
        try await keep(offer(1, in: chain))
        rig.clock.advance(by: .seconds(7 * 86_400 - 1))
        try await rig.service.sweep()
        #expect(try await kept().count == 1)
        rig.clock.advance(by: .seconds(1))
        #expect(try await kept().isEmpty)
        try await rig.service.sweep()
        #expect(try await references("i") == 0)
    }

    @Test("another offer to a device takes the place of the one before")
    func replaced() async throws {
        let chain = try await begin([phone, laptop])
        try await upload("i", "j")
        try await keep(offer(1, in: chain))
        let second = try offer(2, in: chain, index: "j")
        try await keep(second, ["j"])
        #expect(try await kept() == [second])
        #expect(try await references("i") == 0)
        #expect(try await references("j") == 1)
    }

    @Test("an offer goes with either of its devices, with a chain that begins anew, and with the account")
    func ends() async throws {
        for (index, way) in ["sender", "receiver", "anew", "account"].enumerated() {
            let rig = try ChatHandoverTests()
            let third = Identity()
            let chain = try await rig.begin([third, rig.phone, rig.laptop])
            try await rig.upload("i")
            try await rig.keep(rig.offer(UInt8(index), in: chain))
            switch way {
            case "sender", "receiver":
                let gone = way == "sender" ? rig.phone : rig.laptop
                let next = try chain.removing(gone.did, by: third)
                try await rig.rig.service.appendToChain(next.newest.json, by: asker(7))
            case "anew":
                let next = try AccountChain.restarted(
                    of: person(7),
                    after: chain.newest.hash,
                    by: rig.phone,
                    named: "phone",
                    at: rig.rig.service.now
                )
                try await rig.rig.service.appendToChain(next.start.json, by: asker(7))
            default: try await rig.rig.service.log.beginDeletion(of: person(7), at: rig.rig.service.now)
            }
            #expect(try await rig.kept().isEmpty, "\(way)")
            #expect(try await rig.references("i") == 0, "\(way)")
        }
    }

    @Test(
        "offers of devices that are not listed, of other people, times and objects are refused, and nothing of them is kept"
    )
    func refused() async throws {
        let chain = try await begin([phone, laptop])
        try await upload("i")
        try await upload("bobs", owner: 9)
        let made = try offer(1, in: chain)
        await #expect(throws: ChatHubError.notYours) { try await keep(made, by: 9) }
        await #expect(throws: ChatHubError.malformed("objects")) { try await keep(made, ["a"]) }
        for key in ["bobs", "nothing"] {
            await #expect(throws: ChatHubError.unknownObject) { try await keep(made, ["i", key]) }
        }
        var members = try #require(made.json.objectValue)
        members["sig"] = .string(Base64URL.encode([UInt8](repeating: 0, count: 64)))
        await #expect(throws: ChatHubError.notSigned) {
            try await rig.service.offerHandover(.object(members), objects: ["i"], by: asker(7))
        }
        let stranger = Identity()
        let device = try ListedDevice(stranger.did, name: "x", since: rig.service.now)
        // A list that the hub has not seen.
        let other = try chain.adding(device, by: phone)
        await #expect(throws: ChatHubError.unlistedDevice) { try await keep(offer(2, in: other, to: stranger)) }
        let early = made
        rig.clock.advance(by: .seconds(2 * 86_400))
        await #expect(throws: ChatHubError.malformed("at")) { try await keep(early) }
        #expect(try await kept().isEmpty)
        #expect(try await references("i") == 0)
    }

    @Test(
        "over the wire: an offer of bytes that were uploaded is handed to the person's other device, which fetches them"
    )
    func wire() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let ada = try await HubPerson.make("ada", at: hub)
            let tablet = try await ada.another()
            let bob = try await HubPerson.make("bob", at: hub)
            let now = Int64(Date().timeIntervalSince1970 * 1000)
            let first = try AccountChain.first(of: ada.id, by: ada.identity, named: "phone", at: now)
            let chain = try first.adding(
                ListedDevice(tablet.identity.did, name: "tablet", since: now),
                by: ada.identity
            )
            for entry in chain.entries {
                _ = try await ada.ask(ChatEndpoints.appendToChain, AppendToChain(of: ada.id, entry.json))
            }
            let bytes = [UInt8](repeating: 9, count: 5000)
            let key = try #require(try await ada.upload(bytes, as: .sealed).data["objectKey"]?.stringValue)
            let offer = try HandoverOffer.make(
                [UInt8](repeating: 1, count: 16),
                list: chain.newest,
                for: ChatKeyPair(madeAt: now).bundle(signedBy: tablet.identity),
                index: SealedPart(object: key, hash: [UInt8](repeating: 1, count: 32), size: 10),
                key: [UInt8](repeating: 2, count: 32),
                from: ada.identity,
                at: now
            )
            _ = try await ada.ask(ChatEndpoints.offerHandover, OfferHandover(of: ada.id, offer.json, objects: [key]))
            #expect(try await tablet.ask(ChatEndpoints.handovers, HandoversRequest(of: ada.id)).offers == [offer.json])
            let url = try await tablet.ask(ChatEndpoints.sign, SignURLs([key])).urls[key]
            #expect(url != nil)
            #expect(try await bob.ask(ChatEndpoints.sign, SignURLs([key])).urls[key] == nil)
            await expectRefusal(.noPermission) {
                _ = try await bob.ask(ChatEndpoints.handovers, HandoversRequest(of: ada.id))
            }
            _ = try await tablet.ask(ChatEndpoints.endHandover, EndHandover(of: ada.id, offer.id))
            #expect(try await ada.ask(ChatEndpoints.handovers, HandoversRequest(of: ada.id)).offers.isEmpty)
            #expect(try await ada.ask(ChatEndpoints.sign, SignURLs([key])).urls[key] == nil)
        }
    }
}
