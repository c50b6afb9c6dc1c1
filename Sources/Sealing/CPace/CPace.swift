/// One end of CPace-X25519-SHA512, a password-authenticated key exchange: two ends that know the same short password agree on
/// a strong key, and an attacker in between can test one guess a run. Source: draft-irtf-cfrg-cpace, initiator-responder setting.
public struct CPace: Sendable {
    /// The end of the exchange: the initiator is the phone, the responder the computer.
    public enum Role: Hashable, Sendable {
        case initiator, responder
    }

    /// The public share for the other end, 32 bytes.
    public let share: [UInt8]

    private let role: Role
    private let secret: KeyAgreement
    private let sessionID: [UInt8]
    private let associatedData: [UInt8]

    /// - Parameters:
    ///   - password: PRS, the secret that both ends know.
    ///   - channel: CI, the context that both ends know: about each other and the way between them.
    ///   - sessionID: sid, fresh and made by both ends.
    ///   - associatedData: AD of this end, sent along with the share and authenticated with it.
    ///   - scalar: A fixed secret, for test vectors only.
    package init(
        role: Role,
        password: [UInt8],
        channel: [UInt8],
        sessionID: [UInt8],
        associatedData: [UInt8],
        scalar: [UInt8] = RandomBytes.make(32)
    ) throws(SealingError) {
        self.role = role
        self.sessionID = sessionID
        self.associatedData = associatedData
        secret = try KeyAgreement(scalar)
        share = try secret.sharedSecret(
            with: Self.generator(password: password, channel: channel, sessionID: sessionID)
        )
    }

    /// - Parameters:
    ///   - peerShare: The other end's share.
    ///   - peerAssociatedData: AD of the other end.
    /// - Throws: ``SealingError/weakKey`` for a share that would give a key that an attacker knows,
    ///   ``SealingError/wrongLength(of:expected:actual:)``.
    public func agree(
        peerShare: [UInt8],
        peerAssociatedData: [UInt8]
    ) throws(SealingError) -> CPaceAgreement {
        let point = try AgreementPublicKey(peerShare)
        let shared = try secret.sharedSecret(with: point.bytes)
        let own = LengthValue.concatenate([share, associatedData])
        let peer = LengthValue.concatenate([point.bytes, peerAssociatedData])
        let transcript = role == .initiator ? own + peer : peer + own
        let prefix = LengthValue.concatenate([Array("CPace255_ISK".utf8), sessionID, shared])
        return CPaceAgreement(
            key: Hashing.sha512(prefix + transcript),
            transcript: transcript,
            sessionID: sessionID,
            ownMessage: own,
            peerMessage: peer
        )
    }

    /// The base point of both ends, derived from the password, so that only an end that knows it finds the point.
    package static func generator(password: [UInt8], channel: [UInt8], sessionID: [UInt8]) -> [UInt8] {
        let label = Array("CPace255".utf8)
        // Zeros fill the first block of SHA-512, so that hashing the password takes a time that does not depend on the other input.
        let used = 1 + LengthValue.encode(password).count + LengthValue.encode(label).count
        let padding = [UInt8](repeating: 0, count: max(0, 128 - used))
        let text = LengthValue.concatenate([label, password, padding, channel, sessionID])
        let number = FieldElement(littleEndian: Array(Hashing.sha512(text).prefix(32)))
        return Elligator.map(number).littleEndian
    }
}
