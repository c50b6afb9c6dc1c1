/// The `e2e` object of a pairing frame: the part that proves who sent it. Source: `docs/protocol.md` 2.3.
public struct PairingSeal: Hashable, Codable, Sendable {
    /// `v`, which is 1.
    public var version: Int
    /// A Noise handshake message.
    public var handshake: WireBytes?
    /// The `timestamp` of the scanned code as it was read, in milliseconds since 1970. It is sent with the first handshake message
    /// where the code is too old, or from the future, by the scanner's clock, and nil otherwise.
    public var codeTimestamp: Int64?
    /// A step of the typed code's key agreement.
    public var code: CodeStep?
    /// The first transport message, with an empty payload: the last message of pairing by a typed code.
    public var transport: WireBytes?

    /// The signature over a question that is taken back.
    public var withdrawal: WireBytes?

    public init(
        handshake: [UInt8]? = nil,
        codeTimestamp: Int64? = nil,
        code: CodeStep? = nil,
        transport: [UInt8]? = nil,
        withdrawal: [UInt8]? = nil
    ) {
        version = 1
        self.handshake = handshake.map(WireBytes.init)
        self.codeTimestamp = codeTimestamp
        self.code = code
        self.transport = transport.map(WireBytes.init)
        self.withdrawal = withdrawal.map(WireBytes.init)
    }

    enum CodingKeys: String, CodingKey {
        case version = "v"
        case handshake = "hs"
        case codeTimestamp = "ts"
        case code = "cp"
        case transport = "ct"
        case withdrawal = "wd"
    }
}
