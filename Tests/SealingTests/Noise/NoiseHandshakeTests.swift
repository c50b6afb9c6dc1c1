import Testing

@testable import Sealing

@Suite("Noise handshakes", .timeLimit(.minutes(4)))
struct NoiseHandshakeTests {
    typealias Pattern = NoiseHandshake.Pattern

    @Test("both ends finish with each other's keys and statics", arguments: Pattern.allCases)
    func agreement(pattern: Pattern) throws {
        let (initiator, responder) = try HandshakePair.finished(pattern)
        #expect(initiator.sendKey == responder.receiveKey)
        #expect(initiator.receiveKey == responder.sendKey)
        #expect(initiator.sendKey != initiator.receiveKey)
        #expect(initiator.handshakeHash == responder.handshakeHash)
        #expect(initiator.resumptionSecret == responder.resumptionSecret)
        #expect(initiator.resumptionID == responder.resumptionID)
        #expect(initiator.resumptionSecret.count == 32)
        #expect(initiator.resumptionID.count == 16)
        #expect(initiator.bulkSecret == responder.bulkSecret)
        #expect(initiator.bulkSecret.count == 32)
        #expect(initiator.bulkSecret != initiator.resumptionSecret)
        #expect(initiator.export("a") == responder.export("a"))
        #expect(initiator.export("a") != initiator.export("b"))
    }

    @Test("two handshakes of the same ends share nothing")
    func fresh() throws {
        let (one, _) = try HandshakePair.finished()
        let (other, _) = try HandshakePair.finished()
        #expect(one.sendKey != other.sendKey)
        #expect(one.handshakeHash != other.handshakeHash)
        #expect(one.resumptionSecret != other.resumptionSecret)
    }

    @Test("both ends see the same hash before each payload", arguments: Pattern.allCases)
    func hashBeforePayload(pattern: Pattern) throws {
        var pair = try HandshakePair(pattern)
        var written: [UInt8] = []
        let message = try pair.initiator.write { hash in
            written = hash
            return []
        }
        #expect(try pair.responder.read(message).hashBeforePayload == written)
    }

    @Test(
        "a change of any byte of any message is refused, and the true message still goes through",
        arguments: Pattern.allCases
    )
    func tampering(pattern: Pattern) throws {
        var pair = try HandshakePair(pattern)
        for _ in pattern.messages {
            let isInitiators = pair.initiator.isWriter
            let message = isInitiators ? try pair.initiator.write { _ in [7] } : try pair.responder.write { _ in [7] }
            var reader = isInitiators ? pair.responder : pair.initiator
            var candidates = message.indices.map { index in
                var changed = message
                changed[index] ^= 1
                return changed
            }
            candidates += [Array(message.dropLast()), message + [0], [], Array(message.prefix(32))]
            for candidate in candidates {
                #expect(throws: SealingError.handshakeFailed) { try reader.read(candidate) }
                #expect(!reader.isWriter && !reader.isFinished)
            }
            #expect(try reader.read(message).payload == [7])
            if isInitiators { pair.responder = reader } else { pair.initiator = reader }
        }
        #expect(try pair.initiator.finish().sendKey == pair.responder.finish().receiveKey)
    }

