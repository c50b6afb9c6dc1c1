extension CodeExchange {
    /// The contents of message 4: `cp.y` and `cp.r`.
    public struct Share: Hashable, Sendable {
        /// `cp.y`: the sender's CPace share, 32 bytes.
        public var share: [UInt8]
        /// `cp.r`: the opening of the sender's commitment, 16 bytes.
        public var blind: [UInt8]

        public init(share: [UInt8], blind: [UInt8]) {
            self.share = share
            self.blind = blind
        }
    }

    /// The contents of message 5: `cp.y`, `cp.r`, `cp.t` and `hs`.
    public struct Reveal: Hashable, Sendable {
        /// `cp.y` and `cp.r` of the phone.
        public var share: Share
        /// `cp.t` and `hs` of the phone.
        public var answer: Answer

        public init(share: Share, answer: Answer) {
            self.share = share
            self.answer = answer
        }
    }

    /// The contents of message 6: `cp.t` and `hs`.
    public struct Answer: Hashable, Sendable {
        /// `cp.t`: the proof that the sender knows the digits, 64 bytes.
        public var tag: [UInt8]
        /// `hs`: the next message of the Noise handshake.
        public var handshake: [UInt8]

        public init(tag: [UInt8], handshake: [UInt8]) {
            self.tag = tag
            self.handshake = handshake
        }
    }
}
