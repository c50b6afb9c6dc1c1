extension CodeExchange {
    /// What message 4 carries: `cp.y` and `cp.r`.
    public struct Share: Hashable, Sendable {
        public var share: [UInt8]
        public var blind: [UInt8]

        public init(share: [UInt8], blind: [UInt8]) {
            self.share = share
            self.blind = blind
        }
    }

    /// What message 5 carries: `cp.y`, `cp.r`, `cp.t` and `hs`.
    public struct Reveal: Hashable, Sendable {
        public var share: Share
        public var answer: Answer

        public init(share: Share, answer: Answer) {
            self.share = share
            self.answer = answer
        }
    }

    /// What message 6 carries: `cp.t` and `hs`.
    public struct Answer: Hashable, Sendable {
        public var tag: [UInt8]
        public var handshake: [UInt8]

        public init(tag: [UInt8], handshake: [UInt8]) {
            self.tag = tag
            self.handshake = handshake
        }
    }
}
