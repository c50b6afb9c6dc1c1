import Foundation
import Kernel
import Sealing
import Transport

extension FuzzTarget {
    private static let ours = Identity()
    private static let theirs = Identity()

    static let noiseHandshake = FuzzTarget(name: "noise-handshake") { bytes in
        for pattern in NoiseHandshake.Pattern.allCases {
            let psk: [UInt8]? = pattern == .IK ? nil : [UInt8](repeating: 7, count: 32)
            guard
                var responder = try? NoiseHandshake(
                    pattern: pattern,
                    role: .responder,
                    prologue: [],
                    identity: ours,
                    psk: psk
                )
            else { finding("a responder cannot be made for \(pattern)") }
            _ = try? responder.read(bytes)
            if responder.isFinished { finding("a handshake ended on bytes that nobody sealed") }
        }
    }

    static let identityProof = FuzzTarget(name: "identity-proof") { bytes in
        _ = try? IdentityProof(decoding: bytes)
        _ = try? HandshakePayload(decoding: bytes)
        _ = try? DID(String(decoding: bytes, as: UTF8.self)).signingKey
        _ = try? Identity(restoring: bytes)
        _ = bytes.withUnsafeBytes { SessionBody($0) }
    }

    /// Nothing opens that was not sealed, and a refused record changes nothing.
    static let sealedRecord = FuzzTarget(name: "sealed-record") { bytes in
        guard bytes.count > 13, var pair = sessionPair() else { return }
        let generation = bytes[0..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let sequence = bytes[4..<12].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let now = ContinuousClock.now
        if (try? pair.responder.open(
            generation: generation,
            sequence: sequence,
            ciphertext: bytes[12...],
            now: now,
            reading: Array.init
        )) != nil {
            finding("a record opened that nobody sealed")
        }
        guard let record = try? pair.initiator.seal([1, 2, 3], now: now),
            let body = try? pair.responder.open(
                generation: record.generation,
                sequence: record.sequence,
                ciphertext: record.ciphertext[...],
                now: now,
                reading: Array.init
            ), body == [1, 2, 3]
        else { finding("a forged record broke the session for the real one") }
    }

    private static func sessionPair() -> (initiator: SealedSession, responder: SealedSession)? {
        keys.flatMap { keys in
            let id = [UInt8](repeating: 1, count: 16)
            guard let initiator = try? SealedSession(id: id, keys: keys.initiator, now: .now),
                let responder = try? SealedSession(id: id, keys: keys.responder, now: .now)
            else { return nil }
            return (initiator, responder)
        }
    }

    private static let keys: (initiator: NoiseKeys, responder: NoiseKeys)? = {
        do {
            var initiator = try NoiseHandshake(
                pattern: .IK,
                role: .initiator,
                prologue: [],
                identity: ours,
                remote: theirs.agreementKey
            )
            var responder = try NoiseHandshake(pattern: .IK, role: .responder, prologue: [], identity: theirs)
            _ = try responder.read(try initiator.write { _ in [] })
            _ = try initiator.read(try responder.write { _ in [] })
            return (try initiator.finish(), try responder.finish())
        } catch {
            return nil
        }
    }()

    /// Any frames in any order at both roles: nothing is delivered, no session begins.
    static let sessionEngine = FuzzTarget(name: "session-engine") { bytes in
        guard bytes.count > 2, let id = SessionID(Array(repeating: bytes[0], count: 16)) else { return }
        let peer = SessionPeer(did: theirs.did, agreementKey: theirs.agreementKey)
        var engine = SessionEngine(identity: ours, peer: peer, role: bytes[0] & 1 == 0 ? .initiator : .responder)
        var now = ContinuousClock.now
        let link = LinkID(1)
        engine.addLink(link, kind: .lan, now: now)
        var rest = bytes[1...]
        while let kind = rest.popFirst() {
            let count = min(Int(rest.popFirst() ?? 0), rest.count)
            let body = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
            let frame: LinkFrame =
                switch kind % 4 {
                case 0: .handshake(id, pattern: "IK", index: Int(kind >> 2 & 3), resumption: nil, bytes: body)
                case 1: .record(id, generation: UInt32(kind >> 2), sequence: UInt64(count), ciphertext: body[...])
                case 2: .record(nil, generation: UInt32(kind >> 2), sequence: UInt64(count), ciphertext: body[...])
                default: .notice(id, kind & 4 == 0 ? .unknownSession : .noResumption)
                }
            engine.receive(frame, on: link, now: now)
            now += .milliseconds(Int(kind))
            engine.tick(now: now)
            _ = engine.nextFrame(on: link, now: now)
        }
        if engine.takeMessage() != nil { finding("a message was delivered that nobody sealed") }
    }
}
