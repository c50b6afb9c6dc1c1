import Kernel
public import Sealing

/// A `register` frame. Source: `docs/protocol.md` 2.1 for `e2e`.
public struct SignalRegistration: Hashable, Sendable {
    /// The claim that a key owns the id, with its proof once the server sent a challenge.
    public struct Claim: Hashable, Sendable {
        /// The key as a `did:key`.
        public var key: String
        /// The challenge that the signature answers, 32 bytes; nil in the first frame.
        public var nonce: [UInt8]?
        /// The Ed25519 signature by ``key``, 64 bytes; nil in the first frame.
        public var signature: [UInt8]?
        /// The TLS connection that the signature holds for; nil where the server does not check that.
        public var binding: ChannelBinding?

        public init(
            key: String,
            nonce: [UInt8]? = nil,
            signature: [UInt8]? = nil,
            binding: ChannelBinding? = nil
        ) {
            self.key = key
            self.nonce = nonce
            self.signature = signature
            self.binding = binding
        }
    }

    /// The id to register under.
    public var peerID: String
    /// The device's description of itself; nil when the frame has none.
    public var device: SignalDevice?
    /// The claim to the id; nil from a client that proves nothing.
    public var claim: Claim?

    public init(peerID: String, device: SignalDevice?, claim: Claim? = nil) {
        self.peerID = peerID
        self.device = device
        self.claim = claim
    }

    var json: JSONValue {
        .object(compacting: [
            "type": "register",
            "peerId": .string(peerID),
            "deviceType": device.map { .string($0.category.rawValue) },
            "deviceInfo": device.map { .object($0.info) },
            "e2e": claim.map { claim in
                .object(compacting: [
                    "v": 1,
                    "key": .string(claim.key),
                    "nonce": claim.nonce.map { .string(Base64URL.encode($0)) },
                    "sig": claim.signature.map { .string(Base64URL.encode($0)) },
                    "cb": claim.binding.map { .string(Base64URL.encode($0.certificateHash)) },
                    "cbType": claim.binding.map { _ in .string(ChannelBinding.serverEndPoint) },
                ])
            },
        ])
    }

    init?(_ frame: JSONValue) {
        guard let peerID = frame["peerId"]?.peerID else { return nil }
        self.peerID = peerID
        device = SignalDevice(frame)
        if let claim = frame["e2e"], let key = claim["key"]?.stringValue {
            self.claim = Claim(
                key: key,
                nonce: claim["nonce"]?.stringValue.flatMap(Base64URL.decode),
                signature: claim["sig"]?.stringValue.flatMap(Base64URL.decode)
            )
        }
    }
}
