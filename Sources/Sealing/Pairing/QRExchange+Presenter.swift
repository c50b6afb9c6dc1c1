public import Kernel

extension QRExchange {
    /// The end that shows the code.
    public struct Presenter: Sendable {
        private let identity: Identity
        private let device: DeviceClaim
        private var handshake: NoiseHandshake

        /// - Parameters:
        ///   - qr: The whole JSON of the code as shown.
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
                role: .responder,
                prologue: prologue(qr: qr, code: code),
                identity: identity,
                psk: offer.noisePSK
            )
        }

        /// Reads message 1, which proves the identity of the device that scanned the code. Nothing is granted yet; a person decides.
        ///
        /// - Throws: ``SealingError``; a message that is refused changes nothing.
        public mutating func read(_ message: [UInt8]) throws(SealingError) -> ProvenPeer {
            try handshake.readProof(message)
        }

        /// Makes message 2, once, when the person said yes.
        public mutating func accept(nowMilliseconds: Int64) throws -> [UInt8] {
            try handshake.writeProof(identity: identity, device: device, nowMilliseconds: nowMilliseconds)
        }
    }
}
