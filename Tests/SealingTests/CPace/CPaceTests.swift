import Kernel
import Testing

@testable import Sealing

@Suite("CPace-X25519-SHA512", .timeLimit(.minutes(4)))
struct CPaceTests {
    struct Vectors: Decodable {
        struct Point: Decodable {
            var name: String
            var u: String
            var aborts: Bool
        }
        var PRS: String
        var CI: String
        var sid: String
        var generator: String
        var ya: String
        var ADa: String
        var Ya: String
        var yb: String
        var ADb: String
        var Yb: String
        var K: String
        var ISK: String
        var Ta: String
        var Tb: String
        var points: [Point]
    }

    private let vectors: Vectors

    init() throws { vectors = try Fixture.read("cpace-vectors", as: Vectors.self) }

    private func end(_ role: CPace.Role, password: String? = nil, sessionID: String? = nil) throws -> CPace {
        try CPace(
            role: role,
            password: Fixture.bytes(password ?? vectors.PRS),
            channel: Fixture.bytes(vectors.CI),
            sessionID: Fixture.bytes(sessionID ?? vectors.sid),
            associatedData: Fixture.bytes(role == .initiator ? vectors.ADa : vectors.ADb),
            scalar: Fixture.bytes(role == .initiator ? vectors.ya : vectors.yb)
        )
    }

    @Test("generator, shares, shared point, key and tags are the draft's")
    func published() throws {
        let generator = CPace.generator(
            password: try Fixture.bytes(vectors.PRS),
            channel: try Fixture.bytes(vectors.CI),
            sessionID: try Fixture.bytes(vectors.sid)
        )
        #expect(Hexadecimal.encode(generator) == vectors.generator)
        let (initiator, responder) = (try end(.initiator), try end(.responder))
        #expect(Hexadecimal.encode(initiator.share) == vectors.Ya)
        #expect(Hexadecimal.encode(responder.share) == vectors.Yb)
        let point = try KeyAgreement(Fixture.bytes(vectors.ya)).sharedSecret(with: responder.share)
        #expect(Hexadecimal.encode(point) == vectors.K)

        let one = try initiator.agree(peerShare: responder.share, peerAssociatedData: Fixture.bytes(vectors.ADb))
        let other = try responder.agree(peerShare: initiator.share, peerAssociatedData: Fixture.bytes(vectors.ADa))
        #expect(Hexadecimal.encode(one.key) == vectors.ISK)
        #expect(Hexadecimal.encode(other.key) == vectors.ISK)
        #expect(Hexadecimal.encode(one.ownTag) == vectors.Ta)
        #expect(Hexadecimal.encode(other.ownTag) == vectors.Tb)
        #expect(one.transcript == other.transcript)
        #expect(
            Hexadecimal.encode(one.transcript) == "20\(vectors.Ya)03\(vectors.ADa)20\(vectors.Yb)03\(vectors.ADb)"
        )
        try one.confirm(peerTag: other.ownTag)
        try other.confirm(peerTag: one.ownTag)
    }

    @Test("a share of low order aborts, at either end")
    func lowOrder() throws {
        let aborting = vectors.points.filter(\.aborts)
        #expect(aborting.map(\.name) == ["u0", "u1", "u2", "u3", "u4", "u5", "u7"])
        for point in aborting {
            for role in [CPace.Role.initiator, .responder] {
                #expect(throws: SealingError.weakKey) {
                    try end(role).agree(peerShare: Fixture.bytes(point.u), peerAssociatedData: [])
                }
            }
        }
    }

    @Test("a share of another length is refused", arguments: [0, 31, 33])
    func lengths(count: Int) {
        #expect(throws: SealingError.wrongLength(of: "agreement key", expected: 32, actual: count)) {
            try end(.initiator).agree(peerShare: [UInt8](repeating: 9, count: count), peerAssociatedData: [])
        }
    }

    @Test("another password, session, or associated data gives other keys, which the tags show")
    func disagreement() throws {
        let initiator = try end(.initiator)
        let ownAD = try Fixture.bytes(vectors.ADa)
        for (responder, peerAD) in [
            (try end(.responder, password: "70617373776f7264"), ownAD),
            (try end(.responder, sessionID: "00"), ownAD),
            (try end(.responder), [0x41]),
        ] {
            let one = try initiator.agree(peerShare: responder.share, peerAssociatedData: Fixture.bytes(vectors.ADb))
            let other = try responder.agree(peerShare: initiator.share, peerAssociatedData: peerAD)
            #expect(one.key != other.key)
            #expect(throws: SealingError.wrongCode) { try one.confirm(peerTag: other.ownTag) }
            #expect(throws: SealingError.wrongCode) { try other.confirm(peerTag: one.ownTag) }
        }
    }

    @Test("one's own tag sent back, a shortened one, or any changed byte is no confirmation")
    func tags() throws {
        let (initiator, responder) = (try end(.initiator), try end(.responder))
        let one = try initiator.agree(peerShare: responder.share, peerAssociatedData: Fixture.bytes(vectors.ADb))
        let tag = try Fixture.bytes(vectors.Tb)
        try one.confirm(peerTag: tag)
        for index in tag.indices {
            var changed = tag
            changed[index] ^= 0x80
            #expect(throws: SealingError.wrongCode) { try one.confirm(peerTag: changed) }
        }
        for refused in [one.ownTag, [], Array(tag.prefix(63))] {
            #expect(throws: SealingError.wrongCode) { try one.confirm(peerTag: refused) }
        }
    }

    @Test("each run has a share of its own")
    func fresh() throws {
        func run() throws -> CPace {
            try CPace(role: .initiator, password: [1], channel: [2], sessionID: [3], associatedData: [4])
        }
        #expect(try run().share != run().share)
    }
}
