import Kernel
import Testing

@testable import Sealing

/// Each file entry says where it is from.
@Suite("Published Noise vectors", .timeLimit(.minutes(4)))
struct NoiseVectorTests {
    struct File: Decodable {
        var vectors: [Vector]
    }

    struct Vector: Decodable, CustomTestStringConvertible {
        struct Message: Decodable {
            var payload: String
            var ciphertext: String
        }
        var protocol_name: String
        var init_prologue: String
        var init_psks: [String]?
        var init_static: String
        var init_ephemeral: String
        var resp_prologue: String
        var resp_psks: [String]?
        var resp_static: String
        var resp_ephemeral: String
        var handshake_hash: String
        var messages: [Message]
        var testDescription: String { "\(protocol_name), \(messages.count) messages" }
    }

    @Test("the vectors of all four patterns are there")
    func complete() throws {
        let names = try Fixture.read("noise-vectors", as: File.self).vectors.map(\.protocol_name)
        #expect(Set(names) == Set(NoiseHandshake.Pattern.allCases.map(\.protocolName)))
    }

    @Test("every message, the handshake hash and the transport keys are the published ones", arguments: try vectors())
    func vector(_ vector: Vector) throws {
        let pattern = try #require(NoiseHandshake.Pattern.allCases.first { $0.protocolName == vector.protocol_name })
        func identity(_ secret: String) throws -> Identity {
            try Identity(signingSeed: [UInt8](repeating: 1, count: 32), agreementSecret: Fixture.bytes(secret))
        }
        let responderIdentity = try identity(vector.resp_static)
        var initiator = try NoiseHandshake(
            pattern: pattern,
            role: .initiator,
            prologue: Fixture.bytes(vector.init_prologue),
            identity: identity(vector.init_static),
            remote: pattern == .XXpsk0 ? nil : responderIdentity.agreementKey,
            psk: vector.init_psks?.first.map(Fixture.bytes),
            ephemeral: Fixture.bytes(vector.init_ephemeral)
        )
        var responder = try NoiseHandshake(
            pattern: pattern,
            role: .responder,
            prologue: Fixture.bytes(vector.resp_prologue),
            identity: responderIdentity,
            remote: nil,
            psk: vector.resp_psks?.first.map(Fixture.bytes),
            ephemeral: Fixture.bytes(vector.resp_ephemeral)
        )
        var messages = vector.messages[...]
        while !initiator.isFinished || !responder.isFinished {
            let expected = try #require(messages.first)
            messages = messages.dropFirst()
            let payload = try Fixture.bytes(expected.payload)
            if initiator.isWriter {
                let message = try initiator.write { _ in payload }
                #expect(Hexadecimal.encode(message) == expected.ciphertext)
                #expect(try responder.read(message).payload == payload)
            } else {
                let message = try responder.write { _ in payload }
                #expect(Hexadecimal.encode(message) == expected.ciphertext)
                #expect(try initiator.read(message).payload == payload)
            }
        }
        #expect(responder.remoteStatic == (try identity(vector.init_static)).agreementKey)
        #expect(initiator.remoteStatic == responderIdentity.agreementKey)
        let (one, other) = (try initiator.finish(), try responder.finish())
        #expect(Hexadecimal.encode(one.handshakeHash) == vector.handshake_hash)
        #expect(one.handshakeHash == other.handshakeHash)

        // The transport messages go on in turns.
        let isInitiatorNext = pattern.messages.count.isMultiple(of: 2)
        for (index, expected) in messages.enumerated() {
            let sender = index.isMultiple(of: 2) == isInitiatorNext ? one : other
            let receiver = index.isMultiple(of: 2) == isInitiatorNext ? other : one
            let sealed = try NoiseCipher(key: sender.sendKey).seal(
                Fixture.bytes(expected.payload),
                nonce: UInt64(index / 2),
                authenticating: []
            )
            #expect(Hexadecimal.encode(sealed) == expected.ciphertext)
            #expect(sender.sendKey == receiver.receiveKey)
        }
    }

    static func vectors() throws -> [Vector] { try Fixture.read("noise-vectors", as: File.self).vectors }
}
