import Accounts
import Chat
import Kernel
import Sealing
import Testing

@testable import ChatSealing

@Suite("Sealed messages", .timeLimit(.minutes(4)))
struct SealedMessageTests {
    private let people: SealedPeople

    init() throws { people = try SealedPeople() }

    @Test("each device of both people opens a message, but for the sending one and strangers")
    func opened() throws {
        let message = try SealedMessage(people.sealed("hello").json)
        for device in [people.ada[1], people.bob[0], people.bob[1]] {
            #expect(try message.open(with: [device.key], bound: people.binding()).payload == .text("hello"))
        }
        for device in [people.ada[0], people.mallory] {
            #expect(throws: ChatSealingError.otherDevice) {
                try message.open(with: [device.key], bound: people.binding())
            }
        }
    }

    @Test("the largest message, every payload and every kind of text come out as they went in")
    func contents() throws {
        let quote = SignalQuotePayload(signalID: "3", reply: "\u{1F600}\"\\\n", signalContent: "")
        for payload: MessagePayload in [
            .text(""), .text(String(repeating: "ä", count: 16 << 10)), .text("{\"content\":1}"), .signalQuote(quote),
            .flashViewed(FlashViewedPayload(messageID: "x")),
        ] {
            let message = try SealedMessage.seal(
                SealedContent(payload, count: 3),
                bound: people.binding(),
                for: people.bundles,
                from: people.ada[0].identity
            )
            let content = try SealedMessage(message.json).open(with: [people.bob[0].key], bound: people.binding())
            #expect(content.payload == payload)
            #expect(content.count == 3)
        }
        #expect(throws: ChatSealingError.tooLarge("the message", limit: 65_532)) {
            try people.sealed(String(repeating: "a", count: 64 << 10))
        }
    }

    @Test(
        "a message has one of few sizes",
        arguments: [(0, 256), (200, 256), (300, 1024), (1100, 4096), (4000, 4096), (4096, 8192), (60_000, 61_440)]
    )
    func sizes(characters: Int, bytes: Int) throws {
        let padded = try SealedPadding.pad([UInt8](repeating: 1, count: characters))
        #expect(padded.count == bytes)
        #expect(try SealedPadding.content(of: padded) == [UInt8](repeating: 1, count: characters))
        #expect(throws: ChatSealingError.damaged) { try SealedPadding.content(of: padded + [0]) }
        if bytes > characters + 4 {
            #expect(throws: ChatSealingError.damaged) { try SealedPadding.content(of: padded.dropLast() + [1]) }
        }
    }

    @Test("a message opens at its own place alone: conversation, id and lists")
    func places() throws {
        let message = try people.sealed("hello")
        let key = people.bob[0].key
        #expect(throws: ChatSealingError.badSignature) { try message.open(with: [key], bound: people.binding("two")) }
        #expect(throws: ChatSealingError.unknownList) {
            try message.open(with: [key], bound: people.binding(senders: people.adas.start))
        }
        // Another list under the same number.
        let other = try people.adas.start.devices + [ListedDevice(people.mallory.identity.did, name: "x", since: 1)]
        let forged = try ChainEntry.signed(
            people.adas.user,
            number: 1,
            previous: people.adas.start.hash,
            devices: other,
            reason: .added,
            by: people.ada[0].identity
        )
        #expect(throws: ChatSealingError.badSignature) {
            try message.open(with: [key], bound: people.binding(senders: forged))
        }
        let third = try #require(UserID(8))
        let conversation = try #require(ConversationID(people.adas.user, third))
        #expect(throws: ChatSealingError.malformed("list")) {
            try MessageBinding(
                conversation,
                clientMessageID: "one",
                senders: people.adas.newest,
                receivers: people.bobs.newest
            )
        }
    }

    @Test("a device that is not in the sender's list seals nothing, and what it signs is not believed")
    func strangers() throws {
        #expect(throws: ChatSealingError.notListed) {
            try SealedMessage.seal(
                SealedContent(.text("x"), count: nil),
                bound: people.binding(),
                for: people.bundles,
                from: people.mallory.identity
            )
        }
        #expect(throws: ChatSealingError.notListed) {
            try SealedMessage.seal(
                SealedContent(.text("x"), count: nil),
                bound: people.binding(),
                for: people.bundles + [people.mallory.bundle],
                from: people.ada[0].identity
            )
        }
        let claimed = try people.sealed("x").json.adding("from", .string(people.mallory.identity.did.text))
        #expect(throws: ChatSealingError.notListed) {
            try SealedMessage(claimed).open(with: [people.bob[0].key], bound: people.binding())
        }
    }

    @Test("nothing is sealed where the other person has no key in use")
    func nobody() throws {
        let (now, day) = (SealedPeople.now, Int64(86_400_000))
        let all = people.bundles + [people.ada[0].bundle, people.mallory.bundle]
        let sender = people.ada[0].identity
        let chosen = SealedMessage.bundles(among: all, bound: try people.binding(), from: sender.did, at: now)
        #expect(chosen == people.bundles)
        let late = SealedMessage.bundles(among: all, bound: try people.binding(), from: sender.did, at: now + 11 * day)
        #expect(late.isEmpty)
        #expect(throws: ChatSealingError.nobodyToSealFor) {
            try SealedMessage.seal(
                SealedContent(.text("x"), count: nil),
                bound: people.binding(),
                for: [people.ada[1].bundle],
                from: sender
            )
        }
    }

    @Test("of a device's two keys the newer one is sealed for")
    func newest() throws {
        let newer = try ChatKeyPair(madeAt: SealedPeople.now + 1000)
        let bundle = try newer.bundle(signedBy: people.bob[0].identity)
        let chosen = SealedMessage.bundles(
            among: people.bundles + [bundle],
            bound: try people.binding(),
            from: people.ada[0].identity.did,
            at: SealedPeople.now + 2000
        )
        #expect(chosen.map(\.id) == [people.ada[1].bundle.id, newer.id, people.bob[1].bundle.id])
    }

    @Test("an envelope out of its form or bounds is not read")
    func malformed() throws {
        let json = try people.sealed("hello").json
        let to = try #require(json["to"]?.arrayValue)
        for changed in [
            json.adding("v", 2), json.adding("type", "text"), json.adding("list", [1]), json.adding("list", [1, 1000]),
            json.adding("to", []), json.adding("to", .array(to + to)), json.adding("body", "AA"),
            json.adding("sig", "AA"),
            json.adding("extra", 1), json.adding("body", .string((json["body"]?.stringValue ?? "") + "=")),
            json.adding("to", [to[0].adding("enc", .bytes([UInt8](repeating: 0, count: 32)))]),
        ] {
            #expect { try SealedMessage(changed) } throws: { error in
                if case .malformed = error as? ChatSealingError { true } else { false }
            }
        }
        #expect(throws: ChatSealingError.tooLarge("to", limit: 63)) {
            try SealedMessage(json.adding("to", .array(.init(repeating: to[0], count: 64))))
        }
    }

    @Test("the hub's own members may change without a change of what was signed")
    func objects() throws {
        var message = try people.sealed("hello")
        message.objects = ["chat/sealed/a"]
        message.flash = "chat/flash/b"
        let read = try SealedMessage(message.json)
        #expect(read == message)
        #expect(try read.open(with: [people.bob[0].key], bound: people.binding()).payload == .text("hello"))
    }

    @Test("counts tell what is missing, what comes late and what comes twice")
    func counts() {
        var count = MessageCount()
        #expect(count.note(5) == .next)
        #expect(count.note(6) == .next)
        #expect(count.note(9) == .missing(2))
        #expect(count.note(8) == .late)
        #expect(count.note(8) == .repeated)
        #expect(count.note(6) == .repeated)
        #expect(count.missing == [7])
        #expect(count.note(1_000_000) == .missing(999_990))
        #expect(count.missing.count == 256)
        #expect(MessageCount(newest: count.newest, missing: count.missing) == count)
    }

    @Test("the longest sealed message of 64 devices passes the limits of the wire")
    func longest() throws {
        let text = String(repeating: "a", count: ChatLimits.sealedContent)
        let json = try people.sealed("x").json.adding("body", .string(String(text.prefix(87_403))))
        let to = try #require(json["to"]?.arrayValue)
        let full = json.adding("to", .array((0..<63).map { to[$0 % 3] }))
        #expect(MessagePayload.sealed(full).element.canonicalBytes.count <= ChatLimits.sealedContent)
    }
}