    @Test("ends that disagree about the psk fail", arguments: [Pattern.IKpsk1, .IKpsk2, .XXpsk0])
    func wrongPSK(pattern: Pattern) throws {
        var pair = try HandshakePair(pattern, initiatorPSK: [UInt8](repeating: 8, count: 32))
        if pattern == .IKpsk2 { #expect(try pair.exchange() == [1, 2, 3]) }
        #expect(throws: SealingError.handshakeFailed) { try pair.exchange() }
    }

    @Test("ends that disagree about the prologue fail at the first message", arguments: Pattern.allCases)
    func wrongPrologue(pattern: Pattern) throws {
        var pair = try HandshakePair(pattern, initiatorPrologue: [1])
        #expect(throws: SealingError.handshakeFailed) { try pair.exchange() }
    }

    @Test("a handshake to another static key fails at the first message", arguments: [Pattern.IK, .IKpsk1, .IKpsk2])
    func wrongStatic(pattern: Pattern) throws {
        var pair = try HandshakePair(pattern, remote: Identity.mallory.agreementKey)
        #expect(throws: SealingError.handshakeFailed) { try pair.exchange() }
    }

    @Test("an ephemeral key of low order is refused", arguments: Pattern.allCases)
    func lowOrderEphemeral(pattern: Pattern) throws {
        for low in [[UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31)] {
            var first = try HandshakePair(pattern)
            #expect(throws: SealingError.weakKey) { try first.exchange { low + $0.dropFirst(32) } }
            var second = try HandshakePair(pattern)
            _ = try second.exchange()
            #expect(throws: SealingError.weakKey) { try second.exchange { low + $0.dropFirst(32) } }
        }
    }

    @Test("a static key of low order is refused, though whoever sends it sealed it well")
    func lowOrderStatic() throws {
        // The initiator of XXpsk0 sends its static key last, under keys that do not depend on it.
        var pair = try HandshakePair(.XXpsk0)
        _ = try pair.exchange()
        _ = try pair.exchange()
        var transcript = pair.initiator.transcript
        let sealed = try transcript.seal([UInt8](repeating: 0, count: 32))
        #expect(throws: SealingError.weakKey) { try pair.responder.read(sealed + [UInt8](repeating: 0, count: 16)) }
    }

    @Test("steps out of turn are refused and change nothing")
    func outOfTurn() throws {
        var pair = try HandshakePair(.IK)
        #expect(throws: SealingError.handshakeOutOfOrder) { try pair.responder.write { _ in [] } }
        #expect(throws: SealingError.handshakeOutOfOrder) { try pair.initiator.read([]) }
        #expect(throws: SealingError.handshakeOutOfOrder) { try pair.initiator.finish() }
        #expect(try pair.exchange() == [1, 2, 3])
        #expect(try pair.exchange() == [1, 2, 3])
        #expect(throws: SealingError.handshakeOutOfOrder) { try pair.initiator.write { _ in [] } }
        #expect(throws: SealingError.handshakeOutOfOrder) { try pair.initiator.read([]) }
        _ = try pair.initiator.finish()
        #expect(throws: SealingError.handshakeOutOfOrder) { try pair.initiator.finish() }
    }

    @Test("keys that are missing or out of place are refused at the start")
    func missingKeys() {
        let psk = [UInt8](repeating: 7, count: 32)
        let bob = Identity.bob.agreementKey
        let cases: [(Pattern, NoiseHandshake.Role, AgreementPublicKey?, [UInt8]?)] = [
            (.IK, .initiator, nil, nil), (.IK, .initiator, bob, psk), (.IK, .responder, bob, nil),
            (.IKpsk1, .initiator, bob, nil), (.XXpsk0, .initiator, bob, psk), (.XXpsk0, .responder, nil, nil),
        ]
        for (pattern, role, remote, psk) in cases {
            #expect(throws: SealingError.handshakeOutOfOrder) {
                try NoiseHandshake(
                    pattern: pattern,
                    role: role,
                    prologue: [],
                    identity: .alice,
                    remote: remote,
                    psk: psk
                )
            }
        }
        #expect(throws: SealingError.wrongLength(of: "pre-shared key", expected: 32, actual: 16)) {
            try NoiseHandshake(
                pattern: .XXpsk0,
                role: .responder,
                prologue: [],
                identity: .alice,
                psk: Array(psk.prefix(16))
            )
        }
    }

    @Test("messages above 65,535 bytes are neither written nor read")
    func bounds() throws {
        var pair = try HandshakePair(.IK)
        let overhead = 32 + 48 + 16
        let limit = NoiseHandshake.maximumMessageBytes
        #expect(throws: SealingError.tooLong(bytes: limit + 1, limit: limit)) {
            try pair.initiator.write { _ in [UInt8](repeating: 0, count: limit + 1 - overhead) }
        }
        #expect(throws: SealingError.tooLong(bytes: limit + 1, limit: limit)) {
            try pair.responder.read([UInt8](repeating: 0, count: limit + 1))
        }
        #expect(try pair.exchange(payload: [UInt8](repeating: 5, count: limit - overhead)).count == limit - overhead)
    }

    @Test("a payload that cannot be made leaves the handshake as it was")
    func failingPayload() throws {
        struct Refused: Error {}
        var pair = try HandshakePair(.IK)
        #expect(throws: Refused.self) { try pair.initiator.write { _ in throw Refused() } }
        #expect(try pair.exchange() == [1, 2, 3])
    }
}
