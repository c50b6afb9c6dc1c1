extension CodeExchange {
    /// The end that shows the digits.
    public struct Desktop: Sendable {
        private enum State: Sendable {
            case waitingForHello
            case waitingForCommitment(CPace, blind: [UInt8], phone: DID)
            case waitingForReveal(CPace, blind: [UInt8], phone: DID, commitment: [UInt8])
            case waitingForProof(NoiseHandshake, phone: DID)
            case waitingForPerson(NoiseKeys)
            case over
        }

        /// The short number, once message 5 was read: the phone's person sees it, this desktop's person compares or types it. Nil
        /// when ten digits were typed.
        public private(set) var shortNumber: String?
        /// The number of digits that were typed on the phone, once message 1 was read.
        public private(set) var length: Length?

        private let digits: [UInt8]
        private let alias: String
        private let deviceID: String
        private let identity: Identity
        private let device: DeviceClaim
        private var state = State.waitingForHello

        /// - Parameters:
        ///   - digits: All ten digits shown.
        ///   - alias: The peer id under which the desktop waits, `pairing-code:` and the first six digits.
        ///   - deviceID: The desktop's id on the signaling server, as the phone sees it.
        /// - Throws: ``SealingError/wrongCode`` unless there are ten ASCII digits.
        public init(
            digits: String,
            alias: String,
            deviceID: String,
            identity: Identity,
            device: DeviceClaim
        ) throws(SealingError) {
            guard digits.utf8.count == Length.ten.rawValue, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { throw .wrongCode }
            self.digits = Array(digits.utf8)
            self.alias = alias
            self.deviceID = deviceID
            self.identity = identity
            self.device = device
        }

        /// Reads message 1.
        ///
        /// - Parameter phone: The DID that the phone claims; message 7 has to prove it.
        /// - Returns: `cp.n` of message 2.
        public mutating func greet(phoneNonce: [UInt8], length: Length, phone: DID) throws(SealingError) -> [UInt8] {
            guard case .waitingForHello = state else { throw .handshakeOutOfOrder }
            state = .over
            try check(phoneNonce, isNamed: "nonce", ofLength: CodeExchange.nonceLength)
            let nonce = RandomBytes.make(CodeExchange.nonceLength)
            let cpace = try CPace(
                role: .responder,
                password: Array(digits.prefix(length.rawValue)),
                channel: CodeExchange.channel(alias: alias),
                sessionID: phoneNonce + nonce,
                associatedData: Array(deviceID.utf8)
            )
            self.length = length
            let blind = RandomBytes.make(CodeExchange.blindLength)
            state = .waitingForCommitment(cpace, blind: blind, phone: phone)
            return nonce
        }

        /// Reads `cp.c` of message 3.
        ///
        /// - Returns: The contents of message 4.
        public mutating func share(after commitment: [UInt8]) throws(SealingError) -> Share {
            guard case .waitingForCommitment(let cpace, let blind, let phone) = state else {
                throw .handshakeOutOfOrder
            }
            state = .over
            try check(commitment, isNamed: "commitment", ofLength: 32)
            state = .waitingForReveal(cpace, blind: blind, phone: phone, commitment: commitment)
            return Share(share: cpace.share, blind: blind)
        }

        /// Reads message 5.
        ///
        /// - Returns: The contents of message 6.
        /// - Throws: ``SealingError/wrongCode`` when other digits were typed: the code is burnt.
        ///   ``SealingError/brokenCommitment``, and other cases of ``SealingError``.
        public mutating func answer(_ reveal: Reveal, nowMilliseconds: Int64) throws -> Answer {
            guard case .waitingForReveal(let cpace, let blind, let phone, let commitment) = state else {
                throw SealingError.handshakeOutOfOrder
            }
            state = .over
            try check(reveal.share.blind, isNamed: "blind", ofLength: CodeExchange.blindLength)
            guard CodeExchange.commitment(to: reveal.share) == commitment else {
                throw SealingError.brokenCommitment
            }
            let agreement = try cpace.agree(
                peerShare: reveal.share.share,
                peerAssociatedData: Array(phone.text.utf8)
            )
            try agreement.confirm(peerTag: reveal.answer.tag)
            var handshake = try CodeExchange.handshake(role: .responder, agreement: agreement, identity: identity)
            let (payload, _) = try handshake.read(reveal.answer.handshake)
            guard payload.isEmpty else { throw SealingError.malformedContents("its first handshake message") }
            let message = try handshake.writeProof(
                identity: identity,
                device: device,
                nowMilliseconds: nowMilliseconds
            )
            if length == .six {
                shortNumber = CodeExchange.shortNumber(
                    key: agreement.key,
                    phoneBlind: reveal.share.blind,
                    desktopBlind: blind
                )
            }
            state = .waitingForProof(handshake, phone: phone)
            return Answer(tag: agreement.ownTag, handshake: message)
        }

        /// Reads `hs` of message 7, which proves the phone's identity. Nothing is granted yet; a person decides.
        ///
        /// - Throws: ``SealingError``; a message that is refused changes nothing.
        public mutating func read(proof message: [UInt8]) throws(SealingError) -> ProvenPeer {
            guard case .waitingForProof(var handshake, let phone) = state else { throw .handshakeOutOfOrder }
            let peer = try handshake.readProof(message)
            guard peer.did == phone else { throw .identityNotProven }
            state = .waitingForPerson(try handshake.finish())
            return peer
        }

        /// Confirms the exchange, because the person said yes.
        ///
        /// - Parameter number: The number that the person typed from the phone's screen, or ``shortNumber`` when they pressed "it is
        ///   the same"; nil when ten digits were typed.
        /// - Returns: `ct` of message 8.
        /// - Throws: ``SealingError/numbersDiffer``: the exchange is over.
        public mutating func confirm(number: String?) throws(SealingError) -> [UInt8] {
            guard case .waitingForPerson(let keys) = state else { throw .handshakeOutOfOrder }
            state = .over
            guard number == shortNumber else { throw .numbersDiffer }
            return try NoiseCipher(key: keys.sendKey).seal([], nonce: 0, authenticating: [])
        }
    }
}
