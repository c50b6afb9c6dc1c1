import Accounts
import Kernel
import Sealing
import Testing

@testable import ChatSealing

@Suite("An account's lists of devices", .timeLimit(.minutes(4)))
struct AccountChainTests {
    private let people: SealedPeople

    init() throws { people = try SealedPeople() }

    @Test("an entry is read back as it was written, and a changed one is not believed")
    func changed() throws {
        let entry = people.adas.newest
        #expect(try ChainEntry(entry.json) == entry)
        let changes: [(String, JSONValue)] = [
            ("n", 2), ("uid", 8), ("reason", "removed"), ("prev", .bytes([UInt8](repeating: 1, count: 32))),
            ("signer", .string(people.ada[1].identity.did.text)), ("sig", .bytes([UInt8](repeating: 1, count: 64))),
            ("devices", .array([entry.devices[0].json])),
        ]
        for (key, value) in changes {
            #expect(throws: ChatSealingError.badSignature) { try ChainEntry(entry.json.adding(key, value)) }
        }
    }

    @Test("an entry with other members, without one, or out of its bounds is malformed")
    func malformed() throws {
        let json = people.adas.newest.json
        for changed in [
            json.adding("more", 1), .object((json.objectValue ?? [:]).filter { $0.key != "uid" }), json.adding("v", 2),
            json.adding("n", 1000), json.adding("devices", []), json.adding("prev", "AA"), json.adding("sig", "!"),
            json.adding("reason", "lost"), json.adding("signer", "did:web:example"), .array([json]),
        ] {
            #expect { try ChainEntry(changed) } throws: { error in
                if case .malformed = error as? ChatSealingError { true } else { false }
            }
        }
        #expect(throws: ChatSealingError.tooLarge("devices", limit: 32)) {
            try ChainEntry(json.adding("devices", .array(.init(repeating: json, count: 33))))
        }
    }

    @Test(
        "a name is 1 to 64 bytes without control characters",
        arguments: ["", "a\nb", String(repeating: "a", count: 65)]
    )
    func names(name: String) {
        #expect(throws: ChatSealingError.self) { try ListedDevice(people.ada[0].identity.did, name: name, since: 0) }
    }

    @Test("only a device of the entry before adds one")
    func strangers() throws {
        let stranger = try ListedDevice(people.mallory.identity.did, name: "mine", since: 1)
        #expect(throws: ChatSealingError.notListed) { try people.adas.adding(stranger, by: people.mallory.identity) }
        let without = try people.adas.removing(people.ada[1].identity.did, by: people.ada[0].identity)
        #expect(throws: ChatSealingError.notListed) { try without.adding(stranger, by: people.ada[1].identity) }
    }

    @Test("a device may take itself out, and the last one cannot")
    func leaving() throws {
        let left = try people.adas.removing(people.ada[0].identity.did, by: people.ada[0].identity)
        #expect(left.newest.devices.map(\.did) == [people.ada[1].identity.did])
        #expect(throws: ChatSealingError.self) {
            try left.removing(people.ada[1].identity.did, by: people.ada[1].identity)
        }
    }

    @Test(
        "an entry that does not follow is refused: another number, another account, another hash, a change of what stays"
    )
    func following() throws {
        let entries = people.adas.entries
        #expect(throws: ChatSealingError.notContinuation) { try AccountChain([entries[0], entries[0]]) }
        #expect(throws: ChatSealingError.notContinuation) { try AccountChain([entries[1]]) }
        #expect(throws: ChatSealingError.notContinuation) { try AccountChain([people.bobs.start, entries[1]]) }
        let renamed = try ListedDevice(people.ada[0].identity.did, name: "other", since: SealedPeople.now)
        let entry = try ChainEntry.signed(
            people.adas.user,
            number: 2,
            previous: people.adas.newest.hash,
            devices: [renamed] + people.adas.newest.devices.dropFirst()
                + [ListedDevice(people.mallory.identity.did, name: "x", since: 1)],
            reason: .added,
            by: people.ada[0].identity
        )
        var chain = people.adas
        #expect(throws: ChatSealingError.notContinuation) { try chain.append(entry) }
    }

    @Test("what another copy says: the same, grown, behind, forked, begun anew")
    func news() throws {
        let (ada, chain) = (people.ada, people.adas)
        let added = try ListedDevice(people.mallory.identity.did, name: "tablet", since: 5)
        let grown = try chain.adding(added, by: ada[1].identity)
        let forked = try chain.removing(ada[1].identity.did, by: ada[0].identity)
        #expect(chain.news(in: chain) == .same)
        #expect(chain.news(in: grown) == .grown(added: [added], removed: []))
        #expect(chain.news(in: forked) == .grown(added: [], removed: [chain.newest.devices[1]]))
        #expect(grown.news(in: chain) == .behind)
        #expect(grown.news(in: forked) == .forked)
        #expect(chain.news(in: people.bobs) == .forked)
        let mallory = people.mallory.identity
        let anew = try AccountChain.restarted(of: chain.user, after: chain.newest.hash, by: mallory, named: "x", at: 9)
        #expect(chain.news(in: anew) == .restarted)
        let other = try AccountChain.first(of: chain.user, by: mallory, named: "x", at: 9)
        #expect(chain.news(in: other) == .forked)
    }

    @Test("keys are used for ten days, made every seven, and kept until what was sent to them is fetched")
    func keyLife() throws {
        let (bundle, day, now) = (people.ada[0].bundle, Int64(86_400_000), SealedPeople.now)
        #expect(bundle.isInUse(at: now) && bundle.isInUse(at: now + 10 * day) && bundle.isInUse(at: now - day))
        #expect(!bundle.isInUse(at: now + 10 * day + 1) && !bundle.isInUse(at: now - day - 1))
        #expect(ChatKeyLife.isDue(newest: nil, at: now))
        #expect(
            !ChatKeyLife.isDue(newest: now, at: now + 7 * day - 1) && ChatKeyLife.isDue(newest: now, at: now + 7 * day)
        )
        #expect(ChatKeyLife.isDue(newest: now, at: now - 2 * day))
        let succeeded = now + 7 * day
        #expect(!ChatKeyLife.isOver(made: now, succeeded: nil, fetched: now + 80 * day, at: now + 80 * day))
        #expect(!ChatKeyLife.isOver(made: now, succeeded: succeeded, fetched: now + 14 * day - 1, at: now + 60 * day))
        #expect(ChatKeyLife.isOver(made: now, succeeded: succeeded, fetched: now + 14 * day, at: now + 14 * day))
        #expect(ChatKeyLife.isOver(made: now, succeeded: nil, fetched: 0, at: now + 90 * day))
    }

    @Test("a bundle that was changed is not believed, and a key of low order is none")
    func bundles() throws {
        let json = people.ada[0].bundle.json
        #expect(try KeyBundle(json) == people.ada[0].bundle)
        let other = people.ada[1].bundle
        let swapped = json.adding("key", .bytes(other.key.bytes)).adding("kid", .bytes(other.id.bytes))
        #expect(throws: ChatSealingError.badSignature) { try KeyBundle(swapped) }
        let moved = json.adding("did", .string(other.did.text))
        #expect(throws: ChatSealingError.badSignature) { try KeyBundle(moved) }
        for changed in [
            json.adding("key", .bytes([UInt8](repeating: 0, count: 32))), json.adding("kid", .bytes(other.id.bytes)),
            json.adding("until", 1), json.adding("made", -1), json.adding("v", 2), json.adding("x", 1),
        ] {
            #expect { try KeyBundle(changed) } throws: { error in
                if case .malformed = error as? ChatSealingError { true } else { false }
            }
        }
    }
}
