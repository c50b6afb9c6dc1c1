public import Kernel

/// The handshake of the QR flows: `Noise_IKpsk1`, from the device that scans to the one that shows.
/// Source: `docs/protocol.md` 2.3. Values without I/O: Pairing carries the bytes as `e2e.hs`.
public enum QRExchange {
    /// Binds the handshake to everything the code said.
    static func prologue(qr: JSONValue, code: String) -> [UInt8] {
        Array("tandem-pair-v1".utf8) + [0]
            + LengthValue.encode(Hashing.sha256(qr.canonicalBytes))
            + LengthValue.encode("scanner>shower")
            + LengthValue.encode(code)
    }

    /// The end that scanned the code.
    public struct Scanner: Sendable {
        private let identity: Identity
        private let device: DeviceClaim
        private var handshake: NoiseHandshake

        /// - Parameters:
        ///   - qr: The whole JSON of the code, with all of its members.
        ///   - code: The pairing code in it.
        ///   - offer: The member `e2e` of it.
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

        /// Message 1, made once: send the same bytes again when they may have been lost.
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

    /// The end that shows the code.
    public struct Shower: Sendable {
        private let identity: Identity
        private let device: DeviceClaim
        private var handshake: NoiseHandshake

        /// - Parameters:
        ///   - qr: The whole JSON of the code as shown.
        ///   - code: The pairing code in it.
        ///   - offer: The member `e2e` of it.
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

        /// Reads message 1: who scanned the code, now proven. Nothing is granted yet; a person decides.
        ///
        /// - Throws: ``SealingError``; a message that is refused changes nothing.
        public mutating func read(_ message: [UInt8]) throws(SealingError) -> ProvenPeer {
            try handshake.readProof(message)
        }

        /// Message 2, made once, when the person said yes.
        public mutating func accept(nowMilliseconds: Int64) throws -> [UInt8] {
            try handshake.writeProof(identity: identity, device: device, nowMilliseconds: nowMilliseconds)
        }
    }
}
