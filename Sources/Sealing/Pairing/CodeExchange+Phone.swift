extension CodeExchange {
    /// The end on which the digits are typed.
    public struct Phone: Sendable {
        private enum State: Sendable {
            case waitingForNonce
            case waitingForShare(CPace, blind: [UInt8], desktopID: String)
            case waitingForAnswer(CPaceAgreement, NoiseHandshake)
            case waitingForConfirmation(NoiseKeys, ProvenPeer)
            case over
        }

        /// `cp.n` of message 1.
        public let nonce: [UInt8]
        /// `cp.digits` of message 1.
        public let length: Length
        /// The number to show beside "compare with the desktop", once message 4 was read; nil when ten digits were typed.
        public private(set) var shortNumber: String?

        private let digits: [UInt8]
        private let alias: String
        private let identity: Identity
        private let device: DeviceClaim
        private var state = State.waitingForNonce

        /// - Parameters:
        ///   - digits: The typed code, six or ten ASCII digits.
        ///   - alias: The peer id that message 1 is sent to, `pairing-code:` and the first six digits.
        /// - Throws: ``SealingError/wrongCode`` for any other digits.
        public init(digits: String, alias: String, identity: Identity, device: DeviceClaim) throws(SealingError) {
            guard let length = Length(rawValue: digits.utf8.count),
                digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { throw .wrongCode }
            self.digits = Array(digits.utf8)
            self.length = length
            self.alias = alias
            self.identity = identity
            self.device = device
            nonce = RandomBytes.make(CodeExchange.nonceLength)
        }

        /// Reads message 2.
        ///
        /// - Parameter desktopID: The desktop's device id, as the sender of message 2.
        /// - Returns: `cp.c` of message 3.
        public mutating func commit(desktopNonce: [UInt8], desktopID: String) throws(SealingError) -> [UInt8] {
            guard case .waitingForNonce = state else { throw .handshakeOutOfOrder }
            state = .over
            try check(desktopNonce, isNamed: "nonce", ofLength: CodeExchange.nonceLength)
            let cpace = try CPace(
                role: .initiator,
                password: digits,
                channel: CodeExchange.channel(alias: alias),
                sessionID: nonce + desktopNonce,
                associatedData: Array(identity.did.text.utf8)
            )
            let blind = RandomBytes.make(CodeExchange.blindLength)
            state = .waitingForShare(cpace, blind: blind, desktopID: desktopID)
            return CodeExchange.commitment(to: Share(share: cpace.share, blind: blind))
        }

        /// Reads message 4.
        ///
        /// - Returns: The contents of message 5.
        public mutating func reveal(for desktop: Share) throws -> Reveal {
            guard case .waitingForShare(let cpace, let blind, let desktopID) = state else {
                throw SealingError.handshakeOutOfOrder
            }
            state = .over
            try check(desktop.blind, isNamed: "blind", ofLength: CodeExchange.blindLength)
            let agreement = try cpace.agree(
                peerShare: desktop.share,
                peerAssociatedData: Array(desktopID.utf8)
            )
            var handshake = try CodeExchange.handshake(role: .initiator, agreement: agreement, identity: identity)
            let message = try handshake.write { _ in [] }
            if length == .six {
                shortNumber = CodeExchange.shortNumber(
                    key: agreement.key,
                    phoneBlind: blind,
                    desktopBlind: desktop.blind
                )
            }
            state = .waitingForAnswer(agreement, handshake)
            return Reveal(
                share: Share(share: cpace.share, blind: blind),
                answer: Answer(tag: agreement.ownTag, handshake: message)
            )
        }

        /// Reads message 6, which proves that the desktop has the same code, and its identity.
        ///
        /// - Returns: `hs` of message 7.
        /// - Throws: ``SealingError/wrongCode`` when the codes differ; other cases of ``SealingError``.
        public mutating func prove(answer: Answer, nowMilliseconds: Int64) throws -> [UInt8] {
            guard case .waitingForAnswer(let agreement, var handshake) = state else {
                throw SealingError.handshakeOutOfOrder
            }
            state = .over
            try agreement.confirm(peerTag: answer.tag)
            let peer = try handshake.readProof(answer.handshake)
            let message = try handshake.writeProof(
                identity: identity,
                device: device,
                nowMilliseconds: nowMilliseconds
            )
            state = .waitingForConfirmation(try handshake.finish(), peer)
            return message
        }

        /// Reads `ct` of message 8, which confirms that the desktop's person said yes.
        ///
        /// - Throws: ``SealingError/handshakeFailed`` for a confirmation that the desktop did not make; it changes nothing.
        public mutating func finish(confirmation: [UInt8]) throws(SealingError) -> ProvenPeer {
            guard case .waitingForConfirmation(let keys, let peer) = state else { throw .handshakeOutOfOrder }
            let opened = NoiseCipher(key: keys.receiveKey).open(confirmation[...], nonce: 0, authenticating: [])
            guard opened == [] else { throw .handshakeFailed }
            state = .over
            return peer
        }
    }
}
