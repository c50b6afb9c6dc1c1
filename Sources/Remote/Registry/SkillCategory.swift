/// What a skill is about. Raw values are the wire's; one that this version has never heard of survives.
public struct SkillCategory: Hashable, Sendable, Codable, RawRepresentable, ExpressibleByStringLiteral {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    public static let browser: SkillCategory = "browser"
    public static let control: SkillCategory = "control"
    public static let ui: SkillCategory = "ui"
    public static let data: SkillCategory = "data"
    public static let system: SkillCategory = "system"
    public static let ai: SkillCategory = "ai"
    public static let infra: SkillCategory = "infra"
}
