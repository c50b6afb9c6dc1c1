/// The subject of a skill. Raw values are the wire's; one that this version has never heard of survives.
package struct SkillCategory: Hashable, Sendable, Codable, RawRepresentable, ExpressibleByStringLiteral {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
    package init(stringLiteral value: String) { rawValue = value }
    package init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    package static let browser: SkillCategory = "browser"
    package static let control: SkillCategory = "control"
    package static let ui: SkillCategory = "ui"
    package static let data: SkillCategory = "data"
    package static let system: SkillCategory = "system"
    package static let ai: SkillCategory = "ai"
    package static let infra: SkillCategory = "infra"
}
