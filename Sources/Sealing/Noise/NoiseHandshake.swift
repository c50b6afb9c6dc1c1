/// One end of a Noise handshake with 25519, AESGCM and SHA256. A value without I/O: its owner carries the messages.
///
/// A message that is refused changes nothing, so a forged one in between does not end a handshake.
public struct NoiseHandshake: Sendable {
    /// The longest message, by the Noise specification.
    public static let maximumMessageBytes = 65535

    /// The handshake pattern: the messages, and the keys that each end knows beforehand.
    public let pattern: Pattern
    /// The role of this end.
    public let role: Role
    /// The other side's static key, once it is known. It is proven only when the message that carried it was read whole.
    public private(set) var remoteStatic: AgreementPublicKey?

    private let agreement: KeyAgreement
    private let psk: [UInt8]
    private var ephemeral: KeyAgreement?
    private let fixedEphemeral: [UInt8]?
    private var remoteEphemeral: AgreementPublicKey?
    private(set) var transcript: NoiseTranscript
    private var nextMessage = 0
    private var isHandedOver = false

    /// - Parameters:
    ///   - prologue: The data that both ends must agree on beforehand; any difference makes the handshake fail.
    ///   - identity: The identity whose X25519 key is this end's static key.
    ///   - remote: The responder's static key: for an initiator of the IK patterns only.
    ///   - psk: 32 bytes for the patterns that have one, else nil.
    ///   - ephemeral: A fixed ephemeral secret, for test vectors only.
    /// - Throws: ``SealingError/handshakeOutOfOrder`` when `remote` or `psk` is missing or out of place,
    ///   ``SealingError/wrongLength(of:expected:actual:)`` for a psk of another length.
    package init(
        pattern: Pattern,
        role: Role,
        prologue: [UInt8],
        identity: Identity,
        remote: AgreementPublicKey? = nil,
        psk: [UInt8]? = nil,
        ephemeral: [UInt8]? = nil
    ) throws(SealingError) {
        let needsRemote = role == .initiator && pattern.hasResponderPremessage
        guard needsRemote == (remote != nil), pattern.usesPSK == (psk != nil) else { throw .handshakeOutOfOrder }
        if let psk, psk.count != 32 { throw .wrongLength(of: "pre-shared key", expected: 32, actual: psk.count) }
        self.pattern = pattern
        self.role = role
        self.psk = psk ?? []
        agreement = identity.agreement
        remoteStatic = remote
        fixedEphemeral = ephemeral
        transcript = NoiseTranscript(protocolName: pattern.protocolName)
        transcript.mixHash(prologue)
        if pattern.hasResponderPremessage {
            transcript.mixHash((remote ?? identity.agreementKey).bytes)
        }
    }

    /// Whether all messages were written and read.
    public var isFinished: Bool { nextMessage == pattern.messages.count }

    /// Whether this end writes the next message with ``write(payload:)``; else, unless finished, it reads one with ``read(_:)``.
    public var isWriter: Bool { !isFinished && (nextMessage.isMultiple(of: 2)) == (role == .initiator) }

    /// Writes the next message.
    ///
    /// - Parameter payload: Makes the payload; it is given the handshake hash just before the payload is sealed, so
    ///   that it can sign it.
    /// - Throws: Errors of `payload`, ``SealingError/handshakeOutOfOrder``, ``SealingError/weakKey`` when the other
    ///   side's key gives a zero secret, ``SealingError/tooLong(bytes:limit:)``.
    public mutating func write(payload: (_ hashBeforePayload: [UInt8]) throws -> [UInt8]) throws -> [UInt8] {
        guard isWriter else { throw SealingError.handshakeOutOfOrder }
        var next = self
        let message = try next.writeTokens(payload: payload)
        guard message.count <= Self.maximumMessageBytes else {
            throw SealingError.tooLong(bytes: message.count, limit: Self.maximumMessageBytes)
        }
        next.nextMessage += 1
        self = next
        return message
    }

