public import Kernel

extension QRExchange {
    /// The end that scanned the code.
    public struct Scanner: Sendable {
        private let identity: Identity
        private let device: DeviceClaim
        private var handshake: NoiseHandshake

        /// - Parameters:
        ///   - qr: The whole JSON of the code, with all of its members.
        ///   - code: The pairing code in it.
        ///   - offer: The code's member `e2e`.
        public init(
            qr: JSONValue,
            code: String,
            offer: QROffer,
            identity: Identity,
            device: DeviceClaim
        ) throws(SealingError) {
            self.identity = identity
            self.device = device
            handshake = try NoiseHandshake(
                pattern: .IKpsk1,
                role: .initiator,
                prologue: prologue(qr: qr, code: code),
                identity: identity,
                remote: offer.agreementKey,
                psk: offer.noisePSK
            )
        }

        /// Makes message 1, once. Send the same bytes again when they may have been lost.
        public mutating func open(nowMilliseconds: Int64) throws -> [UInt8] {
            try handshake.writeProof(identity: identity, device: device, nowMilliseconds: nowMilliseconds)
        }

        /// Reads message 2.
        ///
        /// - Throws: ``SealingError``; a message that is refused changes nothing.
        public mutating func finish(reading message: [UInt8]) throws(SealingError) -> ProvenPeer {
            try handshake.readProof(message)
        }
    }
}
