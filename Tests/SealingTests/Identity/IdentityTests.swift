import Foundation
import Kernel
import Sealing
import Testing

@Suite("The identity of a device", .timeLimit(.minutes(4)))
struct IdentityTests {
    @Test("a stored identity comes back with the same keys")
    func restored() throws {
        let stored = Identity.alice.stored
        let restored = try Identity(restoring: stored)
        #expect(stored.count == 73)
        #expect(stored.first == 1)
        #expect(restored.did == Identity.alice.did)
        #expect(restored.agreementKey == Identity.alice.agreementKey)
        #expect(restored.stored == stored)
        #expect(Identity.alice.signingKey.verifies(try restored.sign([1, 2, 3]), of: [1, 2, 3]))
    }

    @Test("any damaged byte of a stored identity is noticed")
    func damaged() {
        let stored = Identity.alice.stored
        for index in stored.indices.dropFirst() {
            var damaged = stored
            damaged[index] ^= 0x10
            #expect(throws: SealingError.damagedIdentity) { try Identity(restoring: damaged) }
        }
        for count in [0, 1, 64, 72] {
            #expect(throws: SealingError.damagedIdentity) { try Identity(restoring: Array(stored.prefix(count))) }
        }
        #expect(throws: SealingError.damagedIdentity) { try Identity(restoring: stored + [0]) }
    }

    @Test("an identity of a later version says that the program is too old")
    func laterVersion() {
        #expect(throws: SealingError.unsupportedIdentity(version: 2)) {
            try Identity(restoring: [2] + Identity.alice.stored.dropFirst())
        }
        #expect(SealingError.unsupportedIdentity(version: 2).description.contains("Update the program"))
        #expect(SealingError.damagedIdentity.description.contains("Restore it from a backup"))
    }

    @Test("printing or dumping what holds secrets shows none of them")
    func printed() throws {
        let identity = try Identity(
            signingSeed: [UInt8](repeating: 201, count: 32),
            agreementSecret: [UInt8](repeating: 202, count: 32)
        )
        let keys = try HandshakePair.finished().initiator
        var offer = QROffer(identity: identity)
        offer.secret = [UInt8](repeating: 203, count: 16)
        let agreement = try CPace(role: .initiator, password: [1], channel: [], sessionID: [], associatedData: [])
            .agree(peerShare: Identity.bob.agreementKey.bytes, peerAssociatedData: [])
        let secrets: [(holder: any Sendable, secret: [UInt8])] = [
            (identity, [UInt8](repeating: 201, count: 32)), (identity, [UInt8](repeating: 202, count: 32)),
            (offer, offer.secret), (keys, keys.sendKey), (keys, keys.receiveKey), (agreement, agreement.key),
        ]
        for (holder, secret) in secrets {
            var dumped = ""
            dump(holder, to: &dumped)
            for text in ["\(holder)", String(reflecting: holder), dumped] {
                // Arrays print with commas and dump with line breaks: what counts is the run of numbers.
                let numbers = text.split { !$0.isASCII || !$0.isNumber }.joined(separator: " ")
                #expect(!numbers.contains(secret.prefix(4).map { "\($0)" }.joined(separator: " ")))
                #expect(!text.contains(Base64URL.encode(secret)))
                #expect(!text.contains(Hexadecimal.encode(secret)))
            }
        }
        #expect("\(identity)" == identity.did.text)
    }

    @Test("new identities differ in both keys")
    func fresh() {
        let (one, other) = (Identity(), Identity())
        #expect(one.signingKey != other.signingKey)
        #expect(one.agreementKey != other.agreementKey)
        #expect(one.signingKey.bytes != one.agreementKey.bytes)
    }

    @Test("the first start makes an identity, later ones load it, and a damaged file is not replaced")
    func loadOrCreate() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }  // a leftover temporary folder harms nobody
        let folder = try StateFolder(url)
        let created = try Identity.loadOrCreate(in: folder)
        #expect(try Identity.loadOrCreate(in: folder).did == created.did)
        let damaged = Array(created.stored.dropLast())
        try folder.writeKey("identity", damaged)
        #expect(throws: SealingError.damagedIdentity) { try Identity.loadOrCreate(in: folder) }
        #expect(try folder.readKey("identity") == damaged)
    }
}