    /// Reads the other side's next message.
    ///
    /// - Returns: Its payload, and the handshake hash just before the payload, which the payload may have signed.
    public mutating func read(
        _ message: [UInt8]
    ) throws(SealingError) -> (payload: [UInt8], hashBeforePayload: [UInt8]) {
        guard !isFinished, !isWriter else { throw .handshakeOutOfOrder }
        guard message.count <= Self.maximumMessageBytes else {
            throw .tooLong(bytes: message.count, limit: Self.maximumMessageBytes)
        }
        var next = self
        let contents = try next.readTokens(of: message)
        next.nextMessage += 1
        self = next
        return contents
    }

    /// Returns the keys of the finished handshake. It works once; this value cannot be used afterwards.
    ///
    /// - Throws: ``SealingError/handshakeOutOfOrder`` before the last message, or the second time.
    public mutating func finish() throws(SealingError) -> NoiseKeys {
        guard isFinished, !isHandedOver else { throw .handshakeOutOfOrder }
        isHandedOver = true
        return NoiseKeys(transcript: transcript, role: role)
    }
}

extension NoiseHandshake {
    private mutating func writeTokens(payload: ([UInt8]) throws -> [UInt8]) throws -> [UInt8] {
        var message: [UInt8] = []
        for token in pattern.messages[nextMessage] {
            switch token {
            case .e:
                let fresh = try fixedEphemeral.map { bytes in try KeyAgreement(bytes) } ?? KeyAgreement()
                ephemeral = fresh
                message += fresh.publicBytes
                mixEphemeral(fresh.publicBytes)
            case .s:
                message += try transcript.seal(agreement.publicBytes)
            case .psk:
                transcript.mixKeyAndHash(psk)
            case .ee, .es, .se, .ss:
                try mixAgreement(of: token)
            }
        }
        return try message + transcript.seal(payload(transcript.hash))
    }

    private mutating func readTokens(
        of message: [UInt8]
    ) throws(SealingError) -> (payload: [UInt8], hashBeforePayload: [UInt8]) {
        var rest = message[...]
        for token in pattern.messages[nextMessage] {
            switch token {
            case .e:
                let key = try AgreementPublicKey(Self.take(32, from: &rest))
                remoteEphemeral = key
                mixEphemeral(key.bytes)
            case .s:
                let sealed = try Self.take(32 + transcript.overhead, from: &rest)
                remoteStatic = try AgreementPublicKey(transcript.open(sealed[...]))
            case .psk:
                transcript.mixKeyAndHash(psk)
            case .ee, .es, .se, .ss:
                try mixAgreement(of: token)
            }
        }
        let hash = transcript.hash
        return (try transcript.open(rest), hash)
    }

    /// Mixes in an ephemeral key. With a psk it also goes into the key, so that the psk alone never decides a key (section 9.2).
    private mutating func mixEphemeral(_ bytes: [UInt8]) {
        transcript.mixHash(bytes)
        if pattern.usesPSK { transcript.mixKey(bytes) }
    }

    private mutating func mixAgreement(of token: Token) throws(SealingError) {
        let ownIsEphemeral: Bool
        let remoteIsEphemeral: Bool
        switch (token, role) {
        case (.ee, _): (ownIsEphemeral, remoteIsEphemeral) = (true, true)
        case (.es, .initiator), (.se, .responder): (ownIsEphemeral, remoteIsEphemeral) = (true, false)
        case (.es, .responder), (.se, .initiator): (ownIsEphemeral, remoteIsEphemeral) = (false, true)
        default: (ownIsEphemeral, remoteIsEphemeral) = (false, false)
        }
        let own = ownIsEphemeral ? ephemeral : agreement
        let remote = remoteIsEphemeral ? remoteEphemeral : remoteStatic
        guard let own, let remote else { throw .handshakeOutOfOrder }
        transcript.mixKey(try own.sharedSecret(with: remote.bytes))
    }

    private static func take(_ count: Int, from rest: inout ArraySlice<UInt8>) throws(SealingError) -> [UInt8] {
        guard rest.count >= count else { throw .handshakeFailed }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
