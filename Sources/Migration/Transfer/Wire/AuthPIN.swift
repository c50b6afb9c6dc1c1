/// `AuthPIN`: a step of the key exchange that proves both sides, or its result.
public struct AuthPIN: Hashable, Codable, Sendable {
    public enum Stage: String, Hashable, Codable, Sendable { case share, confirm, result }
    /// The secret that both sides know.
    public enum Method: String, Hashable, Codable, Sendable { case pin, qr, resume }

    /// Nil in a message of the first version.
    public var stage: Stage?
    /// The sender's CPace share (32 bytes) or confirmation tag (64 bytes).
    public var data: WireData?
    public var method: Method?
    public var ok: Bool?
    public var attemptsLeft: Int?
    /// The first version's PIN in clear. Its presence alone is refused; the text is not kept.
    public var hasLegacyPIN: Bool

    enum CodingKeys: String, CodingKey { case stage, data, method, ok, attemptsLeft, pin }

    public init(_ stage: Stage, data: [UInt8]? = nil, method: Method? = nil, ok: Bool? = nil, attemptsLeft: Int? = nil) {
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
