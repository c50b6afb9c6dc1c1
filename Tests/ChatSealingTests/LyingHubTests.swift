import Accounts
import Chat
import Kernel
import KernelTesting
import Sealing
import Testing

@testable import ChatSealing

/// What a hub can do to two people who seal: nothing is read by another, nothing false is shown as the sender's, and each thing is said.
@Suite("A lying hub", .timeLimit(.minutes(4)))
struct LyingHubTests {
    @Test("in 10,000 runs nothing is read by another, nothing false is shown, and each lie is said")
    func runs() throws {
        var counts: [Lie: Int] = [:]
        for seed in 0..<40 {
            let scene = try Scene(seed: UInt64(seed))
            for run in 0..<250 {
                var random = SeededGenerator(seed: UInt64(seed * 250 + run))
                let lie = Lie.allCases[(seed * 250 + run) % Lie.allCases.count]
                let isSaid = try scene.plays(lie, &random)
                #expect(isSaid, "\(lie) of seed \(seed), run \(run) was not said")
                counts[lie, default: 0] += 1
            }
        }
        #expect(counts.values.reduce(0, +) == 10_000)
        #expect(counts.count == Lie.allCases.count)
    }

    @Test("an honest hub is not suspected")
    func honest() throws {
        let scene = try Scene(seed: 1)
        var reader = Reader(scene)
        for item in scene.sent { #expect(reader.receive(item).isEmpty) }
        #expect(reader.shown == scene.sent.map(\.text))
    }
}

private enum Lie: CaseIterable {
    case withheld, replayed, renamed, reordered, otherKey, strangersKey, othersBundle, addedDevice, forgedEntry,
        restarted,
        forked, rolledBack, oldList, mixedKeys, cutKeys, flippedBit, strangersMessage, turnedRound
}

/// A message as the hub hands it over.
private struct Item {
    var id: String
    var text: String
    var envelope: JSONValue
}

private struct Scene {
    let people: SealedPeople
    /// From Ada's first device to Bob, under the newest lists.
    let sent: [Item]
    /// One that was sealed before Bob's second device was there.
    let early: Item

    init(seed: UInt64) throws {
        let people = try SealedPeople()
        self.people = people
        sent = try (0..<8).map { index in
            let text = "message \(seed) \(index)"
            let envelope = try people.sealed(text, id: "id-\(index)", count: Int64(index + 2)).json
            return Item(id: "id-\(index)", text: text, envelope: envelope)
        }
        let binding = try people.binding("early", receivers: people.bobs.start)
        let message = try SealedMessage.seal(
            SealedContent(.text("early"), count: 1),
            bound: binding,
            for: [people.ada[1].bundle, people.bob[0].bundle],
            from: people.ada[0].identity
        )
        early = Item(id: "early", text: "early", envelope: message.json)
    }

    /// - Returns: Whether it was said. What is read by the wrong one, or shown although nobody wrote it, is an issue of the test.
    func plays(_ lie: Lie, _ random: inout SeededGenerator) throws -> Bool {
        for item in sent {
            let message = try SealedMessage(item.envelope)
            let opened = try? message.open(with: [people.mallory.key], bound: people.binding(item.id))
            #expect(opened == nil, "the hub read a message")
        }
        switch lie {
        case .otherKey, .strangersKey, .othersBundle: return try keys(lie, &random)
        case .addedDevice, .forgedEntry, .restarted, .forked, .rolledBack: return try lists(lie, &random)
        default: return try messages(lie, &random)
        }
    }

    private func keys(_ lie: Lie, _ random: inout SeededGenerator) throws -> Bool {
        let target = Int.random(in: 0..<3, using: &random)
        var bundles = people.bundles
        let (json, mallory) = (bundles[target].json, people.mallory.bundle)
        switch lie {
        case .otherKey:
            let swapped = json.adding("key", .bytes(mallory.key.bytes)).adding("kid", .bytes(mallory.id.bytes))
            return (try? KeyBundle(swapped)) == nil
        case .othersBundle:
            let other = bundles[(target + 1) % 3]
            return (try? KeyBundle(json.adding("did", .string(other.did.text)))) == nil
        default:
            // The hub's own device, honestly signed: it is in nobody's list, and so the device that it stands for gets no key.
            bundles[target] = mallory
            let sender = people.ada[0].identity
            let chosen = SealedMessage.bundles(
                among: bundles,
                bound: try people.binding(),
                from: sender.did,
                at: SealedPeople.now
            )
            return chosen.count == 2 && !chosen.contains(mallory)
        }
    }

