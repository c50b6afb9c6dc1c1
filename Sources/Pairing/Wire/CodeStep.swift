/// The values of one step of the typed code's key agreement. Source: `docs/protocol.md` 2.3, "Typed code".
public struct CodeStep: Hashable, Codable, Sendable {
    /// The sender's half of the exchange's id, 16 bytes.
    public var nonce: WireBytes?
    /// The number of digits that the person typed, 6 or 10.
    public var digits: Int?
    /// The phone's commitment to the share that it will send, 32 bytes.
    public var commitment: WireBytes?
    /// A CPace share, 32 bytes.
    public var share: WireBytes?
    /// The opening of the commitment, 16 bytes.
    public var opening: WireBytes?
    /// The sender's proof that it knows the code, 64 bytes.
    public var tag: WireBytes?

    public init(
        nonce: [UInt8]? = nil,
        digits: Int? = nil,
        commitment: [UInt8]? = nil,
        share: [UInt8]? = nil,
        opening: [UInt8]? = nil,
        tag: [UInt8]? = nil
    ) {
        self.nonce = nonce.map(WireBytes.init)
        self.digits = digits
        self.commitment = commitment.map(WireBytes.init)
        self.share = share.map(WireBytes.init)
        self.opening = opening.map(WireBytes.init)
        self.tag = tag.map(WireBytes.init)
    }

    enum CodingKeys: String, CodingKey {
        case nonce = "n"
        case digits
        case commitment = "c"
        case share = "y"
        case opening = "r"
        case tag = "t"
    }
}
