/// `AuthPIN`: a step of the key exchange that proves both sides, or its result.
public struct AuthPIN: Hashable, Codable, Sendable {
    public enum Stage: Hashable, Codable, Sendable, RawRepresentable {
        case share, confirm, result
        /// A word of a later version, which is passed over.
        case unknown(String)

        public init(rawValue: String) {
            self =
                switch rawValue {
                case "share": .share
                case "confirm": .confirm
                case "result": .result
                default: .unknown(rawValue)
                }
        }

        public var rawValue: String {
            switch self {
            case .share: "share"
            case .confirm: "confirm"
            case .result: "result"
            case .unknown(let word): word
            }
        }
    }

    /// The secret that both sides know.
    public enum Method: Hashable, Codable, Sendable, RawRepresentable {
        case pin, qr, resume
        /// A word of a later version, which is passed over.
        case unknown(String)

        public init(rawValue: String) {
            self =
                switch rawValue {
                case "pin": .pin
                case "qr": .qr
                case "resume": .resume
                default: .unknown(rawValue)
                }
        }

        public var rawValue: String {
            switch self {
            case .pin: "pin"
            case .qr: "qr"
            case .resume: "resume"
            case .unknown(let word): word
            }
        }
    }

    /// Nil in a message of the first version.
    public var stage: Stage?
    /// The sender's CPace share (32 bytes), confirmation tag (64 bytes), or its message of the Noise handshake with `qr`.
    public var data: WireData?
    public var method: Method?
    public var ok: Bool?
    public var attemptsLeft: Int?
    /// The first version's PIN in clear. Its presence alone is refused; the text is not kept.
    public var hasLegacyPIN: Bool

    enum CodingKeys: String, CodingKey { case stage, data, method, ok, attemptsLeft, pin }

    public init(_ stage: Stage, data: [UInt8]? = nil, method: Method? = nil, ok: Bool? = nil, attemptsLeft: Int? = nil)
    {
        self.stage = stage
        self.data = data.map(WireData.init)
        self.method = method
        self.ok = ok
        self.attemptsLeft = attemptsLeft
        hasLegacyPIN = false
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        stage = try container.decodeIfPresent(Stage.self, forKey: .stage)
        data = try container.decodeIfPresent(WireData.self, forKey: .data)
        method = try container.decodeIfPresent(Method.self, forKey: .method)
        ok = try container.decodeIfPresent(Bool.self, forKey: .ok)
        attemptsLeft = try container.decodeIfPresent(Int.self, forKey: .attemptsLeft)
        hasLegacyPIN = container.contains(.pin)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(stage, forKey: .stage)
        try container.encodeIfPresent(data, forKey: .data)
        try container.encodeIfPresent(method, forKey: .method)
        try container.encodeIfPresent(ok, forKey: .ok)
        try container.encodeIfPresent(attemptsLeft, forKey: .attemptsLeft)
    }
}