    private func lists(_ lie: Lie, _ random: inout SeededGenerator) throws -> Bool {
        let mallory = people.mallory.identity
        let added = try ListedDevice(mallory.did, name: "mine", since: Int64.random(in: 0..<1000, using: &random))
        let chain = random.chance(0.5) ? people.adas : people.bobs
        let owners = chain == people.adas ? people.ada : people.bob
        switch lie {
        case .addedDevice: return (try? chain.adding(added, by: mallory)) == nil
        case .forgedEntry:
            let entry = try chain.adding(added, by: owners[0].identity).newest
            let renamed = entry.json.adding("signer", .string(owners[1].identity.did.text))
            return (try? ChainEntry(renamed)) == nil
        case .restarted:
            let anew = try AccountChain.restarted(
                of: chain.user,
                after: chain.newest.hash,
                by: mallory,
                named: "x",
                at: 1
            )
            let peer = chain == people.adas ? people.bobs : people.adas
            let (mine, shown) = (
                SafetyNumber(.init(chain), .init(peer)), SafetyNumber(.init(anew), .init(peer))
            )
            return chain.news(in: anew) == .restarted && mine != shown
        case .forked:
            // A stolen second device signs another list for one of two people.
            let one = try chain.removing(owners[1].identity.did, by: owners[0].identity)
            let other = try chain.adding(added, by: owners[1].identity)
            return one.news(in: other) == .forked && other.news(in: one) == .forked
        default:
            let older = try AccountChain(Array(chain.entries.prefix(1)))
            return chain.news(in: older) == .behind
        }
    }

    private func messages(_ lie: Lie, _ random: inout SeededGenerator) throws -> Bool {
        var items = sent
        let index = Int.random(in: 1..<(items.count - 1), using: &random)
        switch lie {
        case .withheld: items.remove(at: index)
        case .replayed: items.append(items[index])
        case .renamed: items[index].id = "id-\(items.count)"
        case .reordered: items.swapAt(index, index + 1)
        case .oldList: items.insert(early, at: index)
        case .mixedKeys:
            let to = try keyList(items[index])
            let others = try keyList(items[index - 1])
            items[index].envelope = items[index].envelope.adding("to", .array([others[0]] + to.dropFirst()))
        case .cutKeys:
            let to = try keyList(items[index])
            items[index].envelope = items[index].envelope.adding("to", .array(to.dropLast()))
        case .flippedBit:
            var bytes = items[index].envelope.canonicalBytes
            bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            items[index].envelope = (try? JSONValue(parsing: bytes)) ?? .null
        case .strangersMessage: items[index].envelope = try strangersEnvelope(items[index].id)
        default: return try turnedRound(items[index])
        }
        var reader = Reader(self)
        let said = items.flatMap { reader.receive($0) }
        let texts = Set(sent.map(\.text) + [early.text])
        #expect(reader.shown.allSatisfy(texts.contains), "something was shown that nobody wrote")
        #expect(Set(reader.shown).count == reader.shown.count, "a message was shown twice")
        return !said.isEmpty
    }

    private func keyList(_ item: Item) throws -> [JSONValue] { try #require(item.envelope["to"]?.arrayValue) }

    /// The hub's own words, sealed with its own device and said to be Ada's.
    private func strangersEnvelope(_ id: String) throws -> JSONValue {
        let mallory = people.mallory.identity
        let chain = try AccountChain.first(of: people.adas.user, by: mallory, named: "x", at: 1).adding(
            ListedDevice(people.ada[0].identity.did, name: "y", since: 1),
            by: mallory
        )
        return try SealedMessage.seal(
            SealedContent(.text("false"), count: 3),
            bound: people.binding(id, senders: chain.newest),
            for: [people.bob[0].bundle],
            from: mallory
        ).json
    }

    /// A message of Ada's is shown as one of Bob's own.
    private func turnedRound(_ item: Item) throws -> Bool {
        let binding = try MessageBinding(
            people.conversation,
            clientMessageID: item.id,
            senders: people.bobs.newest,
            receivers: people.adas.newest
        )
        return (try? SealedMessage(item.envelope).open(with: [people.bob[0].key], bound: binding)) == nil
    }
}

/// Bob's first device.
private struct Reader {
    private let scene: Scene
    private var history = SealedHistory()
    private var seen: Set<String> = []
    private(set) var shown: [String] = []

    init(_ scene: Scene) { self.scene = scene }

    /// - Returns: What is said about it.
    mutating func receive(_ item: Item) -> [String] {
        do {
            let message = try SealedMessage(item.envelope)
            guard let receivers = scene.people.bobs.entry(message.receiverList),
                let senders = scene.people.adas.entry(message.senderList)
            else { throw ChatSealingError.unknownList }
            let binding = try scene.people.binding(item.id, senders: senders, receivers: receivers)
            let content = try message.open(with: [scene.people.bob[0].key], bound: binding)
            guard case .text(let text) = content.payload else { return ["other content"] }
            // The same id is the same row.
            guard seen.insert(item.id).inserted else { return ["repeated"] }
            shown.append(text)
            return history.note(message, content, bound: binding).map { "\($0)" }
        } catch {
            return ["\(error)"]
        }
    }
}
