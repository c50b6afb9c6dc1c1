import Sealing

/// Two ends of one handshake, before the first message.
struct HandshakePair {
    var initiator: NoiseHandshake
    var responder: NoiseHandshake

    /// - Parameters:
    ///   - initiatorPrologue, initiatorPSK, remote: What only the initiator believes, to make the ends disagree.
    init(
        _ pattern: NoiseHandshake.Pattern,
        initiatorPrologue: [UInt8]? = nil,
        initiatorPSK: [UInt8]? = nil,
        remote: AgreementPublicKey? = nil
    ) throws {
        let prologue = Array("tandem-test".utf8)
        let psk = pattern == .IK ? nil : [UInt8](repeating: 7, count: 32)
        let isKnown = pattern != .XXpsk0
        initiator = try NoiseHandshake(
            pattern: pattern,
            role: .initiator,
            prologue: initiatorPrologue ?? prologue,
            identity: .alice,
            remote: isKnown ? remote ?? Identity.bob.agreementKey : nil,
            psk: initiatorPSK ?? psk
        )
        responder = try NoiseHandshake(
            pattern: pattern,
            role: .responder,
            prologue: prologue,
            identity: .bob,
            psk: psk
        )
    }

    /// Carries the next message across, changed on its way.
    ///
    /// - Returns: The payload as read.
    mutating func exchange(
        payload: [UInt8] = [1, 2, 3],
        changing change: ([UInt8]) -> [UInt8] = { $0 }
    ) throws -> [UInt8] {
        if initiator.isWriter {
            return try responder.read(change(initiator.write { _ in payload })).payload
        }
        return try initiator.read(change(responder.write { _ in payload })).payload
    }

    static func finished(_ pattern: NoiseHandshake.Pattern = .IK) throws -> (initiator: NoiseKeys, responder: NoiseKeys)
    {
        var pair = try HandshakePair(pattern)
        while !pair.initiator.isFinished || !pair.responder.isFinished { _ = try pair.exchange() }
        return (try pair.initiator.finish(), try pair.responder.finish())
    }
}

extension Identity {
    static let alice = Identity()
    static let bob = Identity()
    static let mallory = Identity()
}

extension DeviceClaim {
    static let phone = DeviceClaim(
        id: "b1d6c3a2-0000-4000-8000-00000000abcd",
        name: "Phone",
        platform: "ios",
        version: "1"
    )
    static let desktop = DeviceClaim(id: "9f0c6a1be2d34775", name: "studio-pc", platform: "linux", version: "2")
}
