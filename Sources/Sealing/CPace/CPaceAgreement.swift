/// The result of CPace at one end. The other end has the same ``key`` only if it used the same password; the tags show
/// whether it did.
public struct CPaceAgreement: Sendable {
    /// The agreed key, ISK of the draft, 64 bytes.
    public let key: [UInt8]
    /// `transcript_ir` of the draft: both shares with their associated data, the initiator's first.
    public let transcript: [UInt8]
    /// The confirmation tag to send.
    public let ownTag: [UInt8]
    private let peerTag: [UInt8]

    init(key: [UInt8], transcript: [UInt8], sessionID: [UInt8], ownMessage: [UInt8], peerMessage: [UInt8]) {
        self.key = key
        self.transcript = transcript
        let macKey = Hashing.sha512(Array("CPaceMac".utf8) + sessionID + key)
        ownTag = Hashing.hmacSHA512(key: macKey, ownMessage)
        peerTag = Hashing.hmacSHA512(key: macKey, peerMessage)
    }

    /// Checks the other end's confirmation tag.
    ///
    /// - Throws: ``SealingError/wrongCode`` unless the other end has the same key.
    public func confirm(peerTag tag: [UInt8]) throws(SealingError) {
        guard Hashing.areEqual(tag, peerTag) else { throw .wrongCode }
    }
}

// Printing or dumping an agreement shows the public transcript, and no key.
extension CPaceAgreement: CustomStringConvertible, CustomReflectable {
    public var description: String { "a key agreed on with CPace" }
    public var customMirror: Mirror { Mirror(self, children: ["transcript": transcript]) }
}
