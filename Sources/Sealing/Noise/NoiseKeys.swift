/// The keys of a finished handshake, as one end holds them.
public struct NoiseKeys: Sendable {
    /// The role of the end that these keys belong to.
    public let role: NoiseHandshake.Role
    /// The handshake hash: equal at both ends, and different for every handshake.
    public let handshakeHash: [UInt8]
    package let sendKey: [UInt8]
    package let receiveKey: [UInt8]
    private let chainingKey: [UInt8]

    init(transcript: NoiseTranscript, role: NoiseHandshake.Role) {
        let (fromInitiator, toInitiator) = transcript.split()
        self.role = role
        handshakeHash = transcript.hash
        sendKey = role == .initiator ? fromInitiator : toInitiator
        receiveKey = role == .initiator ? toInitiator : fromInitiator
        chainingKey = transcript.chainingKey
    }

    /// Derives a further secret at both ends, by HKDF-SHA256 over the final chaining key.
    ///
    /// - Parameter label: The purpose; each label gives an independent secret.
    public func export(_ label: String, count: Int = 32) -> [UInt8] {
        Hashing.hkdfSHA256(chainingKey, info: Array(label.utf8), count: count)
    }

    /// The `psk` of the next IKpsk2 handshake between the same two devices. Source: `docs/protocol.md` 2.4.
    public var resumptionSecret: [UInt8] { export("tandem-resume-v1") }

    /// The id under which both ends keep ``resumptionSecret``. Source: `docs/protocol.md` 2.4.
    public var resumptionID: [UInt8] { export("tandem-rid-v1", count: 16) }

    /// The secret of which the keys of bulk connections are made, together with each one's ticket. Source: `docs/protocol.md` 2.12.1.
    public var bulkSecret: [UInt8] { export("tandem-bulk-v1") }
}

// Printing or dumping this value shows no keys.
extension NoiseKeys: CustomStringConvertible, CustomReflectable {
    public var description: String { "keys of the \(role.rawValue)" }
    public var customMirror: Mirror { Mirror(self, children: ["role": role]) }
}
