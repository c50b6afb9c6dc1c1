import MigrationTransfer
import Testing

@Suite("Both phones prove themselves by the PIN")
struct PeerProofTests {
    private func proof(_ role: MigrationRole, pin: String, session: String = "0123456789abcdef") throws -> PeerProof {
        let source = Handshake(role: .source, sessionID: session, nonce: [UInt8](repeating: 1, count: 16))
        let target = Handshake(role: .target, sessionID: session, nonce: [UInt8](repeating: 2, count: 16))
        return try PeerProof(
            method: .pin,
            secret: Array(pin.utf8),
            own: role == .source ? source : target,
            peer: role == .source ? target : source
        )
    }

    @Test("#5 the same PIN gives keys that open the other's frames once and in order")
    func agreement() throws {
        var source = try proof(.source, pin: "482913")
        var target = try proof(.target, pin: "482913")
        let tag = try source.take(share: target.share)
        let answer = try target.take(share: source.share)
        var sealer = FrameCipher(key: try source.take(tag: answer).sending)
        var opener = FrameCipher(key: try target.take(tag: tag).receiving)
        let first = try sealer.seal([1, 2])
        #expect(try opener.open(first) == [1, 2])
        #expect(throws: MigrationTransferError.peerNotProven) { try opener.open(first) }
    }

    @Test("#5 another PIN ends in peerNotProven")
    func wrongPIN() throws {
        var source = try proof(.source, pin: "482913")
        var attacker = try proof(.target, pin: "000000")
        _ = try source.take(share: attacker.share)
        let tag = try attacker.take(share: source.share)
        #expect(throws: MigrationTransferError.peerNotProven) { try source.take(tag: tag) }
    }

    @Test("reflected shares and tags, and shares of low order, prove nothing")
    func hostileShares() throws {
        var source = try proof(.source, pin: "482913")
        #expect(throws: MigrationTransferError.peerNotProven) { try source.take(share: source.share) }
        for share in [[UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31), [], [1]] {
            #expect(throws: MigrationTransferError.peerNotProven) { try source.take(share: share) }
        }
        let target = try proof(.target, pin: "482913")
        let own = try source.take(share: target.share)
        #expect(throws: MigrationTransferError.peerNotProven) { try source.take(tag: own) }
    }

    @Test("two phones of one role are told so")
    func roleClash() {
        let own = Handshake(role: .source, sessionID: "0123456789abcdef", nonce: [UInt8](repeating: 1, count: 16))
        #expect(throws: MigrationTransferError.sameRole) {
            try PeerProof(method: .pin, secret: [1], own: own, peer: own)
        }
    }

    @Test("#5 a PIN has three tries and two minutes")
    func attempts() throws {
        let shown = ContinuousClock.now
        var attempts = PINAttempts(shownAt: shown)
        #expect(throws: MigrationTransferError.pinExpired) { try attempts.begin(at: shown + .seconds(120)) }
        for _ in 0..<3 { try attempts.begin(at: shown + .seconds(119)) }
        #expect(throws: MigrationTransferError.wrongPIN(attemptsLeft: 0)) { try attempts.begin(at: shown) }
    }
}
